package browsertest

import (
	"os"
	"os/exec"
)

// Shell is the path of Chromium's headless shell, for browser.Options.Path: the same engine without a browser around it, for
// half of the processor's time. "", which means browser.Find, where there is none or a person has named a browser. It is for
// tests of pages. The shell lets through what Chromium's own settings refuse, so tests of what leaves the machine, like the
// product, need the whole browser.
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
