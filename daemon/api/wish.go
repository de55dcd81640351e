package api

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
)

// A wish is what a request wanted that was sent back for a person's word: in words for that person, and the request itself as
// a keyed hash. A click in the tray is for exactly that request (tray.go); a typed code is for action, subject, revision and
// content, which whoever types it has before them.
type wish struct {
	says    []string
	request [sha256.Size]byte
	at      time.Time
}

// wishLife is how long after the refusal a confirmation may be asked for with its words; wishesKept bounds them.
const (
	wishLife   = 10 * time.Minute
	wishesKept = 64
)

// What a menu shows whole: a line of sayWidth or a little more, linesShown of them. A wish with more is not answered there.
const (
	sayWidth   = 70
	linesShown = 16
	lineShown  = 300
)

// shown reports whether a menu can show all of it.
func (w wish) shown() bool {
	return len(w.says) > 0 && len(w.says) <= linesShown && !slices.ContainsFunc(w.says, func(s string) bool {
		return len([]rune(s)) > lineShown
	})
}

// wants notes what was refused. The last request with the same claim stands: its words are shown, and it alone may be done.
func (c *confirmations) wants(cl claim, w wish) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.at = c.now()
	if len(c.wishes) >= wishesKept {
		clear(c.wishes)
	}
	c.wishes[cl] = w
}

// wish is what was wanted by the last request with this claim.
func (c *confirmations) wish(cl claim) (w wish, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w, ok = c.wishes[cl]
	return w, ok && c.now().Sub(w.at) < wishLife
}

// digest tells one request from another, whatever id it has.
func (c *confirmations) digest(operation string, params, body any) (out [sha256.Size]byte) {
	b, err := json.Marshal(body)
	var fields map[string]any
	if err == nil && json.Unmarshal(b, &fields) == nil {
		delete(fields, "client_request_id")
		b, _ = json.Marshal(fields)
	}
	p, _ := json.Marshal(params)
	m := hmac.New(sha256.New, c.key[:])
	fmt.Fprintf(m, "%s\x00%d\x00%s\x00%s", operation, len(p), p, b)
	copy(out[:], m.Sum(nil))
	return out
}

// say is the subject with one more line for a person. What somebody else named is made one line of plain signs.
func (x Subject) say(format string, args ...any) Subject {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = oneLine(s)
		}
	}
	x.Says = append(x.Says, fmt.Sprintf(format, args...))
	return x
}

// sayList says all that a list holds, on as many lines as it takes, and nothing of an empty one.
func (x Subject) sayList(what string, list []string) Subject {
	line := ""
	for i, s := range list {
		if s = oneLine(s); line == "" {
			line = s
		} else {
			line += ", " + s
		}
		if i == len(list)-1 || len(line) > sayWidth {
			x.Says, line = append(x.Says, what+": "+line), ""
		}
	}
	return x
}

// sayContent names the content by the number that the pages show too. It is what was read, without what is ticked beside it.
func (x Subject) sayContent() Subject {
	if h := strings.TrimPrefix(x.ContentHash, "sha256:"); len(h) >= contentShown {
		return x.say("Fingerprint %s", h[:contentShown])
	}
	return x
}

// contentShown is how much of a hash a person compares.
const contentShown = 8

// sayRun says what a run that needs a person's word is given: how far it may go, where, and with which values.
func (x Subject) sayRun(b *rehearse.ValidateRequest) Subject {
	x = x.sayPolicy(b.TestPolicy, b.Profile)
	if b.StartURL != "" {
		x = x.say("It begins at %s", b.StartURL)
	}
	for _, name := range slices.Sorted(maps.Keys(b.StartURLs)) {
		x = x.say("It begins at %s", b.StartURLs[name])
	}
	x = x.sayList("It may reach", b.AllowHosts)
	for _, name := range slices.Sorted(maps.Keys(b.Parameters)) {
		x = x.say("%s: %s", strings.ReplaceAll(name, "_", " "), b.Parameters[name])
	}
	return x
}

func (x Subject) sayPermissions(p *ability.Permissions) Subject {
	if p == nil {
		return x.say("It may use what it asks for")
	}
	if len(p.Tools)+len(p.Domains)+len(p.Credentials) == 0 {
		return x.say("It may use nothing but what every skill may")
	}
	return x.sayList("It may use", p.Tools).sayList("It may reach", p.Domains).sayList("It may have the credentials", p.Credentials)
}

// howFar names a policy as the pages do.
var howFar = map[rehearse.PolicyMode]string{rehearse.ReadOnly: "only look", rehearse.CopyArtifact: "work on copies",
	rehearse.LiveReadSafeWrite: "do it, but send and delete nothing", rehearse.ControlledLiveTest: "really do it"}

func (x Subject) sayPolicy(p *rehearse.TestPolicy, profile string) Subject {
	if p != nil {
		x = x.say("How far the test may go: %s", cmp.Or(howFar[p.Mode], strings.ReplaceAll(string(p.Mode), "_", " ")))
		if !p.DestructiveForbidden() {
			x = x.say("It may change and delete")
		}
		if !p.SendForbidden() {
			x = x.say("It may send to others")
		}
		x = x.sayList("It may reach", p.AllowedDomains)
	}
	if profile == rehearse.ProfileManaged {
		x = x.say("It works in the browser where you are signed in")
	}
	return x
}

// sayGrants says what a new session is given in advance.
func (x Subject) sayGrants(b *wire.CreateLearnSessionRequest) Subject {
	if b.Goal != "" {
		x = x.say("To be shown: “%s”", b.Goal)
	}
	if b.ValuePolicy == string(capture.Literal) {
		x = x.say("What you type is kept readable (never what is secret)")
	}
	x = x.sayList("What you type is kept readable in", b.LiteralApps)
	if b.AllowPrivateInstall || b.BuildPolicy == state.PrivateAutoInstall {
		x = x.say("The skill installs itself when every test passed")
	}
	return x
}

func (x Subject) sayScope(b *wire.ScopeRequest) Subject {
	s := b.Scope
	x = x.sayList("Sites", s.Sites).sayList("Programs", s.Apps).sayList("Shells", s.Shells).sayList("Folders", s.Folders).sayList("Devices",
		s.Devices)
	if b.ValuePolicy == string(capture.Literal) {
		x = x.say("What you type is kept readable (never what is secret)")
	}
	return x.sayList("What you type is kept readable in", b.LiteralApps)
}

// oneLine is s on one line of printable characters.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
}
