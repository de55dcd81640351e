package acceptance_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/daemon/wire"
)

// A logged-in browser tab continues when the daemon was killed and started again: at the same address, with its login,
// and with the event after the last one that it saw.
func TestATabOutlivesAKilledDaemon(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	process := w.startChild()
	base, code, _ := strings.Cut(got(w.c.OpenSession(t.Context(), false))(t).URL, "/#code=")
	browser := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	ask := func(method, path, body string, headers ...string) *http.Response {
		t.Helper()
		req := got(http.NewRequestWithContext(t.Context(), method, base+path, bytes.NewBufferString(body)))(t)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Origin", base)
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		res := got(browser.Do(req))(t)
		t.Cleanup(func() { res.Body.Close() })
		return res
	}
	var in wire.Exchanged
	must(t, json.NewDecoder(ask("POST", "/api/session/exchange", `{"code":"`+code+`"}`).Body).Decode(&in))
	auth := []string{"Authorization", "Bearer " + in.Bearer}

	id := got(w.c.CreateSession(t.Context(), client.CreateRequest{EntryMode: "demonstrating_skill", Goal: "Outlive"}))(
		t).Session.LearnSessionID
	first := eventID(t, ask("GET", "/api/events", "", auth...), "snapshot")
	must(t, process.Process.Kill())
	_ = process.Wait()

	w.startChild()
	w.until("the port", func() bool { // a page asks until it is answered, too
		c, err := net.Dial("tcp4", strings.TrimPrefix(base, "http://"))
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	if res := ask("GET", "/api/status", "", auth...); res.StatusCode != 200 {
		t.Fatalf("the tab is answered %s", res.Status)
	}
	got(w.c.CancelSession(t.Context(), id, "user"))(t)
	events := ask("GET", "/api/events", "", append(auth, "Last-Event-ID", first)...)
	if next := eventID(t, events, "learn.session.cancelled"); next == first || next == "" {
		t.Errorf("after event %s comes %q", first, next)
	}
	must(t, w.c.StopDaemon(t.Context(), false))
	w.until("the end", func() bool { _, err := w.c.Status(t.Context()); return err != nil })
}

// eventID reads a stream up to an event of this kind.
func eventID(t *testing.T, res *http.Response, kind string) (id string) {
	t.Helper()
	if res.StatusCode != 200 {
		t.Fatalf("the stream is answered %s", res.Status)
	}
	defer res.Body.Close()
	this := ""
	for in := bufio.NewScanner(res.Body); in.Scan(); {
		field, value, _ := strings.Cut(in.Text(), ": ")
		switch {
		case field == "event":
			this = value
		case field == "id":
			id = value
		case field == "" && this == kind:
			return id
		}
	}
	t.Fatalf("no %s came", kind)
	return ""
}
