package browserdom

import (
	"encoding/binary"
	"encoding/json"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"showhow/adapters"
	"showhow/adapters/browserdom/control"
	"showhow/adapters/browserdom/script"
	"showhow/browser"
	"showhow/capture"
	"showhow/capture/scope"
	"showhow/capture/secret"
)

// guard decides what may be reported, and reports it: it knows what its control wants, which sites are Showhow's own,
// and whether observation has ended.
type guard struct {
	ctl   *control.Control
	sink  adapters.Sink
	own   func(site string) bool
	badge bool // pages show one
	late  time.Duration
	b     *browser.Browser
	ended bool
}

// admits reports whether a site is in the scope and not Showhow's own.
func (u *guard) admits(g control.Gate, site string) bool {
	if site == "" || u.own(site) {
		return false
	}
	ok, _ := scope.Allows(g.Scope, capture.Origin{App: u.b.Family(), Site: site})
	return ok
}

// refuse returns why something of a document must not be described; "" if it may.
func (u *guard) refuse(d *doc, occurred, now time.Time) capture.WithheldReason {
	g := u.ctl.Gate()
	switch {
	case u.ended, g.Missed(occurred):
		return capture.NotCapturing
	case g.Paused && (occurred.After(g.At) || now.Sub(g.At) > u.late):
		return capture.NotCapturing
	case u.own(d.site):
		return capture.OwnWindow
	case d.off || !u.admits(g, d.site):
		return capture.OffScope
	}
	return ""
}

// lateness is how long after a pause something that happened before it is still accepted.
const lateness = 90 * time.Millisecond

// heard is when something counts as heard of: now, or with its last key if that was typed before the pause. What is typed is told of
// when its visit ends, so that a pause that ends it is always earlier than the news of it, by as long as the page is busy.
func (u *guard) heard(m *script.Message, now time.Time) time.Time {
	g, last := u.ctl.Gate(), script.Moment(m.Until)
	if m.Until != 0 && g.Paused && !last.After(g.At) {
		return last
	}
	return now
}

func (u *guard) origin(site string) capture.Origin {
	return capture.Origin{App: u.b.Family(), Site: site, PID: u.b.PID()}
}

func (u *guard) withhold(why capture.WithheldReason, n int64) {
	if g := u.ctl.Gate(); g.Paused || u.ended {
		return
	}
	if why == capture.OffScope && u.ctl.Gate().Scope.Empty() {
		why = capture.NoScope
	}
	u.sink.Withhold(capture.BrowserDOM, why, n)
}

// emit emits an observation first heard of at that time, unless capture was paused or its site left the scope
// meanwhile. What was heard of before the pause is emitted however late it is: otherwise the last act before the
// pause would be lost on a busy machine.
func (u *guard) emit(o capture.Observation, heard time.Time) {
	g := u.ctl.Gate()
	if u.ended || g.Missed(o.OccurredAt) || g.Paused && (o.OccurredAt.After(g.At) || heard.After(g.At) && time.Since(g.At) > u.late) {
		return
	}
	if !u.admits(g, o.Origin.Site) {
		u.withhold(capture.OffScope, 1)
		return
	}
	o.Changed = o.Changed || changed(o.Before, o.After)
	u.sink.Emit(o)
}

// config is the configuration sent to pages.
func (u *guard) config(g control.Gate) string {
	c := script.Config{Epoch: g.Epoch, Paused: g.Paused, Badge: u.badge, Acts: g.Acts, States: g.States, Sites: [][2]string{}}
	if g.Salt != (capture.Salt{}) {
		for half := range slices.Chunk(g.Salt[:], 8) {
			c.Salt = append(c.Salt, strconv.FormatUint(binary.LittleEndian.Uint64(half), 16))
		}
	}
	for _, s := range g.Scope.Sites {
		host, port, err := net.SplitHostPort(s)
		if err != nil {
			host, port = s, ""
		} else if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		if u.admits(g, s) || strings.HasPrefix(s, "*.") {
			c.Sites = append(c.Sites, [2]string{host, port})
		}
	}
	b, _ := json.Marshal(c) // strings and numbers: cannot fail
	return string(b)
}

// blots passes on hashes of texts that must be unreadable wherever else they appear.
func (u *guard) blots(told []script.Blot) {
	sink, ok := u.sink.(adapters.Blotter)
	if !ok {
		return
	}
	known := make([]capture.Blot, 0, len(told))
	for _, b := range told {
		hash, err := strconv.ParseUint(b.Hash, 16, 64)
		if err != nil {
			continue
		}
		if !slices.Contains(secret.Kinds, b.Kind) { // it goes into texts
			b.Kind = secret.Secret
		}
		known = append(known, capture.Blot{Hash: hash, Size: b.Size, Kind: b.Kind})
	}
	sink.Blot(known)
}
