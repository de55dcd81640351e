package browser

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Options says how to start a browser. The zero value is a headed browser (headless without a display) in a throw-away profile.
type Options struct {
	Path    string // program; "" means Find
	Profile string // user data directory that stays; "" means a throw-away one, deleted at Close
	Name    string // what a throw-away profile is for: part of its name

	Headless    *bool  // nil: headless when there is no display
	NoSandbox   bool   // takes effect as root only: there Chromium refuses to start otherwise. Demo and tests (decisions E15)
	Port        bool   // open a debugging port on loopback besides the pipe: every local process can use it. Demo and tests
	DownloadDir string // where downloads go; "" leaves the browser's own setting
	CacheDir    string // disk cache; "" means one in the runtime directory (tmpfs where there is one), deleted at Close; see args
	StartURL    string // first tab; "" means about:blank
	WindowSize  string // "1280,900"
	ExtraArgs   []string
}

// ManagedProfile is the profile directory of the managed browser: the browser's own data, not Showhow's (decisions B4).
func ManagedProfile() string {
	return filepath.Join(stateHome(), "showhow", "browser")
}

func stateHome() string {
	if d := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return d
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".local", "state")
}

// headless decides how the browser shows itself.
func (o Options) headless() bool {
	if o.Headless != nil {
		return *o.Headless
	}
	return runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == ""
}

// Disabled are the features that no browser here needs. Chromium honours only the last
// --disable-features on its command line, so whoever disables more must include these. The WebUI
// ones are parts of Chromium's own window that run as pages in their own process and cost half of
// the startup work, window or not.
var Disabled = []string{"Translate", "MediaRouter", "OptimizationHints", "AutofillServerCommunication", "Prerender2",
	"PasswordManagerOnboarding",
	"InterestFeedContentSuggestions", "WebUIReloadButton", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup"}

// args is the command line without the pipe flags. A cache inside the profile stays where Chromium puts it: in the headless shell all
// contexts of a browser use the folder that is named, and what a second one loads waits for the first to leave it.
func (o Options) args(profile, cache string) []string {
	size := o.WindowSize
	if size == "" {
		size = "1280,900"
	}
	args := []string{
		"--user-data-dir=" + profile,
		"--window-size=" + size,
		"--no-first-run", "--no-default-browser-check", "--hide-crash-restore-bubble",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
		"--disable-breakpad", "--disable-crash-reporter", "--disable-domain-reliability", "--metrics-recording-only",
		"--password-store=basic", "--use-mock-keychain", // nothing is stored, so no keyring is asked
		"--disable-features=" + strings.Join(Disabled, ","),
	}
	if !strings.HasPrefix(cache, profile+string(filepath.Separator)) {
		args = append(args, "--disk-cache-dir="+cache)
	}
	if o.headless() {
		args = append(args, "--headless=new", "--disable-gpu")
	}
	if o.NoSandbox && os.Geteuid() == 0 {
		args = append(args, "--no-sandbox", "--test-type") // test-type: no warning bar about the former
	}
	if o.Port {
		args = append(args, "--remote-debugging-port=0", "--remote-debugging-address=127.0.0.1")
	}
	args = append(args, o.ExtraArgs...)
	if o.StartURL == "" {
		return append(args, "about:blank")
	}
	return append(args, o.StartURL)
}
