package ability_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/canonical"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

// house is a real database, a memory root and two agents' skill folders.
type house struct {
	t       *testing.T
	dir     string
	db      *store.Store
	s       *ability.Service
	opt     ability.Options
	missing map[string]bool // commands that are not installed
}

func newHouse(t *testing.T) *house {
	t.Helper()
	t.Parallel() // most of a test's time is fsync
	return newHouseAlone(t)
}

// newHouseAlone is newHouse for a test that changes what others read.
func newHouseAlone(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir(), missing: map[string]bool{}}
	h.ok(os.CopyFS(filepath.Join(h.dir, "data"), os.DirFS(freshData(t))))
	var err error
	h.db, err = store.Open(context.Background(), store.Options{Dir: filepath.Join(h.dir, "data")})
	h.ok(err)
	t.Cleanup(func() {
		canonical.Must(t, h.opt.MemoryRoot)
		h.db.Close()
	})
	h.opt = ability.Options{
		Store: h.db.Abilities(), MemoryRoot: filepath.Join(h.dir, "data", "memory"),
		Targets: []ability.Target{{Name: "openclaw", Dir: filepath.Join(h.dir, "home", ".openclaw", "workspace", "skills")},
			{Name: "claude", Dir: filepath.Join(h.dir, "home", ".claude", "skills")}},
		Env: ability.Environment{LookPath: func(c string) (string, error) {
			if h.missing[c] {
				return "", os.ErrNotExist
			}
			return "/bin/" + c, nil
		}},
	}
	h.restart()
	return h
}

// freshData is a data directory with an empty database, made once: migrating takes longer than most tests.
var freshDir = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "fresh-")
	if err != nil {
		return "", err
	}
	db, err := store.Open(context.Background(), store.Options{Dir: dir})
	if err != nil {
		return "", err
	}
	return dir, db.Close()
})

func freshData(t *testing.T) string {
	t.Helper()
	dir, err := freshDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// restart is what a new process does.
func (h *house) restart() []ability.SagaOutcome {
	h.t.Helper()
	h.s = ability.New(h.opt)
	ended, err := h.s.Recover(h.ctx())
	h.ok(err)
	return ended
}

func (h *house) ctx() context.Context { return h.t.Context() }

func (h *house) ok(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) wantCode(err error, code fault.Code) {
	h.t.Helper()
	if !fault.Is(err, code) {
		h.t.Fatalf("got %v, want %s", err, code)
	}
}

func request(slug string, triggers ...string) ability.InstallRequest {
	title := strings.ReplaceAll(slug, "-", " ")
	if len(triggers) == 0 {
		triggers = []string{title}
	}
	body := fmt.Sprintf("---\nname: %s\ndescription: %s, and how to tell that it worked.\n---\n\n# %s\n", slug, title, title)
	b, err := skill.New(slug, []skill.File{
		{Path: "SKILL.md", Mode: 0o644, Data: []byte(body)},
		{Path: "scripts/run.sh", Mode: 0o755, Data: []byte("#!/bin/sh\ntrue\n")},
		{Path: "tests/triggers.json", Mode: 0o644, Data: []byte("{}")},
	})
	if err != nil {
		panic(err)
	}
	capability := "desk." + strings.ReplaceAll(slug, "-", "_")
	return ability.InstallRequest{
		SagaID: clock.NewID(), LearnSessionID: clock.NewID(), ProposalID: clock.NewID(), Lane: ability.LaneApproved, Source: "learned",
		Title: title, Family: "desk", Slug: slug, CapabilityID: capability, TriggerPhrases: triggers, Checkpoints: []string{"cp-01", "cp-02"},
		ControlSurfaces: []string{"native_openclaw_browser"}, RequiredCommands: []string{"jq"}, Bundle: b, ContentHash: b.Hash(),
		Manifest: skill.Manifest{CapabilityID: capability, Family: "desk", Kind: "workflow_pattern", Title: title, OriginSkill: slug,
			SurfaceOrder: []string{"native_openclaw_browser"}, RuntimeBinding: skill.RuntimeBinding{
				BindingKind: "workflow_pattern", Target: "SKILL.md"},
			Verification: []skill.Verification{{Kind: "manual_confirmation", Target: "cp-01"}}, RoutingEligible: true,
			HealthProbe: skill.HealthProbe{Kind: "noop", Target: "-", TimeoutMS: 3000}, SchemaVersion: 1},
		Metadata: map[string]any{"capability_id": capability, "summary": title, "schema_version": 1},
	}
}

// changed is a new version of a request's bundle.
func changed(r ability.InstallRequest) ability.InstallRequest {
	files := slices.Clone(r.Bundle.Files)
	files[0].Data = append(slices.Clone(files[0].Data), "One more line.\n"...)
	r.Bundle, _ = skill.New(r.Slug, files)
	r.ContentHash, r.SagaID = r.Bundle.Hash(), clock.NewID()
	return r
}

func (h *house) install(r ability.InstallRequest) ability.InstallResult {
	h.t.Helper()
	res, err := h.s.Install(h.ctx(), r)
	h.ok(err)
	return res
}

func (h *house) entry(id string) ability.AvailabilityEntry {
	h.t.Helper()
	e, err := h.s.AvailabilityOf(h.ctx(), id)
	h.ok(err)
	return e
}

func (h *house) path(target int, slug string) string {
	return filepath.Join(h.opt.Targets[target].Dir, slug)
}

func (h *house) there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// file reads a canonical file.
func (h *house) file(path string, v any) bool {
	h.t.Helper()
	b, err := os.ReadFile(filepath.Join(h.opt.MemoryRoot, filepath.FromSlash(path)))
	if err != nil {
		return false
	}
	h.ok(json.Unmarshal(b, v))
	return true
}

// tree is everything below the house but the database's own files: path to content, with the volatile parts of JSON left out.
func (h *house) tree() map[string]string {
	h.t.Helper()
	out := map[string]string{}
	for _, root := range []string{h.opt.MemoryRoot, filepath.Join(h.dir, "home")} {
		_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			rel, _ := filepath.Rel(h.dir, p)
			if d.IsDir() {
				if strings.Contains(rel, "home") {
					out[rel+"/"] = ""
				}
				return nil
			}
			b, _ := os.ReadFile(p)
			if strings.HasSuffix(p, ".jsonl") {
				return nil
			}
			out[rel] = stable(b)
			return nil
		})
	}
	return out
}

// stable leaves out what every rebuild renews.
func stable(b []byte) string {
	var m map[string]any
	if json.Unmarshal(b, &m) != nil {
		return string(b)
	}
	for _, k := range []string{"outbox_seq", "snapshot_as_of", "refreshed_at", "updated_at"} {
		delete(m, k)
	}
	out, _ := json.Marshal(m)
	return string(out)
}

func (h *house) sameTree(before map[string]string) {
	h.t.Helper()
	after := h.tree()
	for _, p := range slices.Sorted(maps.Keys(after)) {
		if was, ok := before[p]; !ok {
			h.t.Errorf("%s is left over", p)
		} else if was != after[p] {
			h.t.Errorf("%s changed:\n%s\n%s", p, was, after[p])
		}
	}
	for p := range before {
		if _, ok := after[p]; !ok {
			h.t.Errorf("%s is gone", p)
		}
	}
}

func (h *house) allEvents() []journal.Event {
	h.t.Helper()
	es, err := h.db.Events(h.ctx(), 0, "", 10_000)
	h.ok(err)
	return es
}

// events counts lifecycle events by kind.
func (h *house) events() map[journal.EventKind]int {
	h.t.Helper()
	out := map[journal.EventKind]int{}
	for _, e := range h.allEvents() {
		out[e.Kind]++
	}
	return out
}

// lines reads a canonical JSONL file.
func lines[T any](h *house, path string) []T {
	h.t.Helper()
	b, err := os.ReadFile(filepath.Join(h.opt.MemoryRoot, filepath.FromSlash(path)))
	if err != nil {
		return nil
	}
	var out []T
	for _, l := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		var v T
		h.ok(json.Unmarshal([]byte(l), &v))
		out = append(out, v)
	}
	return out
}

func (h *house) receipts() map[journal.ReceiptKind]int {
	out := map[journal.ReceiptKind]int{}
	for _, r := range lines[journal.Receipt](h, "system/learning/receipts.jsonl") {
		out[r.Kind]++
	}
	return out
}
