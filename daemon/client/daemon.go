package client

import (
	"context"
	"net/http"
	"os"
	"strconv"

	"showhow/daemon/wire"
	"showhow/internal/desktop"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/version"
)

// DaemonService is the part of the API about the daemon itself: health, settings, agents, its browser, the local port.
type DaemonService struct{ t *transport }

// Version is the daemon's build.
func (c DaemonService) Version(ctx context.Context) (Version, error) {
	return get[Version](ctx, c.t, "/api/version", nil)
}

// Status is the daemon at a glance.
func (c DaemonService) Status(ctx context.Context) (DaemonStatus, error) {
	return get[DaemonStatus](ctx, c.t, "/api/status", nil)
}

// Doctor reports what works here and what does not.
func (c DaemonService) Doctor(ctx context.Context) (Doctor, error) {
	return get[Doctor](ctx, c.t, "/api/doctor", nil)
}

// Adapters lists every adapter.
func (c DaemonService) Adapters(ctx context.Context) (Adapters, error) {
	return get[Adapters](ctx, c.t, "/api/observe/adapters", nil)
}

// Targets lists what could be observed right now.
func (c DaemonService) Targets(ctx context.Context) (Targets, error) {
	return get[Targets](ctx, c.t, "/api/observe/targets", nil)
}

// Settings returns the saved settings.
func (c DaemonService) Settings(ctx context.Context) (Settings, error) {
	return get[Settings](ctx, c.t, "/api/settings", nil)
}

// ChangeSettings replaces the settings.
func (c DaemonService) ChangeSettings(ctx context.Context, r SettingsChange) (Settings, error) {
	return do[Settings](ctx, c.t, http.MethodPut, "/api/settings", r)
}

// OpenBrowser opens a page in Showhow's own browser.
func (c DaemonService) OpenBrowser(ctx context.Context, url string) (BrowserOpened, error) {
	return post[BrowserOpened](ctx, c.t, "/api/browser/open", wire.BrowserOpen{URL: url})
}

// AttachBrowser watches a running browser with a loopback debugging port instead of the managed one; "" detaches it.
func (c DaemonService) AttachBrowser(ctx context.Context, port string) (BrowserOpened, error) {
	return post[BrowserOpened](ctx, c.t, "/api/browser/open", wire.BrowserOpen{Attach: port, Detach: port == ""})
}

// CloseBrowser closes the managed browser.
func (c DaemonService) CloseBrowser(ctx context.Context) error {
	_, err := post[BrowserOpened](ctx, c.t, "/api/browser/open", wire.BrowserOpen{Close: true})
	return err
}

// StopDaemon ends the daemon.
func (c DaemonService) StopDaemon(ctx context.Context, restart bool) error {
	_, err := post[Stopping](ctx, c.t, "/api/daemon/stop", wire.StopRequest{Restart: restart})
	return err
}

// Agents lists the agents that have a token.
func (c DaemonService) Agents(ctx context.Context) (Agents, error) {
	return get[Agents](ctx, c.t, "/api/agents", nil)
}

// AddAgent makes a token, which is shown only this once; a person confirms.
func (c DaemonService) AddAgent(ctx context.Context, name string, calls ...Call) (AgentAdded, error) {
	return post[AgentAdded](ctx, c.t, "/api/agents", wire.AgentAdd{Name: name}, calls...)
}

// RevokeAgent revokes the agent's token.
func (c DaemonService) RevokeAgent(ctx context.Context, name string) (AgentRevoked, error) {
	return do[AgentRevoked](ctx, c.t, http.MethodDelete, at("/api/agents/", name), nil)
}

// localDisplay matches an X11 display of this machine, or one forwarded by ssh.
var localDisplay = lazyre.New(`^(localhost)?:\d{1,5}(\.\d{1,3})?$`)

// OpenSession opens the local port and returns a URL for one browser login. It tells the daemon this program's
// display, on which it can show the overlay.
func (c DaemonService) OpenSession(ctx context.Context, launch bool) (SessionOpened, error) {
	r := wire.OpenRequest{Launch: launch}
	if display, _ := desktop.OnTop(os.Getenv); localDisplay.MatchString(display) {
		r.Display, r.XAuthority = display, os.Getenv("XAUTHORITY")
	}
	return post[SessionOpened](ctx, c.t, "/api/session/open", r)
}

// Exchange exchanges the URL's code for a bearer; over TCP only.
func (c DaemonService) Exchange(ctx context.Context, code string) (Exchanged, error) {
	return post[Exchanged](ctx, c.t, "/api/session/exchange", wire.ExchangeRequest{Code: code})
}

// Skew is the version relation between this program and the daemon.
type Skew int

const (
	Same        Skew = iota
	ClientNewer      // offer a restart of the daemon, never while it captures (decisions E9)
	ClientOlder      // refuse: this program could misread the daemon's answers
)

// Handshake compares versions. ClientOlder comes with an error; the caller decides what to do about ClientNewer.
func (c DaemonService) Handshake(ctx context.Context) (Skew, error) {
	theirs, err := c.Version(ctx)
	if err != nil {
		return Same, err
	}
	s := skew(version.Get(), theirs)
	if s == ClientOlder {
		return s, fault.New(fault.VersionMismatch, "the running daemon is newer than this program").
			WithHint("use the newer showhow, or stop the daemon with it and start this one")
	}
	return s, nil
}

// skew compares API numbers, then releases. Builds without a release ("dev") count as the same.
func skew(ours, theirs version.Info) Skew {
	if ours.API != theirs.API {
		return direction(ours.API - theirs.API)
	}
	a, okA := release(ours.Version)
	b, okB := release(theirs.Version)
	if !okA || !okB {
		return Same
	}
	for i := range a {
		if a[i] != b[i] {
			return direction(a[i] - b[i])
		}
	}
	return Same
}

func direction(n int) Skew {
	if n > 0 {
		return ClientNewer
	}
	return ClientOlder
}

var releaseForm = lazyre.New(`^v?(\d+)\.(\d+)\.(\d+)(?:-(\d+)-g[0-9a-f]+)?`)

// release parses a version in the format of git describe: v1.2.3 or v1.2.3-4-gabcdef, four commits later.
func release(v string) (out [4]int, ok bool) {
	m := releaseForm.FindStringSubmatch(v)
	if m == nil {
		return out, false
	}
	for i := range out {
		out[i], _ = strconv.Atoi(m[i+1])
	}
	return out, true
}

// Leaving lists what Showhow made outside its own folders.
func (c DaemonService) Leaving(ctx context.Context) (Leaving, error) {
	return get[Leaving](ctx, c.t, "/api/leaving", nil)
}

// Leave removes what Showhow made outside its own folders; a person confirms.
func (c DaemonService) Leave(ctx context.Context, r LeaveRequest) (Left, error) {
	return post[Left](ctx, c.t, "/api/leaving", r)
}
