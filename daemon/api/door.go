package api

import (
	"bufio"
	"net"
	"net/http"
	"strings"

	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/routes"
	"showhow/daemon/connector/door"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// doorPath is where agents connect by MCP, on the socket only. Below it is one connector by its id.
const doorPath = "/mcp"

func doorAt(path string) bool { return path == doorPath || strings.HasPrefix(path, doorPath+"/") }

// contractPath is where agents speak the wire contract by MCP, on the socket only: its tools stand by themselves.
const contractPath = "/contract"

// atContract serves the contract's tools. Every MCP client counts as an agent, as at the door.
func (s *Server) atContract(w *engine.StatusWriter, r *http.Request) {
	c := routes.ContractCaller(caller.Of(r.Context()))
	c.Person = false
	s.deps.Contract.Handler(c).ServeHTTP(w.ResponseWriter, r)
}

// atDoor serves MCP. Every MCP client counts as an agent, also from a person's own terminal (decisions H3).
func (s *Server) atDoor(w *engine.StatusWriter, r *http.Request) {
	guest := guestAt(caller.Of(r.Context()))
	guest.Project = r.Header.Get(wire.ProjectHeader) // the agent's own word: it narrows what an approval covers, and proves nothing
	server := strings.Trim(strings.TrimPrefix(r.URL.Path, doorPath), "/")
	if strings.Contains(server, "/") {
		s.engine.WriteFault(w, r, fault.New(fault.RouteNotFound, "there is no such route"))
		return
	}
	if strings.EqualFold(r.Header.Get("Upgrade"), wire.UpgradeMCP) && server == "" {
		s.talk(w, r, guest)
		return
	}
	if server != "" {
		if err := s.deps.Door.Knows(r.Context(), server); err != nil {
			s.engine.WriteFault(w, r, err)
			return
		}
	}
	s.deps.Door.Handler(guest, server).ServeHTTP(w.ResponseWriter, r) // it flushes and streams itself
}

// guestAt is the caller as the door knows it. A person's own terminal is an agent without a name that an approval could
// list.
func guestAt(c *caller.Caller) door.Guest {
	g := door.Guest{Agent: c.Agent(), Names: c.Agents(), Reporter: c.Reporter(), Owner: c.Owner()}
	if g.Names == nil {
		g.Names = []string{}
	}
	return g
}

// talk turns the connection into a pair of streams, like a program's stdin and stdout.
func (s *Server) talk(w *engine.StatusWriter, r *http.Request, guest door.Guest) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		s.engine.WriteFault(w, r, fault.Wrap(err, fault.Internal, "the connection cannot be taken over"))
		return
	}
	defer conn.Close()
	s.engine.Streams.Add(1)
	defer s.engine.Streams.Add(-1)
	_, err = buffered.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + wire.UpgradeMCP + "\r\n\r\n")
	if err != nil || buffered.Flush() != nil {
		return
	}
	ctx, done := engine.UntilStopped(r.Context())
	defer done()
	if err := s.deps.Door.ServeStream(ctx, guest, unread{conn, buffered.Reader}, conn); err != nil {
		s.log.Warn("an agent's conversation could not be begun", "code", string(fault.CodeOf(err)))
	}
}

// unread reads first what was buffered before the connection was taken over.
type unread struct {
	net.Conn
	r *bufio.Reader
}

func (u unread) Read(p []byte) (int, error) { return u.r.Read(p) }
