package link

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/m365"
	"showhow/internal/version"
)

// native is a server of this process: it lists the tools, so that a session with it is like any other. Calls do not pass
// through it, because what is seen of HTTP belongs to the call's own context.
func (l *Link) native() (mcp.Transport, func(), error) {
	s := mcp.NewServer(&mcp.Implementation{Name: "showhow-m365", Version: version.Get().Version}, nil)
	for _, t := range l.spec.Native.Tools() {
		s.AddTool(t, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errors.New("link: a native tool is not called over MCP")
		})
	}
	here, there := mcp.NewInMemoryTransports()
	ss, err := s.Connect(context.Background(), there, nil) // it outlives the call that opened it
	if err != nil {
		return nil, nil, err
	}
	return here, func() { _ = ss.Close() }, nil
}

// webs are the clients of a native service.
type webs = m365.Clients

// newClients makes clients that reach the registered address with credentials, and anything else without.
func (l *Link) newClients() (c webs, err error) {
	u, err := Address(l.spec.Entry.EndpointURL)
	if err != nil {
		return c, err
	}
	c.Graph = &http.Client{Transport: &guarded{next: Transport(u), header: l.spec.Headers, origin: u, renew: l.spec.Renew},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	c.Files = &http.Client{Transport: &elsewhere{local: Local(u)}, CheckRedirect: c.Graph.CheckRedirect}
	return c, nil
}

// elsewhere asks any address that Address takes; one of this computer only if local.
type elsewhere struct{ local bool }

func (e *elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	u, err := Address(r.URL.String())
	if err != nil {
		return nil, err
	}
	if Local(u) && !e.local {
		return nil, errForbidden
	}
	t := Transport(u)
	t.DisableKeepAlives, t.ResponseHeaderTimeout = true, 30*time.Second
	return t.RoundTrip(r)
}

// Prepare makes a call of a native service definite before a person is asked about it; calls of any other are as they are.
func (l *Link) Prepare(ctx context.Context, tool string, args json.RawMessage) (json.RawMessage, []string, error) {
	if l.spec.Native == nil {
		return args, nil, nil
	}
	clients, err := l.clients()
	if err != nil {
		return args, nil, err
	}
	return l.spec.Native.Prepare(ctx, clients, tool, args)
}

func (l *Link) callNative(ctx context.Context, c *Call) (*mcp.CallToolResult, error) {
	clients, err := l.clients()
	if err != nil {
		return nil, err
	}
	return l.spec.Native.Call(ctx, clients, m365.Owner{Key: c.Owner, Name: c.From}, c.Tool, c.Args)
}

func (l *Link) pingNative(ctx context.Context) error {
	clients, err := l.clients()
	if err != nil {
		return err
	}
	return l.spec.Native.Ping(ctx, clients.Graph)
}
