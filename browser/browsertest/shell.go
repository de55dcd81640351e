package browsertest

import (
	"flag"
	"os"
	"os/exec"
)

// Shell is the path of Chromium's headless shell, for browser.Options.Path: the same engine without the browser around it, which
// needs half the CPU time. It is "", which means browser.Find, where no shell is installed, SHOWHOW_BROWSER names a browser or a benchmark
// is run: what is measured is what the product uses.
// Use it for tests of reading and operating pages only: it preloads pages that the browser does not, so the product, and tests of
// what leaves the machine, need the whole browser.
func Shell() string {
	bench := flag.Lookup("test.bench")
	if os.Getenv("SHOWHOW_BROWSER") != "" || bench != nil && bench.Value.String() != "" {
		return ""
	}
	path, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		return ""
	}
	return path
}
