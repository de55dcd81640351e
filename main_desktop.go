//go:build desktop

// The window's program, showhow-desktop: `showhow app` starts it (docs/app.md).
package main

import (
	"os"

	"showhow/app/desktop"
)

func main() { os.Exit(desktop.Main()) }
