package door

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// SelfContained is the first revision of the protocol with self-contained requests: the server sends none of its own.
const SelfContained = "2026-07-28"

// Knows returns an error if there is no such connector: a request for an arbitrary name must not create an entrance
// that stays.
func (d *Door) Knows(ctx context.Context, server string) error {
	_, err := d.o.Registry.Server(ctx, server)
	return err
}

// Handler serves MCP over HTTP to an agent, with and without sessions. server "" is everything that it may use.
func (d *Door) Handler(g Guest, server string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k := roomOf(r.Context(), d.o, g, server)
		if r.Context().Err() != nil { // shut out meanwhile: no room is opened again
			return
		}
		e := d.at(k)
		if r.Header.Get("Mcp-Session-Id") == "" && r.Header.Get("MCP-Protocol-Version") >= SelfContained {
			e.single.ServeHTTP(w, r)
			return
		}
		e.http.ServeHTTP(w, r)
	})
}

// sessionName identifies an agent's conversation. HTTP without sessions has one for all of an agent's requests.
func sessionName(req mcp.Request, agent string) string {
	s, _ := req.GetSession().(*mcp.ServerSession)
	if x := req.GetExtra(); s != nil && s.ID() == "" && x != nil && x.Header != nil {
		return agent + "/requests"
	}
	return sessionOf(s, agent)
}
