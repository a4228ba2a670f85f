@rem The parcels for Windows, the twin of scripts/release.
@echo off
setlocal
call "%~dp0lib\setup.cmd" dev || exit /b
cd /d "%~dp0.."
.venv\Scripts\python -m scripts.lib.release %*
