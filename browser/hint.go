package browser

import "os"

// StartHint is the advice for a browser that does not start.
func StartHint() string {
	if os.Getuid() == 0 {
		return "Chromium does not start as root: run Showhow as the user whose work it should learn"
	}
	return "`showhow doctor` says what is missing"
}
