package browsertest

import (
	"os"
	"os/exec"
)

// Shell is the path of Chromium's headless shell, for browser.Options.Path: the same engine without the browser around it, which
// needs half the CPU time. It is "", which means browser.Find, where no shell is installed or SHOWHOW_BROWSER names a browser.
// Use it for tests of reading and operating pages only: it preloads pages that the browser does not, so the product, and tests of
// what leaves the machine, need the whole browser.
func Shell() string {
	if os.Getenv("SHOWHOW_BROWSER") != "" {
		return ""
	}
	path, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		return ""
	}
	return path
}
