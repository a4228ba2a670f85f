@rem `call setup.cmd run` or `call setup.cmd dev` sees to it that .venv holds the project, as setup.sh
@rem does elsewhere: what there is to do is done by setup.py.
@echo off
for %%p in ("py -3" python python3) do (
    %%~p -I -c "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul && (
        %%~p -I "%~dp0setup.py" %1
        exit /b
    )
)
echo Driflamme: Python 3.11 or newer is needed: get it from python.org or the Microsoft Store. 1>&2
exit /b 1
