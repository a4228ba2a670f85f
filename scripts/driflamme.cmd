@rem Driflamme from a clone on Windows: `scripts\driflamme --help`, the twin of scripts/driflamme.
@echo off
setlocal
call "%~dp0lib\setup.cmd" run || exit /b
set DRIFLAMME_STARTED_AS=scripts\driflamme
"%~dp0..\.venv\Scripts\driflamme.exe" %*
