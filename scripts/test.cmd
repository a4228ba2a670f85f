@rem The checks on Windows, the twin of scripts/test: `scripts\test`, or `scripts\test ARGS...` for
@rem pytest alone.
@echo off
setlocal
call "%~dp0lib\setup.cmd" dev || exit /b
cd /d "%~dp0.."
set "python=.venv\Scripts\python"
if not "%~1"=="" (
    %python% -m pytest %*
    exit /b
)
set "failed="
for %%s in ("ruff format --check ." "ruff check ." "mypy" "pytest -n auto --dist worksteal") do (
    echo == %%~s
    %python% -m %%~s || set "failed=yes"
)
echo == import contracts
.venv\Scripts\lint-imports || set "failed=yes"
if defined failed exit /b 1
