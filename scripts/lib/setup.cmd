@rem Called by scripts\driflamme.cmd and scripts\test.cmd: sees to it that .venv holds the project,
@rem with `setup.cmd run` or `setup.cmd dev`. What it does is in setup.py, beside this file.
@echo off
set "probe=import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"
for %%p in ("py -3" python python3) do (
    %%~p -I -c "%probe%" >nul 2>nul && (
        %%~p -I "%~dp0setup.py" %1
        exit /b
    )
)
echo Driflamme: Python 3.11 or newer is needed: get it from python.org or the Microsoft Store. 1>&2
exit /b 1
