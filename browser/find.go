package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"showhow/internal/fault"
)

// EnvPath is the environment variable that overrides the path of Chromium.
const EnvPath = "SHOWHOW_BROWSER"

// Find returns the path of a Chromium-based browser, or ADAPTER_UNAVAILABLE with installation
// instructions.
func Find() (string, error) {
	if p := os.Getenv(EnvPath); p != "" {
		if found, err := exec.LookPath(p); err == nil {
			return found, nil
		}
		return "", fault.New(fault.AdapterUnavailable, "the browser named by "+EnvPath+" does not exist").
			WithHint("point " + EnvPath + " at a Chromium or Chrome program, or unset it")
	}
	for _, p := range candidates(runtime.GOOS, os.Getenv) {
		if found, err := exec.LookPath(p); err == nil {
			return found, nil
		}
	}
	return "", fault.New(fault.AdapterUnavailable, "no Chromium or Chrome was found").WithHint(installHint(runtime.GOOS))
}

// candidates lists program names and paths, best first.
func candidates(goos string, env func(string) string) []string {
	switch goos {
	case "darwin":
		var out []string
		for _, root := range []string{"/Applications", filepath.Join(env("HOME"), "Applications")} {
			for _, app := range []string{"Chromium", "Google Chrome", "Microsoft Edge", "Brave Browser"} {
				out = append(out, filepath.Join(root, app+".app", "Contents", "MacOS", app))
			}
		}
		return append(out, "chromium")
	case "windows":
		var out []string
		for _, root := range []string{env("ProgramFiles"), env("ProgramFiles(x86)"), env("LocalAppData")} {
			if root == "" {
				continue
			}
			for _, app := range []string{`Chromium\Application\chrome.exe`, `Google\Chrome\Application\chrome.exe`,
				`Microsoft\Edge\Application\msedge.exe`} {
				out = append(out, filepath.Join(root, app))
			}
		}
		return append(out, "chrome.exe", "msedge.exe")
	default:
		return []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "brave-browser", "microsoft-edge",
			"/snap/bin/chromium"}
	}
}

func installHint(goos string) string {
	switch goos {
	case "darwin":
		return "install Chromium: brew install --cask chromium"
	case "windows":
		return "install Chrome: winget install Google.Chrome"
	default:
		return "install Chromium: sudo apt install chromium"
	}
}
