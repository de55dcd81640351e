package scope

import (
	"path/filepath"
	"slices"
	"strings"

	"showhow/capture"
)

// browsers are the app families whose windows show other people's sites: naming one never admits a site.
var browsers = []string{"chromium", "chrome", "google-chrome", "google chrome", "firefox", "edge", "msedge", "microsoft edge",
	"safari", "brave", "opera", "vivaldi", "webkit", "epiphany"}

// Allows checks an origin: default deny. The scope must be normalised.
//
// A browser's origin needs its site named; the app is implied, unless the scope names browsers and not this one. A
// terminal's origin needs its tty named, whatever the app. A device's origin needs the device named. Everything else
// needs its app named or its folder inside a named one.
func Allows(s capture.Scope, o capture.Origin) (bool, capture.WithheldReason) {
	switch {
	case o.Own:
		return false, capture.OwnWindow
	case s.Empty():
		return false, capture.NoScope
	case o.Private && o.Shell != "":
		return false, capture.ShellPrivate
	case o.Private:
		return false, capture.PrivateData
	}
	app := strings.ToLower(o.App)
	var ok bool
	switch {
	case o.Shell != "":
		ok = slices.Contains(s.Shells, strings.TrimPrefix(o.Shell, "/dev/"))
	case o.Site != "" || slices.Contains(browsers, app):
		ok = o.Site != "" && allowsSite(s, o.Site) && allowsBrowser(s, app)
	case o.Device != "":
		ok = allowsDevice(s, o.Device)
	default:
		ok = app != "" && slices.Contains(s.Apps, app) || o.Folder != "" && allowsFolder(s, o.Folder)
	}
	if !ok {
		return false, capture.OffScope
	}
	return true, ""
}

// Admits adds what an observation of a kind must state about its origin: without that it is off scope.
func Admits(s capture.Scope, k capture.Kind, o capture.Origin) (bool, capture.WithheldReason) {
	if o.Own || s.Empty() || o.Private {
		if k == capture.TerminalCommand && o.Private && !o.Own && !s.Empty() {
			return false, capture.ShellPrivate
		}
		return Allows(s, o)
	}
	switch k {
	case capture.BrowserDOM, capture.BrowserSnapshot:
		if o.Site == "" || o.Shell != "" {
			return false, capture.OffScope
		}
	case capture.TerminalCommand:
		if o.Shell == "" {
			return false, capture.OffScope
		}
	case capture.MIDI:
		if o.Device == "" {
			return false, capture.OffScope
		}
	case capture.ProcessLaunch:
		// A browser as a program: its window's sites are checked separately.
		if o.Shell == "" && o.Site == "" && slices.Contains(s.Apps, strings.ToLower(o.App)) {
			return true, ""
		}
	}
	return Allows(s, o)
}

func allowsBrowser(s capture.Scope, app string) bool {
	named := false
	for _, a := range s.Apps {
		if a == app {
			return true
		}
		named = named || slices.Contains(browsers, a)
	}
	return !named
}

func allowsSite(s capture.Scope, site string) bool {
	host, port, problem := splitHostPort(strings.ToLower(site))
	if problem != "" {
		return false
	}
	if host, problem = normHost(host); problem != "" {
		return false
	}
	if port == "80" || port == "443" {
		port = ""
	}
	for _, entry := range s.Sites {
		h, p, _ := splitHostPort(entry)
		if p == "80" || p == "443" {
			p = "" // kept in the entry of a loopback host only
		}
		if p == port && matchHost(h, host) {
			return true
		}
	}
	return false
}

func matchHost(entry, host string) bool {
	if domain, ok := strings.CutPrefix(entry, "*."); ok {
		return strings.HasSuffix(host, "."+domain)
	}
	return entry == host
}

func allowsDevice(s capture.Scope, device string) bool {
	device = strings.Join(strings.Fields(device), " ")
	return slices.ContainsFunc(s.Devices, func(d string) bool { return strings.EqualFold(d, device) })
}

// allowsFolder compares whole components, lexically: links are not followed.
func allowsFolder(s capture.Scope, path string) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	path = filepath.Clean(path)
	return slices.ContainsFunc(s.Folders, func(f string) bool {
		return path == f || strings.HasPrefix(path, f+string(filepath.Separator))
	})
}
