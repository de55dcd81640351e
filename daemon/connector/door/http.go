package door

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stateless is the first revision of the protocol whose requests each stand for themselves.
const stateless = "2026-07-28"

// Knows is an error where there is no such connector: what somebody asks for by chance gets no entrance, and none is kept.
func (d *Door) Knows(ctx context.Context, server string) error {
	_, err := d.o.Registry.Server(ctx, server)
	return err
}

// Handler serves MCP over HTTP to an agent, with and without sessions. server "" is everything it may use.
func (d *Door) Handler(agent, server string) http.Handler {
	e := d.at(room{agent: agent, server: server})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Session-Id") == "" && r.Header.Get("MCP-Protocol-Version") >= stateless {
			e.single.ServeHTTP(w, r)
			return
		}
		e.http.ServeHTTP(w, r)
	})
}

// sessionName tells an agent's conversations apart. Over HTTP without sessions there is one for all of an agent's requests.
func sessionName(req mcp.Request, agent string) string {
	s, _ := req.GetSession().(*mcp.ServerSession)
	if x := req.GetExtra(); s != nil && s.ID() == "" && x != nil && x.Header != nil {
		return agent + "/requests"
	}
	return sessionOf(s, agent)
}
