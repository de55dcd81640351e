package client

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"

	"showhow/daemon/wire"
	"showhow/internal/desktop"
	"showhow/internal/fault"
	"showhow/internal/version"
)

// Version is the daemon's build.
func (c *Client) Version(ctx context.Context) (Version, error) {
	return get[Version](ctx, c, "/api/version", nil)
}

// Status is the daemon at a glance.
func (c *Client) Status(ctx context.Context) (DaemonStatus, error) {
	return get[DaemonStatus](ctx, c, "/api/status", nil)
}

// Doctor says what works here and what does not.
func (c *Client) Doctor(ctx context.Context) (Doctor, error) {
	return get[Doctor](ctx, c, "/api/doctor", nil)
}

// Adapters lists every source of observation.
func (c *Client) Adapters(ctx context.Context) (Adapters, error) {
	return get[Adapters](ctx, c, "/api/observe/adapters", nil)
}

// Targets is what could be observed right now.
func (c *Client) Targets(ctx context.Context) (Targets, error) {
	return get[Targets](ctx, c, "/api/observe/targets", nil)
}

// Settings are the settings as they are saved.
func (c *Client) Settings(ctx context.Context) (Settings, error) {
	return get[Settings](ctx, c, "/api/settings", nil)
}

// ChangeSettings replaces the settings.
func (c *Client) ChangeSettings(ctx context.Context, r SettingsChange) (Settings, error) {
	return do[Settings](ctx, c, http.MethodPut, "/api/settings", r)
}

// OpenBrowser opens a page in Showhow's own browser.
func (c *Client) OpenBrowser(ctx context.Context, url string) (BrowserOpened, error) {
	return post[BrowserOpened](ctx, c, "/api/browser/open", wire.BrowserOpen{URL: url})
}

// AttachBrowser makes a running browser with a loopback debugging port the one that is watched; "" leaves it to itself.
func (c *Client) AttachBrowser(ctx context.Context, port string) (BrowserOpened, error) {
	return post[BrowserOpened](ctx, c, "/api/browser/open", wire.BrowserOpen{Attach: port, Detach: port == ""})
}

// CloseBrowser ends Showhow's own browser.
func (c *Client) CloseBrowser(ctx context.Context) error {
	_, err := post[BrowserOpened](ctx, c, "/api/browser/open", wire.BrowserOpen{Close: true})
	return err
}

// StopDaemon ends the daemon.
func (c *Client) StopDaemon(ctx context.Context, restart bool) error {
	_, err := post[Stopping](ctx, c, "/api/daemon/stop", wire.StopRequest{Restart: restart})
	return err
}

// Agents lists the agents that were given a token.
func (c *Client) Agents(ctx context.Context) (Agents, error) {
	return get[Agents](ctx, c, "/api/agents", nil)
}

// AddAgent mints a token, which is shown only this once; a person confirms.
func (c *Client) AddAgent(ctx context.Context, name string, calls ...Call) (AgentAdded, error) {
	return post[AgentAdded](ctx, c, "/api/agents", wire.AgentAdd{Name: name}, calls...)
}

// RevokeAgent refuses the agent's token from now on.
func (c *Client) RevokeAgent(ctx context.Context, name string) (AgentRevoked, error) {
	return do[AgentRevoked](ctx, c, http.MethodDelete, at("/api/agents/", name), nil)
}

// AskConfirmation has the daemon show a code on the caller's terminal.
func (c *Client) AskConfirmation(ctx context.Context, r ConfirmationRequest) (Confirmation, error) {
	return post[Confirmation](ctx, c, "/api/confirmations", r)
}

// Confirmations are what the tray can be asked; answering: this is a tray that a panel shows.
func (c *Client) Confirmations(ctx context.Context, answering bool) (PendingConfirmations, error) {
	q := url.Values{}
	if answering {
		q.Set("answering", "true")
	}
	return get[PendingConfirmations](ctx, c, "/api/confirmations", q)
}

// Confirmation says whether it was answered in the tray.
func (c *Client) Confirmation(ctx context.Context, id string) (ConfirmationState, error) {
	return get[ConfirmationState](ctx, c, at("/api/confirmations/", id), nil)
}

// AnswerConfirmation is a click in the tray, by the process that the bus names.
func (c *Client) AnswerConfirmation(ctx context.Context, id string, allow bool, clickedBy int) (ConfirmationState, error) {
	return post[ConfirmationState](ctx, c, at("/api/confirmations/", id, "/answer"), wire.ConfirmationAnswer{Allow: allow, ClickedBy: clickedBy})
}

// localDisplay is an X11 display of this machine, or one that ssh brings here.
var localDisplay = regexp.MustCompile(`^(localhost)?:\d{1,5}(\.\d{1,3})?$`)

// OpenSession opens the local port and returns a URL for one browser login. The daemon learns of this program's display, where
// it can show the overlay.
func (c *Client) OpenSession(ctx context.Context, launch bool) (SessionOpened, error) {
	r := wire.OpenRequest{Launch: launch}
	if display, _ := desktop.OnTop(os.Getenv); localDisplay.MatchString(display) {
		r.Display, r.XAuthority = display, os.Getenv("XAUTHORITY")
	}
	return post[SessionOpened](ctx, c, "/api/session/open", r)
}

// Exchange trades the URL's code for a bearer; over TCP only.
func (c *Client) Exchange(ctx context.Context, code string) (Exchanged, error) {
	return post[Exchanged](ctx, c, "/api/session/exchange", wire.ExchangeRequest{Code: code})
}

// Skew is how this program stands to the daemon that answers.
type Skew int

const (
	Same        Skew = iota
	ClientNewer      // offer a restart of the daemon, never while it captures (decisions E9)
	ClientOlder      // refuse: this program could misread the daemon's answers
)

// Handshake compares versions. ClientOlder comes with an error; the caller decides what to do about ClientNewer.
func (c *Client) Handshake(ctx context.Context) (Skew, error) {
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

var releaseForm = regexp.MustCompile(`^v?(\d+)\.(\d+)\.(\d+)(?:-(\d+)-g[0-9a-f]+)?`)

// release reads a version as git describe writes it: v1.2.3 or v1.2.3-4-gabcdef, four commits later.
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
func (c *Client) Leaving(ctx context.Context) (Leaving, error) {
	return get[Leaving](ctx, c, "/api/leaving", nil)
}

// Leave takes it back; a person confirms it.
func (c *Client) Leave(ctx context.Context, r LeaveRequest) (Left, error) {
	return post[Left](ctx, c, "/api/leaving", r)
}
