package policy

import (
	"strings"
	"testing"

	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
)

const live = "ws://desk.example/live"

func message(text string) port.Outgoing {
	return port.Outgoing{Method: "POST", URL: live, Type: port.SocketMessage, Body: []byte(text)}
}

// A socket is opened where changes are allowed, and each message is judged by itself.
func TestWhatGoesThroughASocketIsJudged(t *testing.T) {
	opened := port.Outgoing{Method: "GET", URL: live, Type: "WebSocket"}
	if NewGuard(record.TestPolicy{Mode: ReadOnly}, []string{"desk.example"}).Judge(opened) == "" {
		t.Error("a socket was opened where nothing may change")
	}
	g := NewGuard(record.TestPolicy{Mode: ControlledLiveTest}, []string{"desk.example"})
	elsewhere := message(`{"type":"list"}`)
	elsewhere.URL = "ws://other.example/live"
	binary := message("\xff\xfe\x01")
	binary.Body = []byte{0xff, 0xfe, 1}
	for _, c := range []struct {
		what    port.Outgoing
		allowed bool
	}{{opened, true}, {message(`{"type":"list","data":"/"}`), true}, {message(`{"type":"CREATE","data":"a"}`), true},
		{message(`{"type":"DELETE","data":"a"}`), false}, {message(`{"type":"sendMail"}`), false}, {elsewhere, false}, {binary, false}} {
		if why := g.Judge(c.what); (why == "") != c.allowed {
			t.Errorf("%s %s: %q", c.what.Type, c.what.Body, why)
		}
	}
	no := false
	all := NewGuard(record.TestPolicy{Mode: ControlledLiveTest, ForbidDestructiveWrites: &no, ForbidExternalSend: &no},
		[]string{"desk.example"})
	for _, m := range []port.Outgoing{message(`{"type":"DELETE","data":"a"}`), binary} {
		if why := all.Judge(m); why != "" {
			t.Errorf("%s: %s", m.Body, why)
		}
	}
}

// A message that only asks, or one as pages send while they are only opened, is no deed of a step; a second look sends no other.
func TestWhichMessagesAreDeeds(t *testing.T) {
	g := NewGuard(record.TestPolicy{Mode: ControlledLiveTest}, []string{"desk.example"})
	g.BeginStep("s1", false)
	g.Judge(message(`{"type":"HELLO","nr":1,"token":"a8f3e1"}`))
	g.BeginWork()
	for step, m := range map[string]struct {
		text string
		deed bool
	}{"asks": {`{"type":"list","data":"/"}`, false}, "greets": {`{"type":"HELLO","nr":2,"token":"77b0c2"}`, false},
		"more": {`{"type":"HELLO","nr":2,"token":"77b0c2","set":1}`, true}, "says": {`{"type":"TAKE","nr":3}`, true}} {
		g.BeginStep(step, false)
		if why := g.Judge(message(m.text)); why != "" {
			t.Fatalf("%s: %s", m.text, why)
		}
		if g.OnlyRead(step) == m.deed {
			t.Errorf("%s: a deed %v", m.text, !m.deed)
		}
		aside := message(m.text)
		aside.Aside = true
		if why := g.Judge(aside); (why != "") != m.deed || m.deed && !strings.Contains(why, "second look") {
			t.Errorf("%s in a second look: %q", m.text, why)
		}
	}
	g.BeginStep("", false)
	late := message(`{"type":"STORE","nr":9}`)
	g.Judge(late) // a page that stores late does not teach that storing only shows
	late.Aside = true
	if g.Judge(late) == "" {
		t.Error("a second look stored something")
	}
}
