@rem `call setup.cmd run` or `call setup.cmd dev` sees to it that .venv holds the project, as setup.sh
@rem does elsewhere, by venv and pip. When nothing has changed since, it costs two `fc`.
@echo off
setlocal
cd /d "%~dp0..\.." || exit /b 1
set "wanted=%~1"
call :is_set_up
if not errorlevel 1 exit /b 0
for %%p in ("py -3" python python3) do (
    %%~p -I -c "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul && (
        set "python=%%~p"
        goto wait
    )
)
echo Driflamme: Python 3.11 or newer is needed: get it from python.org or the Microsoft Store. 1>&2
exit /b 1

@rem To a file to which one start writes no other can write: it waits and tries again.
:wait
set "status="
if not exist .venv.lock type nul >.venv.lock || exit /b 1
3>&2 2>nul (9>.venv.lock (2>&3 (call :locked)))
if defined status exit /b %status%
if not defined waits echo Driflamme: waiting for another start that is setting up ... 1>&2
set "waits=yes"
ping -n 2 127.0.0.1 >nul
goto wait

:locked
call :is_set_up
set "status=%errorlevel%"
if %status%==0 exit /b 0
echo Driflamme: installing what it needs, once; that takes half a minute ... 1>&2
if "%stamp:~0,4%"=="dev " set "wanted=dev"
set "project=."
if "%wanted%"=="dev" set "project=.[dev]"
set "PIP_CONSTRAINT=scripts/constraints.txt"
set "PIP_BUILD_CONSTRAINT=scripts/constraints.txt"
@rem What was cut short or made elsewhere is made anew.
if not "%stamp:* in =%"=="%cd%" goto anew
.venv\Scripts\python -I -m pip --version >nul 2>nul && goto install
:anew
if exist .venv rmdir /s /q .venv
%python% -I -m venv .venv
:install
if exist .venv\driflamme-setup del .venv\driflamme-setup
.venv\Scripts\python -I -m pip install --quiet --no-input -e %project% || goto failed
copy /y pyproject.toml .venv >nul || goto failed
copy /y scripts\constraints.txt .venv >nul || goto failed
>.venv\driflamme-setup echo %wanted% in %cd%
set "status=0"
exit /b 0
:failed
echo Driflamme: setting up failed; this once it needs the network. 1>&2
exit /b 1

:is_set_up
set "stamp="
if exist .venv\driflamme-setup set /p stamp=<.venv\driflamme-setup
if not exist .venv\Scripts\python.exe exit /b 1
if not exist .venv\Scripts\driflamme.exe exit /b 1
if not "%stamp%"=="%wanted% in %cd%" if not "%stamp%"=="dev in %cd%" exit /b 1
fc /b pyproject.toml .venv\pyproject.toml >nul 2>nul || exit /b 1
fc /b scripts\constraints.txt .venv\constraints.txt >nul 2>nul || exit /b 1
exit /b 0
