@echo off
rem Builds showhow.exe and showhow-desktop.exe on Windows. Never run: it was not tried. Not signed, no installer.
rem   packaging\windows\build.cmd VERSION
setlocal
cd /d "%~dp0..\.."
set CGO_ENABLED=0
go build -trimpath -ldflags "-s -w" -o bin\showhow-hook.exe .\adapters\receipts\hook || exit /b 1
go build -trimpath -ldflags "-s -w -X showhow/internal/version.Version=%1" -o bin\showhow.exe . || exit /b 1
go build -trimpath -tags desktop,production -ldflags "-s -w -H windowsgui -X showhow/internal/version.Version=%1" -o bin\showhow-desktop.exe . || exit /b 1
copy /y packaging\windows\showhow.manifest bin\showhow-desktop.exe.manifest
