package player

import "github.com/chromedp/cdproto/network"

// answers tells how requests were answered that may have changed something.
type answers struct {
	tell func(Request, int) // may be nil
	open map[network.RequestID]Request
}

const maxOpen = 1000

// asked records a request that is sent.
func (a *answers) asked(id network.RequestID, r Request) {
	if a.tell == nil || id == "" || r.Aside || reads(r.Method) {
		return
	}
	if a.open == nil || len(a.open) > maxOpen {
		a.open = map[network.RequestID]Request{}
	}
	a.open[id] = r
}

// came tells the HTTP status of an answer, 0 when there will be none.
func (a *answers) came(id network.RequestID, status int) {
	if r, ok := a.open[id]; ok {
		delete(a.open, id)
		a.tell(r, status)
	}
}

// left forgets a request that nobody waits for any more.
func (a *answers) left(id network.RequestID) { delete(a.open, id) }

// reads reports whether requests of a method are safe: they change nothing by definition.
func reads(method string) bool { return method == "GET" || method == "HEAD" || method == "OPTIONS" }
