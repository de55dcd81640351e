package m365_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"showhow/daemon/m365"
	"showhow/daemon/m365/m365test"
	"showhow/internal/fault"
)

var writes = map[string]m{
	m365.PostMessage: {"target_kind": "chat", "target_ref": "c", "message_markdown": "x"},
	m365.DraftReply:  {"message_id": "m1", "body_markdown": "x"},
	m365.UpdateEvent: {"event_id": "event-1", "title": "x"},
	m365.CreateEvent: {"title": "x", "start_time": "2026-05-04T11:00:00Z", "end_time": "2026-05-04T12:00:00Z"},
}

// A write that may have been done is not sent again, unless Graph recognizes it, and is not reported as not done.
func TestAWriteIsNotRepeatedUnlessThatIsCertain(t *testing.T) {
	for family, args := range writes {
		d := open(t)
		most := 1
		if family == m365.CreateEvent { // with its transactionId
			most = 3
		}
		busy := m365test.Answer{Status: 503, Header: map[string]string{"Retry-After": "1"}, Body: oops("serviceNotAvailable")}
		d.Next(most, busy)
		r, err := d.do(family, args)
		asked := d.Asked()
		if len(asked) != most || fault.From(err).Details["reason"] != "outcome_unknown" || r.Status != "failed" {
			t.Errorf("%s: %d requests, %+v, %v", family, len(asked), r, err)
		}
		for _, a := range asked[1:] {
			if a.Body["transactionId"] == nil || a.Body["transactionId"] != asked[0].Body["transactionId"] {
				t.Errorf("%s: another event: %v", family, a.Body)
			}
		}
	}
	d := open(t) // what changes nothing is asked again, whatever its method
	d.Next(2, m365test.Answer{Status: 503, Header: map[string]string{"Retry-After": "1"}, Body: oops("serviceNotAvailable")})
	d.ok(m365.Availability, m{"time_min": "2026-05-04T08:00:00Z", "time_max": "2026-05-04T09:00:00Z",
		"attendee_emails": []string{"a@example.com"}})
	same(t, "asked", len(d.Asked()), 3)
}

// odd serves every request by h.
func odd(t *testing.T, h http.HandlerFunc) *desk {
	t.Helper()
	d := open(t)
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	d.entry.EndpointURL = s.URL + "/v1.0"
	return d
}

// An answer that names nothing made is no success.
func TestAnEmptyAnswerToAWriteIsNoSuccess(t *testing.T) {
	for _, body := range []string{`null`, `{}`, ``, `{"id":""}`, `[]`, `{"id":null}`} {
		d := odd(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) })
		for family, args := range writes {
			r, err := d.do(family, args)
			if err == nil || fault.From(err).Details["reason"] != "outcome_unknown" {
				t.Errorf("%s on %q: %+v, %v", family, body, r.Result, err)
			}
		}
	}
	d := odd(t, func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) })
	if _, err := d.do(m365.PostMessage, writes[m365.PostMessage]); fault.From(err).Details["reason"] != "outcome_unknown" {
		t.Errorf("the connection broke after the message was sent: %v", err)
	}
	d.entry.EndpointURL = "http://" + closed(t) + "/v1.0"
	if _, err := d.do(m365.PostMessage, writes[m365.PostMessage]); fault.From(err).Details["reason"] != "transport" {
		t.Errorf("nothing was sent: %v", err)
	}
}

// closed is an address where nobody listens.
func closed(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	return l.Addr().String()
}

const aFile = `{"id":"I","name":"a.docx","file":{},"parentReference":{"driveId":"D"}}`

// Whoever has the address of a content can read it, so it is in no error, however the download fails.
func TestTheAddressOfAContentIsInNoError(t *testing.T) {
	torn := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte("x"))
	}))
	t.Cleanup(torn.Close)
	for name, to := range map[string]string{"dead": "http://" + closed(t), "torn": torn.URL, "no address": "http://%zz", "odd": "gopher://x"} {
		d := odd(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/content") {
				w.Header().Set("Location", to+"/f?key=SECRETKEY")
				w.WriteHeader(302)
				return
			}
			_, _ = w.Write([]byte(aFile))
		})
		_, err := d.do(m365.FetchFile, m{"drive_item_ref": "drives/D/items/I", "include_content": true})
		if err == nil || strings.Contains(err.Error(), "SECRETKEY") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Contents in memory at one time are bounded, whoever asks and whatever is said of their size; a document is parsed alone.
func TestContentsInMemoryAreBounded(t *testing.T) {
	const most = 64 << 10
	content := bytes.Repeat([]byte("x"), most*5/8)
	for _, said := range []bool{true, false} {
		d := odd(t, func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, "/content") {
				_, _ = w.Write([]byte(aFile))
				return
			}
			if said {
				w.Header().Set("Content-Length", strconv.Itoa(len(content)))
			} else {
				_ = http.NewResponseController(w).Flush()
			}
			_, _ = w.Write(content)
		})
		var mu sync.Mutex
		var now, top, done int
		within := func(n int) {
			mu.Lock()
			now += n
			top = max(top, now)
			mu.Unlock()
		}
		hold := func() { // until another had the time to come in
			within(1)
			ctx, cancel := context.WithTimeout(context.Background(), 20e6)
			<-ctx.Done()
			cancel()
			within(-1)
		}
		s := m365.New(m365.Options{MaxFile: most,
			Keep:     func(context.Context, m365.Owner, string, []byte) (string, error) { hold(); return "doc_1", nil },
			Comments: func([]byte) ([]m365.Comment, error) { hold(); return nil, nil }})
		a := m365.Account{Entry: d.entry, Profile: d.profile, Clients: m365.Clients{Graph: &http.Client{}, Files: &http.Client{}}}
		var all sync.WaitGroup
		for i := range 6 {
			family, args := m365.FetchFile, `{"drive_item_ref":"drives/D/items/I","include_content":true}`
			if i%2 == 0 {
				family, args = m365.WordComments, `{"document_ref":"drives/D/items/I"}`
			}
			all.Go(func() {
				if _, err := s.Do(context.Background(), a, family, json.RawMessage(args)); err != nil {
					t.Error(err)
				}
				mu.Lock()
				done++
				mu.Unlock()
			})
		}
		all.Wait()
		if top != 1 || done != 6 {
			t.Errorf("size said %v: %d contents at once, %d done", said, top, done)
		}
	}
}

// Whoever waits in vain for another's content is told so, and not that Microsoft was slow.
func TestAWaitForAnothersContentIsToldAsSuch(t *testing.T) {
	d := odd(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/content") {
			_, _ = w.Write([]byte("x"))
			return
		}
		_, _ = w.Write([]byte(aFile))
	})
	held, free, done := make(chan struct{}), make(chan struct{}), make(chan error)
	s := m365.New(m365.Options{Keep: func(context.Context, m365.Owner, string, []byte) (string, error) { return "doc_1", nil },
		Comments: func([]byte) ([]m365.Comment, error) { close(held); <-free; return nil, nil }})
	a := m365.Account{Entry: d.entry, Profile: d.profile, Clients: m365.Clients{Graph: &http.Client{}, Files: &http.Client{}}}
	go func() {
		_, err := s.Do(context.Background(), a, m365.WordComments, json.RawMessage(`{"document_ref":"drives/D/items/I"}`))
		done <- err
	}()
	<-held
	_, err := s.Do(context.Background(), a, m365.FetchFile,
		json.RawMessage(`{"drive_item_ref":"drives/D/items/I","include_content":true,"timeout_ms":1000}`))
	if !fault.Is(err, fault.TooManyRequests) {
		t.Error(err)
	}
	close(free)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// No address of a site leaves the sites.
func TestASiteIsASite(t *testing.T) {
	d := open(t)
	for _, ref := range []string{"https://..", "..:/x", ".:/x", "https://../..", "a/b:/x", "https://h/..", ":/x", `https://h\x/y`} {
		if _, code := d.no(m365.ListDocuments, m{"site_ref": ref}); code != fault.InvalidRequest || len(d.Asked()) != 0 {
			t.Errorf("%s: %s", ref, code)
		}
	}
}

// An attendee is who the address looks like.
func TestAnAttendeeIsWhoIsShown(t *testing.T) {
	d := open(t)
	for a, fits := range map[string]bool{"eve@example.com": true, "björn.ø@example.com": true,
		"анна@example.com": true, "山田たろう@example.com": true,
		"ev\u200be@example.com": false, "\u0435ve@example.com": false, "eve@ex\u0430mple.com": false, "e\u202eve@example.com": false,
		"\u03bfwen@example.com": false, "eve@example.com\u00ad": false} {
		_, err := d.do(m365.CreateEvent, m{"title": "x", "start_time": "2026-05-04T11:00:00Z", "end_time": "2026-05-04T12:00:00Z",
			"attendee_emails": []string{a}})
		if (err == nil) != fits || !fits && (!fault.Is(err, fault.InvalidRequest) || len(d.Asked()) != 0) {
			t.Errorf("%+q: %v", a, err)
		}
		d.Asked()
	}
}
