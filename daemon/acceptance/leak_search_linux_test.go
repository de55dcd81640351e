//go:build !race

package acceptance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/daemon/client"
	"showhow/internal/canary"
	"showhow/internal/syncbuf"
)

// hits are where any of the texts is: in a file that the daemon wrote, a stream, its log or an answer.
func (k *leak) hits(texts []canary.Canary) (hits []canary.Hit) {
	k.t.Helper()
	base := filepath.Dir(k.o.Roots.Data)
	for _, e := range got(os.ReadDir(base))(k.t) {
		if e.Name() != filepath.Base(k.person) {
			hits = append(hits, got(canary.Scan(filepath.Join(base, e.Name()), texts...))(k.t)...)
		}
	}
	memory := map[string][]byte{"the streams": k.streams.all(), "the log": []byte(k.log.String())}
	if k.running {
		memory["the API's answers"] = k.answers()
	}
	for name, b := range memory {
		hits = append(hits, got(canary.Bytes(name, b, texts...))(k.t)...)
	}
	return hits
}

func (k *leak) search(when string, texts []canary.Canary) {
	k.t.Helper()
	hits := k.hits(texts)
	for _, h := range hits {
		k.t.Errorf("%s: %s", when, h)
	}
	if len(hits) > 0 && k.running { // by whom
		for _, o := range k.observations() {
			if in := got(canary.Bytes("", o, texts...))(k.t); len(in) > 0 {
				k.t.Logf("%s in %s", in[0].Label, o)
			}
		}
	}
	if when == "captured" { // what the person supplied may be opened for them, unless it is a secret
		values := got(k.c.Raw(k.t.Context(), "GET", "/api/learn/sessions/"+k.session+"/values", nil))(k.t)
		var secret []canary.Canary
		for _, c := range k.classes {
			if !c.Personal {
				secret = append(secret, canary.Canary{Label: c.Name, Text: c.secret})
			}
		}
		for _, h := range got(canary.Bytes("the values", values, secret...))(k.t) {
			k.t.Errorf("%s: %s in %s", when, h, values)
		}
	}
}

// controlled insists that the search finds what may be there: in the files, the streams and the answers.
func (k *leak) controlled() {
	k.t.Helper()
	places := map[string]bool{}
	for _, h := range k.hits([]canary.Canary{{Label: "what may be kept", Text: inScope}}) {
		place, _, _ := strings.Cut(h.Path, "!")
		places[strings.TrimSuffix(place, "-wal")] = true
	}
	for _, place := range []string{"showhow.db", "the streams", "the API's answers"} {
		if !places[place] {
			k.t.Errorf("the search does not find what is in %s: it proves nothing", place)
		}
	}
}

// captured are texts of the observations that stand nowhere else, so that nothing may be left of them after the purge.
func (k *leak) captured(observations [][]byte) (out []canary.Canary) {
	k.t.Helper()
	var reviewed []byte
	d := got(k.c.Proposals(k.t.Context(), client.ProposalFilter{}))(k.t).Proposals[0]
	for _, path := range []string{"/api/learn/proposals/" + d.ProposalID + "/detail", "/api/learn/sessions/" + k.session + "/detail",
		"/api/learn/sessions/" + k.session + "/boundaries", "/api/learn/receipts?page_size=100", "/api/status"} {
		reviewed = append(reviewed, got(k.c.Raw(k.t.Context(), "GET", path, nil))(k.t)...)
	}
	own := got(filepath.Glob(filepath.Join(k.o.Roots.Data, "memory", "system", "capabilities", "manifests", "*.json")))(k.t)
	for _, file := range own { // of the skills that come with Showhow; nothing is installed yet
		reviewed = append(reviewed, got(os.ReadFile(file))(k.t)...)
	}
	if len(own) == 0 {
		k.t.Error("no manifest of a skill that comes with Showhow was found")
	}
	seen := map[string]bool{}
	var collect func(v any)
	collect = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, x := range v {
				collect(x)
			}
		case []any:
			for _, x := range v {
				collect(x)
			}
		case string:
			quoted, _ := json.Marshal(v)
			if _, err := time.Parse(time.RFC3339, v); err != nil && len(v) >= 14 && !seen[v] && !bytes.Contains(reviewed, bytes.Trim(quoted, `"`)) {
				seen[v] = true
				out = append(out, canary.Canary{Label: v, Text: v})
			}
		}
	}
	for _, b := range observations {
		var v map[string]any
		must(k.t, json.Unmarshal(b, &v))
		collect(v)
	}
	return out
}

// streams keeps what the daemon streams.
type streams struct {
	buf    syncbuf.Buffer
	cancel context.CancelFunc
	done   chan struct{}
}

func (s *streams) listen(t *testing.T, c *client.Client, session string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel, s.done = cancel, make(chan struct{}, 3)
	hear := func(e client.Event) error {
		_, err := s.buf.Write(e.Raw)
		return err
	}
	go func() { c.Events(ctx, 0, hear); s.done <- struct{}{} }()
	go func() { c.SessionEvents(ctx, session, 0, hear); s.done <- struct{}{} }()
	go func() { c.ObservationStream(ctx, session, 0, hear); s.done <- struct{}{} }()
	t.Cleanup(s.stop)
}

func (s *streams) stop() {
	if s.cancel == nil {
		return
	}
	s.cancel()
	s.cancel = nil
	for range 3 {
		<-s.done
	}
}

func (s *streams) all() []byte { return s.buf.Bytes() }

func (s *streams) reset() { s.buf.Reset() }
