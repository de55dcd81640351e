package api

import (
	"net/http"
	"path"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/learn/state"
	"showhow/internal/fault"
)

// inRuns are the operations that a run's agent reaches from inside its sandbox: handing in documents and reading them.
// Everything else that an agent may do needs a connection whose process can be examined.
var inRuns = []string{
	"GET /api/version",
	"GET /api/documents", "POST /api/documents",
	"GET /api/documents/{ref}", "GET /api/documents/{ref}/content", "DELETE /api/documents/{ref}",
	"GET /api/adapters/acrobat/health",
	"POST /api/adapters/acrobat/extract-text", "POST /api/adapters/acrobat/extract-tables",
	"POST /api/adapters/acrobat/read-values", "POST /api/adapters/acrobat/ocr", "POST /api/adapters/acrobat/redaction-prep",
}

// ForRun answers the agent of a sandboxed run. The socket says who asks, so nothing that a request claims about its
// caller counts; what the agent hands in belongs to this run alone.
func (s *Server) ForRun(agent, run string) http.Handler {
	may := http.NewServeMux()
	for _, pattern := range inRuns {
		may.Handle(pattern, s.engine.Mux)
	}
	admit := func(_ *http.Request, c *caller.Caller) error {
		c.Principal = access.Principal{Kind: access.Agent, Why: "it comes from an agent's run in the sandbox"}
		c.Families, c.Run, c.Source = []string{agent}, run, state.SourceAPI // whatever the request's header says
		return nil
	}
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		s.answer(rw, r, admit, func(w *engine.StatusWriter, r *http.Request) {
			if _, pattern := may.Handler(r); pattern == "" || r.Method == http.MethodHead || path.Clean(r.URL.Path) != r.URL.Path {
				s.engine.WriteFault(w, r, fault.New(fault.RouteNotFound, "an agent's run cannot ask for this").
					WithHint("it can read PDF documents (showhow pdf text|value|tables|ocr FILE), and ask the person: showhow-ask; leave out "+
						"lines with `showhow checkpoint`: the person sees this run"))
				return
			}
			may.ServeHTTP(w, r)
		})
	})
}
