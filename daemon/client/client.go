// Package client is the typed Go client of the daemon's API: one method per route, on the service of its resource,
// over the Unix socket or, with a token, over the loopback port. CLI, window and tray reach the daemon only through
// it.
//
// Every failure is a *fault.Error: the daemon's own, or DAEMON_UNREACHABLE when it does not answer. A mutation carries
// a client_request_id, so it is safely repeated once when the connection breaks before the answer. When the daemon
// requires a person's confirmation, the Confirm hook asks for the code that the daemon has shown on the terminal.
//
// Not guaranteed: a Client is safe for concurrent use, but what Recording stores is the last body, whichever call that
// was. Test against it with a daemon/api server on a socket in your own folder; see client_test.go.
package client

import (
	"context"
	"net"
	"net/http"
	"strings"

	"showhow/daemon/wire"
)

// Client talks to one daemon. It has one service for each resource of the API, whose methods are the Client's own; a
// caller that needs one resource only takes its service.
type Client struct {
	*transport
	AbilityService
	AgentRunService
	CategoryService
	ConfirmationService
	CredentialService
	ConnectorService
	CapabilityService
	NoteService
	DocumentService
	PDFService
	ProjectService
	RemoteService
	DaemonService
	DataService
	ImportService
	MiningService
	PracticeService
	ProposalService
	ReceiptService
	RegistryService
	ContractService
	EventService
	SessionService
	StreamService
}

// clientOf returns a Client whose services all send through t.
func clientOf(t *transport) *Client {
	return &Client{transport: t,
		AbilityService:      AbilityService{t},
		AgentRunService:     AgentRunService{t},
		CategoryService:     CategoryService{t},
		ConfirmationService: ConfirmationService{t},
		CredentialService:   CredentialService{t},
		ConnectorService:    ConnectorService{t},
		CapabilityService:   CapabilityService{t},
		NoteService:         NoteService{t},
		DocumentService:     DocumentService{t},
		PDFService:          PDFService{t},
		ProjectService:      ProjectService{t},
		RemoteService:       RemoteService{t},
		DaemonService:       DaemonService{t},
		DataService:         DataService{t},
		ImportService:       ImportService{t},
		MiningService:       MiningService{t},
		PracticeService:     PracticeService{t},
		ProposalService:     ProposalService{t},
		ReceiptService:      ReceiptService{t},
		RegistryService:     RegistryService{t},
		ContractService:     ContractService{t},
		EventService:        EventService{t},
		SessionService:      SessionService{t},
		StreamService:       StreamService{t},
	}
}

// Option changes a client.
type Option func(*transport)

// WithConfirm sets the hook that gets a person's confirmation.
func WithConfirm(f Confirm) Option { return func(t *transport) { t.confirm = f } }

// WithToken sends an agent's token, or a browser login's bearer over TCP.
func WithToken(token string) Option {
	return func(t *transport) { t.headers.Set("Authorization", "Bearer "+token) }
}

// WithDemoGrant confirms in the person's place on the data directory that the caller's own demo made.
func WithDemoGrant(secret string) Option {
	return func(t *transport) { t.headers.Set(wire.HeaderPresence, "demo "+secret) }
}

// WithSource says how the person asked: user_click, hotkey or api_call.
func WithSource(source string) Option {
	return func(t *transport) { t.headers.Set(wire.HeaderSource, source) }
}

// Unix makes a client of the daemon behind a socket.
func Unix(socket string, opts ...Option) *Client {
	t := &http.Transport{
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return dialOwn(ctx, socket) },
		DisableKeepAlives: true, // the daemon examines the caller once per connection; and it may be restarted any time
	}
	return newClient("http://showhow", t, opts)
}

// TCP makes a client of the loopback port at base (http://127.0.0.1:PORT); it needs WithToken.
func TCP(base string, opts ...Option) *Client {
	return newClient(strings.TrimSuffix(base, "/"), &http.Transport{Proxy: nil, DisableKeepAlives: true}, opts)
}

func newClient(base string, t http.RoundTripper, opts []Option) *Client {
	c := clientOf(&transport{http: &http.Client{Transport: t}, base: base, headers: http.Header{}})
	return c.With(opts...)
}

// With returns a copy of c with other options.
func (c *Client) With(opts ...Option) *Client {
	t := *c.transport
	t.headers = t.headers.Clone()
	for _, o := range opts {
		o(&t)
	}
	return clientOf(&t)
}

// Recording returns a copy of c that stores the body of every success, byte for byte, in *to.
func (c *Client) Recording(to *[]byte) *Client {
	t := *c.transport
	t.record = to
	return clientOf(&t)
}
