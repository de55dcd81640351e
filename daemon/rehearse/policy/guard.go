package policy

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"showhow/daemon/danger"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/internal/lazyre"
)

// Guard enforces a test policy on everything that would leave the machine or change something. It does not trust the
// graph: a request is judged by itself, whatever step it comes from.
type Guard struct {
	policy record.TestPolicy
	rule   rule     // of the browser
	hosts  []string // that may be reached
	Safe   []string // hosts on which writing is safe
	Mail   string   // the safe recipient, "" without one

	mu      sync.Mutex
	asked   int      // requests so far
	wording []string // of the control in use, and of the boxes ticked for it
	step    string   // that is being done, "" while nothing is
	link    bool     // it follows a link that changes something, and the request has not left yet
	blocked []blocked
	count   int // of all blocked requests
	written []written
	last    string          // step that wrote last
	refused map[string]bool // of these, those that the site refused and that were not sent again
	deeds   map[string]bool // steps during which something was written
	looking bool            // a second look continues with clicks: it writes nothing
	worked  bool            // a step has done more than open a page
	loading map[string]bool // shapes of messages that pages sent through sockets before that, to be shown at all
}

// blocked is a blocked request with how many were blocked before it.
type blocked struct {
	port.Blocked
	before int
}

// maxBlocked bounds the record of blocked requests, because a page may retry forever.
const maxBlocked = 200

// keep records a blocked request. When the record is full, one that says nothing of a deed makes room, else the oldest.
func (g *Guard) keep(b port.Blocked) {
	if len(g.blocked) == maxBlocked {
		i := max(0, slices.IndexFunc(g.blocked, func(b blocked) bool { return !b.Main && !b.Navigation && !b.Script }))
		g.blocked = slices.Delete(g.blocked, i, i+1)
	}
	g.blocked = append(g.blocked, blocked{b, g.count})
	g.count++
}

// NewGuard makes the guard of one run that may reach these hosts.
func NewGuard(p record.TestPolicy, hosts []string) *Guard {
	g := &Guard{policy: p, rule: Rules[p.Mode][OnBrowser], hosts: hosts}
	for _, t := range p.SafeTargets {
		switch t.TargetKind {
		case "managed_browser_profile", "test_sharepoint_site":
			if h := hostIn(t.Ref); h != "" {
				g.Safe = append(g.Safe, h)
			}
		case "safe_email_recipient":
			g.Mail = strings.TrimSpace(t.Ref)
		}
	}
	return g
}

// hostIn is the host in a safe target's ref: an address or a bare host.
func hostIn(ref string) string {
	if u, err := url.Parse(ref); err == nil && u.Host != "" {
		return u.Host
	}
	if strings.ContainsAny(ref, ".:") && !strings.ContainsAny(ref, "/ @") {
		return ref
	}
	return ""
}

// UseControl sets the control in use: its wording, and that of the boxes ticked in its form, say what the requests
// that it causes are for.
func (g *Guard) UseControl(wording ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wording = wording
}

// written is a step during which a request with a changing method left.
type written struct{ Step, Method string }

// BeginStep sets the step to which requests are attributed, "" for none. deedByLink means that the step follows a link
// and that the demonstration showed a change caused by it.
func (g *Guard) BeginStep(step string, deedByLink bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.step, g.link = step, deedByLink
}

// follows reports whether a request is the navigation of such a link.
func (g *Guard) follows(r port.Outgoing) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.link && r.Navigation && !r.Aside
}

// Changes reports whether a request is meant to change something, by its method and its names.
func Changes(r port.Outgoing) bool {
	return !safeMethod(r.Method) && byWork(r) && saysOf(r, "").Class != danger.Reads
}

// saysOf judges what a request or a message says, with the wording of the control that caused it.
func saysOf(r port.Outgoing, wording string) danger.Finding {
	if r.Type == port.SocketMessage {
		return danger.Message(r.Body, wording)
	}
	return danger.Request(strings.ToUpper(r.Method), r.URL, r.Body, wording)
}

// byWork reports whether a request may be part of the work: pings only report how a page is used.
func byWork(r port.Outgoing) bool {
	return r.Type == "XHR" || r.Type == "Fetch" || r.Type == "Document" || r.Type == port.SocketMessage
}

// Writes returns the writes since ForgetWrites.
func (g *Guard) Writes() []written {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.written)
}

// WroteSince reports whether another step wrote something after this one.
func (g *Guard) WroteSince(step string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.last != "" && g.last != step
}

// ForgetWrites forgets the writes, because their effect was looked up.
func (g *Guard) ForgetWrites() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.written, g.refused = nil, nil
}

// Answered records how a site answered a request that may have changed something: with an HTTP status, or not at all, which is 0.
func (g *Guard) Answered(r port.Outgoing, status int) {
	if !byWork(r) {
		return
	}
	at, _, _ := strings.Cut(r.Method+" "+r.URL, "?")
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.refused, at)
	if status != 0 && status < 400 || len(g.refused) > maxBlocked {
		return
	}
	if g.refused == nil {
		g.refused = map[string]bool{}
	}
	g.refused[at] = true
}

// Refused reports whether a site refused something that was written since ForgetWrites, or did not answer.
func (g *Guard) Refused() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.refused) > 0
}

// leaves records a request that is let through.
func (g *Guard) leaves(r port.Outgoing) {
	if safeMethod(r.Method) && !g.follows(r) || !byWork(r) || r.Type == port.SocketMessage && g.onlyShows(r) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.link = g.link && !r.Navigation // redirects of it only display
	w := written{g.step, strings.ToUpper(r.Method)}
	if g.step == "" {
		return
	}
	if g.deeds == nil {
		g.deeds = map[string]bool{}
	}
	g.deeds[g.step], g.last = true, g.step
	if !slices.Contains(g.written, w) {
		g.written = append(g.written, w)
	}
}

// OnlyRead reports whether a step wrote nothing, as far as requests and messages tell.
func (g *Guard) OnlyRead(step string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.deeds[step]
}

// SetReviewing begins or ends a second look, during which no writing request of it may leave.
func (g *Guard) SetReviewing(closer bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.looking = closer
}

// looks says why a request must not leave during a second look, whatever the policy allows.
func (g *Guard) looks(r port.Outgoing) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.looking || !r.Aside {
		return ""
	}
	if f := danger.Request(strings.ToUpper(r.Method), r.URL, nil, ""); !safeMethod(r.Method) || f.Has(danger.Destroys) || f.Has(danger.Sends) {
		return "a second look changes nothing"
	}
	return ""
}

// BlockedSince returns the blocked requests after the first n, as far as they are kept.
func (g *Guard) BlockedSince(n int) (since []port.Blocked) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, b := range g.blocked {
		if b.before >= n {
			since = append(since, b.Blocked)
		}
	}
	return since
}

// Asked is how many requests were judged so far.
func (g *Guard) Asked() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.asked
}

// BlockedCount is how many requests were blocked so far, as BlockedSince counts.
func (g *Guard) BlockedCount() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.count
}

// Judge judges the requests of the run's browser.
func (g *Guard) Judge(r port.Outgoing) string {
	g.mu.Lock()
	g.asked++
	g.mu.Unlock()
	why := g.judge(r)
	if why == "" {
		g.leaves(r)
		return ""
	}
	host := ""
	if u, err := url.Parse(r.URL); err == nil {
		host = u.Host
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.keep(port.Blocked{Method: r.Method, Host: host, Navigation: r.Navigation, Main: r.Main, Frame: r.Frame,
		Script: !r.Navigation && !r.Aside && byWork(r) && !safeMethod(r.Method), Why: why})
	return why
}

func (g *Guard) judge(r port.Outgoing) string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return "its address cannot be read"
	}
	switch strings.ToLower(u.Scheme) {
	case "data", "blob", "about", "chrome-error", "devtools":
		return "" // nothing leaves
	case "http", "https", "ws", "wss":
	default:
		return "its scheme is not one of the web's"
	}
	if !Allows(g.hosts, u.Host) {
		return "its site is outside the sites that the policy allows"
	}
	switch {
	case r.Type == port.SocketMessage:
		return g.message(r, u)
	case strings.HasPrefix(strings.ToLower(u.Scheme), "ws") || r.Type == "WebSocket":
		return g.socket(u)
	case r.Type == "WebTransport":
		return "what goes through it cannot be judged"
	}
	if why := g.looks(r); why != "" {
		return why
	}
	if safeMethod(r.Method) && !g.follows(r) {
		return g.reading(r, u)
	}
	return g.writing(r, u)
}

func safeMethod(m string) bool {
	switch strings.ToUpper(m) {
	case "", "GET", "HEAD", "OPTIONS":
		return true
	}
	return false
}

// passive reports whether a request loads content for display; such a GET is not meant to change anything.
func passive(r port.Outgoing, u *url.URL) bool {
	switch r.Type {
	case "Stylesheet", "Font", "Script", "Manifest", "Media", "TextTrack":
		return true
	case "Image":
		switch strings.ToLower(path.Ext(u.Path)) {
		case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".avif", ".bmp":
			return u.RawQuery == ""
		}
	}
	return false
}

// reading judges a request with a safe method: a server may still act on it.
func (g *Guard) reading(r port.Outgoing, u *url.URL) string {
	if passive(r, u) {
		return ""
	}
	f := danger.Request(strings.ToUpper(r.Method), r.URL, nil, "")
	return g.judged(f, r)
}

// writing judges a request with a changing method.
func (g *Guard) writing(r port.Outgoing, u *url.URL) string {
	if !g.rule.writes {
		if safeMethod(r.Method) {
			return fmt.Sprintf("following this link changes something, as the demonstration showed, and the mode is %s", g.policy.Mode)
		}
		return fmt.Sprintf("the method %s may change something, and the mode is %s", strings.ToUpper(r.Method), g.policy.Mode)
	}
	if g.policy.Mode == SafeTargetOnly && !Allows(g.Safe, u.Host) {
		return "its site is not one of the safe targets"
	}
	g.mu.Lock()
	wording := g.wording
	g.mu.Unlock()
	if len(wording) == 0 {
		wording = []string{""}
	}
	for _, w := range wording {
		if why := g.judged(danger.Request(strings.ToUpper(r.Method), r.URL, r.Body, w), r); why != "" {
			return why
		}
	}
	return ""
}

func (g *Guard) judged(f danger.Finding, r port.Outgoing) string {
	switch {
	case f.Has(danger.Destroys) && g.forbids(danger.Destroys):
		return "it destroys something (" + f.Why + "), and the policy forbids that" + allowedBy(danger.Destroys)
	case f.Has(danger.Sends) && g.policy.Mode == RedirectSend:
		return g.redirected(r)
	case f.Has(danger.Sends) && g.forbids(danger.Sends):
		return "it reaches other people (" + f.Why + "), and the policy forbids sending" + allowedBy(danger.Sends)
	}
	return ""
}

// forbids reports whether the policy forbids a class of action. Only the two modes made for it may allow any.
func (g *Guard) forbids(c danger.Class) bool { return forbidsClass(g.policy, c) }

func forbidsClass(p record.TestPolicy, c danger.Class) bool {
	switch p.Mode {
	case SafeTargetOnly, RedirectSend, ControlledLiveTest, CopyArtifact, BlankArtifact:
	default:
		return true
	}
	switch c {
	case danger.Destroys:
		return p.DestructiveForbidden()
	case danger.Sends:
		return p.Mode != RedirectSend && p.SendForbidden()
	}
	return true // installing and acting with more rights are never part of a rehearsal
}

var Address = lazyre.New(`[\pL\pN._+-]+@[\pL\pN-]+(?:\.[\pL\pN-]+)+`)

// redirected allows a request only when the safe recipient and nobody else is in it.
func (g *Guard) redirected(r port.Outgoing) string {
	if r.Cut {
		return "it sends something whose recipient cannot be read"
	}
	text := string(r.Body)
	if open, err := url.QueryUnescape(r.URL + "\n" + strings.ReplaceAll(text, "%0A", "\n")); err == nil {
		text += "\n" + open
	} else {
		text += "\n" + r.URL
	}
	// An address that is escaped in JSON (\u0040) or in an unknown encoding cannot be checked.
	text = strings.ReplaceAll(text, `\u0040`, "@")
	found := false
	for _, a := range Address.FindAllString(text, -1) {
		switch {
		case strings.EqualFold(a, g.Mail):
			found = true
		default:
			return "it sends something to a recipient other than the safe one"
		}
	}
	if !found {
		return "it sends something, and the safe recipient is not in it"
	}
	return ""
}
