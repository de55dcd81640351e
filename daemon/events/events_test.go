package events_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/capture/redact"
	"showhow/daemon/canonical"
	"showhow/daemon/events"
	"showhow/daemon/events/contract"
	"showhow/daemon/events/report"
	"showhow/daemon/wire"
	"showhow/internal/canary"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
	"showhow/store/keys"
)

// loaded are the real rules, for all tests.
var loaded = sync.OnceValues(redact.Load)

// place is a state of its own: a real store with a service on it.
type place struct {
	t         testing.TB
	dir       string
	st        *store.Store
	s         *events.Service
	at        time.Time
	drafts    []report.Draft
	abilities []report.Ability
	heard     []events.Signal
	deaf      error // what Signals answers
}

func newPlace(t testing.TB, day int) *place {
	t.Helper()
	p := &place{t: t, dir: t.TempDir(), at: time.Date(2026, 11, day, 20, 0, 0, 0, time.UTC)}
	p.open()
	t.Cleanup(func() {
		if err := p.st.VerifyProjections(context.Background()); err != nil {
			t.Error(err)
		}
		canonical.Must(t, filepath.Join(p.dir, "memory"))
		p.st.Close()
	})
	return p
}

func (p *place) open() {
	p.t.Helper()
	ring := keys.Files(filepath.Join(p.dir, "keys"))
	st, err := store.Open(p.t.Context(), store.Options{Dir: p.dir, Keys: ring, Now: p.now})
	must(p.t, err)
	rules, err := loaded()
	must(p.t, err)
	p.st = st
	p.s = events.New(events.Options{Store: store.RuntimeEvents(st),
		Key:     func(ctx context.Context) ([]byte, error) { return ring.Key(ctx, events.KeyTarget) },
		DropKey: func(ctx context.Context) error { return ring.Destroy(ctx, events.KeyTarget) }, Redact: rules.Text,
		Secret: func(s string) bool {
			return slices.ContainsFunc(rules.Find(s), func(x redact.Span) bool { return !x.Kind.Personal() })
		},
		Workbench: p, Signals: p, Now: p.now, NewID: clock.NewID, Log: slog.New(slog.DiscardHandler)})
	must(p.t, p.s.Recover(p.t.Context()))
}

// now goes on with every look.
func (p *place) now() clock.Time {
	p.at = p.at.Add(time.Second)
	return clock.At(p.at)
}

func (p *place) Drafts(context.Context) ([]report.Draft, error)      { return p.drafts, nil }
func (p *place) Abilities(context.Context) ([]report.Ability, error) { return p.abilities, nil }

func (p *place) Take(_ context.Context, all []events.Signal) error {
	p.heard = append(p.heard, all...)
	return p.deaf
}

func (p *place) imports(b []byte) wire.RuntimeEventsTaken {
	p.t.Helper()
	r, err := p.s.Import(p.t.Context(), events.Sender{}, b)
	if err != nil {
		p.t.Fatalf("%v %v", err, fault.From(err).Details)
	}
	return r
}

func (p *place) posts(agent, text string) (wire.RuntimeEventsTaken, error) {
	return p.s.Take(p.t.Context(), events.Sender{Agents: []string{agent}}, []byte(text))
}

// files are those of the memory root below a folder, by name.
func (p *place) files(folder string) map[string]string {
	p.t.Helper()
	out := map[string]string{}
	root := filepath.Join(p.dir, "memory", filepath.FromSlash(folder))
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		out[filepath.Base(name)] = string(b)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.t.Fatal(err)
	}
	return out
}

// timeless is a report without what tells when and in which order it was written.
func timeless(t *testing.T, name, text string) string {
	t.Helper()
	if strings.HasSuffix(name, ".md") {
		var b strings.Builder
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "<!-- outbox_seq") && !strings.HasPrefix(line, "- Generated:") {
				b.WriteString(line)
			}
		}
		return b.String()
	}
	var v any
	must(t, json.Unmarshal([]byte(text), &v))
	var strip func(any)
	strip = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				if slices.Contains([]string{"outbox_seq", "generated_at", "updated_at", "projected_at", "received_at"}, k) {
					delete(v, k)
				} else {
					strip(e)
				}
			}
		case []any:
			for _, e := range v {
				strip(e)
			}
		}
	}
	strip(v)
	b, err := json.MarshalIndent(v, "", " ")
	must(t, err)
	return string(b)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func example(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	must(t, err)
	return b
}

const session = "demo-openclaw-session-001"

// The contract's example: imported, exported as a bundle, and the bundle replayed twice into a fresh and into a used state.
func TestREC4_HandoffReplays(t *testing.T) {
	origin := newPlace(t, 1)
	r := origin.imports(example(t, "session.json"))
	if r.Kept != 2 || r.Projected != 1 || r.Duplicates != 0 || !slices.Equal(r.SessionIDs, []string{session}) || r.DeliveryID == "" {
		t.Fatalf("%+v", r)
	}
	want := origin.files("system/events/reports")
	for _, name := range []string{"openclaw_import_" + session + ".json", "openclaw_operator_handoff_bundle_" + session + ".json",
		"openclaw_operator_handoff_" + session + ".json", "runtime_session_report_" + session + ".json",
		"runtime_session_report_" + session + ".md",
		"latest_runtime_session_report.json", "latest_openclaw_operator_handoff_bundle.json", "latest_evolution_report.json",
		"latest_operator_review.json"} {
		if want[name] == "" {
			t.Errorf("%s was not written", name)
		}
	}
	if again := origin.imports(example(t, "session.json")); again.Kept != 0 || again.Duplicates != 2 || len(again.Written) != 0 ||
		again.DeliveryID != "" {
		t.Errorf("imported again: %+v", again)
	}
	bundle := []byte(want["latest_openclaw_operator_handoff_bundle.json"])

	used := newPlace(t, 3)
	used.imports(example(t, "batch.json"))
	_, err := used.posts("openclaw", string(example(t, "envelope.json")))
	must(t, err)
	for name, p := range map[string]*place{"fresh": newPlace(t, 2), "used": used} {
		t.Run(name, func(t *testing.T) {
			p.t = t
			before := p.files("system/events")
			first := p.imports(bundle)
			if first.Kept != 2 || first.Projected != 1 {
				t.Fatalf("%+v", first)
			}
			once, ledgers := p.files("system/events/reports"), p.files("system/events")
			if again := p.imports(bundle); again.Kept != 0 || again.Duplicates != 2 || again.Projected != 0 || len(again.Written) != 0 {
				t.Errorf("replayed again: %+v", again)
			}
			// Twice is byte for byte what once was.
			for file, text := range ledgers {
				if now := p.files("system/events")[file]; now != text {
					t.Errorf("%s changed with the second replay", file)
				}
			}
			// What is about the session is what the origin wrote, but for times.
			for file, text := range want {
				if name == "used" && (file == "latest_evolution_report.json" || file == "latest_operator_review.json") {
					continue // they are about everything that is there
				}
				if a, b := timeless(t, file, text), timeless(t, file, once[file]); a != b {
					t.Errorf("%s differs:\n%s\n%s", file, a, b)
				}
			}
			const ledger = "runtime_event_envelopes.jsonl"
			if n := strings.Count(ledgers[ledger], "\n") - strings.Count(before[ledger], "\n"); n != 2 {
				t.Errorf("%d lines more", n)
			}
			state := ledgers["latest_workflow_state.json"]
			if !strings.Contains(state, `"stage": "handed_off"`) || !strings.Contains(state, "showhow events handoff "+session) ||
				strings.Count(ledgers["workflow_history.jsonl"], "\n") != 1 {
				t.Errorf("%s\n%s", state, ledgers["workflow_history.jsonl"])
			}
		})
	}

	var changed map[string]any
	must(t, json.Unmarshal(bundle, &changed))
	changed["projected_feedback"].([]any)[0].(map[string]any)["score"] = 0.9
	b, err := json.Marshal(changed)
	must(t, err)
	if _, err := newPlace(t, 4).s.Import(t.Context(), events.Sender{}, b); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("a bundle whose feedback was changed: %v", err)
	}
}

// Raw first: what came is kept exactly, and each envelope stands beside what was projected of it.
func TestREC3_RawFirst(t *testing.T) {
	p := newPlace(t, 1)
	text := example(t, "envelope.json")
	r, err := p.posts("openclaw", string(text))
	must(t, err)
	if r.Shape != "envelope" || r.Kept != 1 || r.Projected != 1 || r.Events[0].FeedbackID == "" {
		t.Fatalf("%+v", r)
	}
	if original, err := p.s.Opened(t.Context(), r.DeliveryID); err != nil || !bytes.Equal(original, text) {
		t.Errorf("the original is not what came: %s, %v", original, err)
	}
	if again, err := p.posts("openclaw", string(text)); err != nil || again.Kept != 0 || !again.Events[0].Duplicate {
		t.Errorf("%+v, %v", again, err)
	}
	p.imports(example(t, "batch.json"))
	l, err := p.s.List(t.Context(), "", 1, 10)
	must(t, err)
	if l.Total != 3 || l.Items[0].Evidence != "verified" || l.Items[2].Evidence != "verified" || l.Items[0].ReportedBy != "openclaw" ||
		l.Items[1].ReportedBy != events.User || l.Items[0].Feedback == nil || l.Items[1].Feedback != nil || l.Items[2].Feedback == nil ||
		l.Items[0].Feedback.SourceEnvelopeID != l.Items[0].Envelope.EnvelopeID {
		t.Errorf("%+v", l)
	}
	if _, err := p.s.List(t.Context(), "nobody", 1, 10); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}

	// An id belongs to what it came with.
	other := strings.Replace(string(text), `"score": 0.2`, `"score": 0.9`, 1)
	if _, err := p.posts("openclaw", other); !fault.Is(err, fault.EventConflict) {
		t.Errorf("another event with the id: %v", err)
	}

	// The originals go, and what was made of them stays.
	if n, err := p.s.PurgeOriginals(t.Context()); err != nil || n != 2 {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := p.s.PurgeOriginals(t.Context()); err != nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
	if left, _ := filepath.Glob(filepath.Join(p.dir, "keys", "*")); len(left) > 0 {
		t.Errorf("keys are left: %v", left)
	}
	if l, err := p.s.List(t.Context(), "", 1, 10); err != nil || l.Total != 3 || l.Items[0].Evidence != "purged" {
		t.Errorf("%+v, %v", l, err)
	}
	later := strings.NewReplacer("9b1f66ae", "9b1f66af", "7d4f2fda", "7d4f2fdb").Replace(string(text))
	if _, err := p.posts("openclaw", later); err != nil { // under a new key
		t.Fatal(err)
	}
	if l, err := p.s.List(t.Context(), "demo-session-001", 4, 1); err != nil || l.Items[0].Evidence != "verified" {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestAnAgentSendsItsOwnOnly(t *testing.T) {
	p := newPlace(t, 1)
	text := string(example(t, "envelope.json"))
	for agent, code := range map[string]fault.Code{"codex": fault.Forbidden, "open": fault.Forbidden, "openclaw": ""} {
		if _, err := p.posts(agent, text); err == nil && code != "" || err != nil && !fault.Is(err, code) {
			t.Errorf("%s: %v", agent, err)
		}
	}
	mine := strings.NewReplacer("openclaw-local", "codex", "9b1f66ae", "9b1f66af", "7d4f2fda", "7d4f2fdb").Replace(text)
	if _, err := p.posts("codex", mine); !fault.Is(err, fault.Forbidden) {
		t.Errorf("it spoke in another agent's session: %v", err)
	}
	nobody := events.Sender{Agents: []string{}}
	if _, err := p.s.Take(t.Context(), nobody, []byte(text)); !fault.Is(err, fault.Forbidden) {
		t.Errorf("an agent that nobody knows: %v", err)
	}
	if _, err := p.posts("openclaw", string(example(t, "session.json"))); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("an operator's artifact of an agent: %v", err)
	}
	// All of a message or none of it.
	both := strings.NewReplacer("9b1f66ae", "00000000", "7d4f2fda", "00000001", "demo-session-001", "demo-2").Replace(text)
	both = "[" + both + "," + mine + "]"
	if _, err := p.posts("openclaw", both); !fault.Is(err, fault.Forbidden) {
		t.Errorf("%v", err)
	}
	if l, err := p.s.List(t.Context(), "", 1, 10); err != nil || l.Total != 1 {
		t.Errorf("%+v, %v", l, err)
	}
}

// Whoever follows abilities hears of every feedback, over an end in between, too.
func TestSignals(t *testing.T) {
	p := newPlace(t, 1)
	p.abilities = []report.Ability{{AbilityID: "ab-1", SkillSlug: "code-review", Title: "Review code"}}
	p.deaf = errors.New("not now")
	_, err := p.posts("openclaw", string(example(t, "envelope.json")))
	must(t, err)
	must(t, p.st.Close())
	p.heard, p.deaf = nil, nil
	p.open()
	if len(p.heard) != 1 || p.heard[0].AbilityID != "ab-1" || p.heard[0].SkillID != "code_review" || p.heard[0].Status != "failure" ||
		p.heard[0].ReportedBy != "openclaw" || p.heard[0].Direct {
		t.Fatalf("%+v", p.heard)
	}
	f, err := p.s.Feedback(t.Context(), events.Sender{}, wire.RuntimeFeedbackRequest{SessionID: "demo-session-001", Status: "success",
		Score: 1, Comment: "it was fine; mail ada.lovelace@example.org"})
	must(t, err)
	if len(p.heard) != 2 || !p.heard[1].Direct || p.heard[1].AbilityID != "ab-1" || strings.Contains(f.Comment, "ada.") {
		t.Errorf("%+v %+v", p.heard, f)
	}
	// A person's word counts before the agent's, whatever the agent says later.
	later := strings.NewReplacer("9b1f66ae", "9b1f66af", "7d4f2fda", "7d4f2fdb", "2026-03-13T18:22:39", "2026-12-31T00:00:00").Replace(
		string(example(t, "envelope.json")))
	_, err = p.posts("openclaw", later)
	must(t, err)
	r, err := p.s.Report(t.Context(), "")
	must(t, err)
	if r.Report.Outcome.Status != "success" || r.Report.Outcome.Origin != "direct" {
		t.Errorf("%+v", r.Report.Outcome)
	}
	lines := p.files("system/events")["events.jsonl"]
	if !strings.Contains(lines, "session_routed") || !strings.Contains(lines, "direct_feedback") {
		t.Error(lines)
	}
}

// No secret reaches any file in clear; deleted means gone, to the last byte.
func TestNoSecretReachesAFile(t *testing.T) {
	p := newPlace(t, 1)
	const secret, word, plain = "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "correct-Horse7", "quokka seventy"
	text := strings.NewReplacer("review postgres", "push with "+secret+" "+plain, "local-demo", plain+`","password":"`+word,
		"missed rollback coverage", "the password is "+word+", I said "+secret).Replace(string(example(t, "envelope.json")))
	_, err := p.posts("openclaw", text)
	must(t, err)
	artifact := strings.NewReplacer("Paused after", "The token is "+secret+" "+plain, "inspect rollback risk",
		"psql postgres://u:"+word+"@db/x",
		`"operator": "local-demo"`, `"operator": "x", "api_key": "`+secret+`"`).Replace(string(example(t, "session.json")))
	p.imports([]byte(artifact))
	for _, kind := range []string{"inspect", "session", "handoff", "governance"} {
		if _, err := p.s.Write(t.Context(), events.Sender{}, kind, ""); err != nil {
			t.Fatal(kind, err)
		}
	}
	_, err = p.s.Preview(t.Context(), events.Sender{}, []byte(strings.ReplaceAll(artifact, "demo-openclaw", "previewed")), true)
	must(t, err)
	secrets := []canary.Canary{{Label: "a token", Text: secret}, {Label: "a password", Text: word}}
	p.nowhere(secrets...)
	if hits := p.holds(plain); len(hits) < 5 {
		t.Errorf("what may be kept is in %v alone: the search proves nothing", hits)
	}
	l, err := p.s.List(t.Context(), "", 1, 10)
	must(t, err)
	for _, x := range l.Items {
		if x.Evidence != "verified" {
			t.Errorf("%s is %s", x.Envelope.EnvelopeID, x.Evidence)
		}
	}
	for _, id := range []string{"demo-session-001", session, "previewed-session-001"} { // the last was never kept, and has reports
		if d, err := p.s.Delete(t.Context(), id); err != nil || (d.Envelopes == 0) != (id == "previewed-session-001") {
			t.Fatalf("%+v, %v", d, err)
		}
	}
	p.nowhere(append(secrets, canary.Canary{Label: "what was deleted", Text: plain})...)
	if _, err := p.s.Delete(t.Context(), session); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
}

// Whatever an id looks like, its files can be written, are found again, and belong to it alone.
func TestLongIDs(t *testing.T) {
	p := newPlace(t, 1)
	long := strings.Repeat("a:", 79) + "a"
	for _, id := range []string{long, long + "b", "run:1", "run-1", "x", "bundle_x"} {
		p.imports([]byte(strings.ReplaceAll(string(example(t, "session.json")), session, id)))
	}
	reports := 0
	for name := range p.files("system/events/reports") {
		if strings.HasPrefix(name, "runtime_session_report_") && strings.HasSuffix(name, ".md") {
			reports++
		}
	}
	if reports != 6 {
		t.Errorf("%d reports", reports)
	}
	for _, id := range []string{long, "run:1"} {
		if _, err := p.s.Delete(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
	if n := len(p.files("system/events/reports")); n != 4*5+2 { // of four sessions, and the two that are made anew
		t.Errorf("%d files: %v", n, p.files("system/events/reports"))
	}
}

// Every declared class of secrets and personal values, wherever a runtime can put text.
func TestNoDeclaredClassReachesAFile(t *testing.T) {
	p := newPlace(t, 1)
	var secrets []canary.Canary
	var list []any
	for i, c := range redact.Classes {
		_, rest, _ := strings.Cut(c.Example, "«")
		secret, _, _ := strings.Cut(rest, "»")
		text := strings.NewReplacer("«", "", "»", "").Replace(c.Example)
		if len(secret) >= 8 { // a shorter one is anywhere by chance
			secrets = append(secrets, canary.Canary{Label: c.Name, Text: secret})
		}
		list = append(list, map[string]any{"contract_name": contract.Name, "contract_version": "1.0", "metadata": map[string]any{"note": text},
			"event": map[string]any{"event_kind": "session_feedback", "session_id": fmt.Sprintf("c-%d", i), "task": text, "status": "partial",
				"score": 1, "comment": text, "steps": []any{text}, "selected_skill_ids": []any{"x"}, "missing_capabilities": []any{text},
				"metadata": map[string]any{"deep": []any{map[string]any{"text": text}}}}})
	}
	b, err := json.Marshal(list)
	must(t, err)
	if r, err := p.posts("scout", string(b)); err != nil || r.Kept != len(redact.Classes) || len(secrets) < 40 {
		t.Fatalf("%+v, %v %v", r, err, fault.From(err).Details)
	}
	for _, kind := range []string{"inspect", "session", "handoff", "governance"} {
		if _, err := p.s.Write(t.Context(), events.Sender{}, kind, ""); err != nil {
			t.Fatal(kind, err)
		}
	}
	p.nowhere(secrets...)
}

// nowhere fails for every text that is in a file of the data directory, in any encoding.
func (p *place) nowhere(texts ...canary.Canary) {
	p.t.Helper()
	hits, err := canary.Scan(p.dir, texts...)
	must(p.t, err)
	for _, h := range hits {
		p.t.Error(h)
	}
}

// holds lists the files of the data directory that hold one of the texts.
func (p *place) holds(texts ...string) (hits []string) {
	p.t.Helper()
	must(p.t, filepath.WalkDir(p.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(name)
		for _, t := range texts {
			if bytes.Contains(b, []byte(t)) {
				hits = append(hits, filepath.Base(name))
				break
			}
		}
		return err
	}))
	return hits
}
