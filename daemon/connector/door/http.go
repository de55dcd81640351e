package door

import (
	"net"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stateless is the first revision of the protocol whose requests each stand for themselves.
const stateless = "2026-07-28"

// Handler serves MCP over HTTP to an agent, with and without sessions. server "" is everything it may use.
func (d *Door) Handler(agent, server string) http.Handler {
	e := d.at(room{agent: agent, server: server})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !fromHere(r):
			http.Error(w, "the door is for programs of this computer, and not for pages", http.StatusForbidden)
		case r.Header.Get("Mcp-Session-Id") == "" && r.Header.Get("MCP-Protocol-Version") >= stateless:
			e.single.ServeHTTP(w, r)
		default:
			e.http.ServeHTTP(w, r)
		}
	})
}

// fromHere reports whether a request can come from a program of this computer: a page of another site names itself, or a host that only
// resolves to here.
func fromHere(r *http.Request) bool {
	if o := r.Header.Get("Origin"); o != "" {
		u, err := url.Parse(o)
		if err != nil || !loopback(u.Host) {
			return false
		}
	}
	return r.Host == "" || loopback(r.Host)
}

// socketHost is what our own client calls the daemon's socket.
const socketHost = "showhow"

func loopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if host == socketHost || host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	if ip == nil && len(host) > 2 && host[0] == '[' {
		ip = net.ParseIP(host[1 : len(host)-1])
	}
	return ip != nil && ip.IsLoopback()
}

// sessionName tells an agent's conversations apart. Over HTTP without sessions there is one for all of an agent's requests.
func sessionName(req mcp.Request, agent string) string {
	s, _ := req.GetSession().(*mcp.ServerSession)
	if x := req.GetExtra(); s != nil && s.ID() == "" && x != nil && x.Header != nil {
		return agent + "/requests"
	}
	return sessionOf(s, agent)
}
