package door

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/mcp/message"
)

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
		talk := message.Conversation{Params: e.params}
		id := r.Header.Get("Mcp-Session-Id")
		if id == "" && r.Header.Get("MCP-Protocol-Version") >= message.SelfContained {
			talk.Began = true
			talk.Pass(w, r, e.single)
			return
		}
		if id != "" {
			s := e.session(id)
			if s == nil {
				e.http.ServeHTTP(w, r) // it answers 404, at which clients begin anew
				return
			}
			talk.Began, talk.Batches = true, batches(s)
		}
		talk.Pass(w, r, e.http)
	})
}

// batches reports whether the revision of the protocol that was agreed on has several messages at once.
func batches(s *mcp.ServerSession) bool {
	return s != nil && s.InitializeParams() != nil && s.InitializeParams().ProtocolVersion <= message.LastBatched
}

// sessionName identifies an agent's conversation. HTTP without sessions has one for all of an agent's requests.
func sessionName(req mcp.Request, agent string) string {
	s, _ := req.GetSession().(*mcp.ServerSession)
	if x := req.GetExtra(); s != nil && s.ID() == "" && x != nil && x.Header != nil {
		return agent + "/requests"
	}
	return sessionOf(s, agent)
}
