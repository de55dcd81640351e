package imports_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"showhow/daemon/ability"
	"showhow/daemon/canonical"
	"showhow/daemon/imports"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/daemon/skill/scan"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

const goodSkill = "---\nname: tidy-invoices\ndescription: Sorts the invoices of a folder by month and names each after its " +
	"number.\ntriggers:\n  - sort my invoices\n---\n\nSort the files in scripts/run.sh.\n"

// kit is a service over a real store and the real install saga, with a clock and a scanner that tests move.
type kit struct {
	*imports.Service
	t         *testing.T
	dir       string
	target    string
	store     *store.Store
	abilities *ability.Service

	mu      sync.Mutex
	now     time.Time
	scan    func(scan.Report) (scan.Report, error)
	install error // what the installer answers, nil: the saga's own
	options imports.Options
}

func newKit(t *testing.T) *kit {
	k := &kit{t: t, dir: t.TempDir(), now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	k.target = filepath.Join(k.dir, "agents", "skills")
	k.open()
	return k
}

func (k *kit) clock() clock.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.now = k.now.Add(time.Millisecond)
	return clock.At(k.now)
}

func (k *kit) pass(d time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.now = k.now.Add(d)
}

// open is a start of the daemon.
func (k *kit) open() {
	k.t.Helper()
	ctx, memory := context.Background(), filepath.Join(k.dir, "memory")
	s, err := store.Open(ctx, store.Options{Dir: filepath.Join(k.dir, "data"), Memory: memory, Now: k.clock})
	if err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() {
		canonical.Must(k.t, memory)
		s.Close()
	})
	k.store = s
	k.abilities = ability.New(ability.Options{Store: s.Abilities(), MemoryRoot: memory, Now: k.clock,
		Targets: []ability.Target{{Name: "agents", Dir: k.target}}})
	if _, err := k.abilities.Recover(ctx); err != nil {
		k.t.Fatal(err)
	}
	k.options = imports.Options{PackDir: filepath.Join(k.dir, "packs"), Store: s.Imports(), Dir: filepath.Join(k.dir, "imports"),
		Installer: installer{k.abilities, k}, Now: k.clock,
		Scan: func(ctx context.Context, fsys fs.FS, name string) (scan.Report, error) {
			if _, err := fs.ReadFile(fsys, skill.Entry); err != nil {
				return scan.Report{}, err
			}
			r := report("clean")
			if k.scan != nil {
				return k.scan(r)
			}
			return r, nil
		}}
	k.Service = imports.New(k.options)
	if err := k.Recover(ctx); err != nil {
		k.t.Fatal(err)
	}
}

// restart ends this daemon where it is and starts another over the same folders.
func (k *kit) restart() {
	k.store.Close()
	k.open()
}

func report(v scan.Verdict) scan.Report {
	return scan.Report{Verdict: v, Findings: []scan.Finding{},
		Permissions: scan.Permissions{Tools: []string{"Bash"}, Domains: []string{"api.example.org"}, Credentials: []string{}},
		Compatibility: scan.Compatibility{Compatible: true, RuleVersion: "test", PortabilityGrade: "direct", ToolShadowingCheck: "clear",
			Findings: []scan.CompatibilityFinding{}, RecommendedFixes: []string{}, SchemaVersion: 1}}
}

// installer is the real saga, unless a test wants it to fail.
type installer struct {
	*ability.Service
	k *kit
}

func (i installer) Install(ctx context.Context, r ability.InstallRequest) (ability.InstallResult, error) {
	if i.k.install != nil {
		return ability.InstallResult{}, i.k.install
	}
	return i.Service.Install(ctx, r)
}

func (k *kit) zip(files ...skill.File) []byte {
	k.t.Helper()
	if len(files) == 0 {
		files = []skill.File{{Path: skill.Entry, Data: []byte(goodSkill)}, {Path: "scripts/run.sh", Mode: 0o755, Data: []byte("true\n")}}
	}
	b, err := archive.Pack(files)
	if err != nil {
		k.t.Fatal(err)
	}
	return b
}

func meta(id string) func() (imports.UploadMetadata, error) {
	return func() (imports.UploadMetadata, error) {
		return imports.UploadMetadata{ClientRequestID: id, SchemaVersion: 1}, nil
	}
}

func (k *kit) upload(data []byte) string {
	k.t.Helper()
	r, err := k.Upload(context.Background(), imports.Meta{},
		imports.Bundle{Filename: "tidy.zip", ContentType: "application/zip", Body: bytes.NewReader(data)}, meta(""))
	if err != nil {
		k.t.Fatal(err)
	}
	return r.TempArtifact.TempArtifactRef
}

func (k *kit) scanned() imports.Record {
	k.t.Helper()
	r, err := k.Scan(context.Background(), imports.Meta{}, imports.ScanRequest{TempArtifactRef: k.upload(k.zip())})
	if err != nil {
		k.t.Fatal(err)
	}
	return r.ImportRecord
}

func (k *kit) staged() imports.Record {
	k.t.Helper()
	r, err := k.Stage(context.Background(), imports.Meta{}, imports.StageRequest{ImportID: k.scanned().ImportID})
	if err != nil {
		k.t.Fatal(err)
	}
	return r.ImportRecord
}

func (k *kit) state(id string) imports.State {
	k.t.Helper()
	d, err := k.Get(context.Background(), id)
	if err != nil {
		k.t.Fatal(err)
	}
	return d.ImportRecord.StageState
}

// put writes an import in any state, as if it had come there.
func (k *kit) put(change func(*imports.Item)) string {
	k.t.Helper()
	now := k.clock()
	r := report("clean")
	item := imports.Item{Scan: &r, Report: &r.Compatibility, Slug: "tidy",
		Record: imports.Record{ImportID: clock.NewID(), Source: imports.ManualUpload,
			SourceRefKind: imports.RefTemp, CreatedAt: now, UpdatedAt: now, SchemaVersion: 1, Provenance: imports.Provenance{Kind: "upload"}}}
	change(&item)
	if err := k.store.Imports().Update(context.Background(), func(tx imports.Tx) error { return tx.PutImport(item) }); err != nil {
		k.t.Fatal(err)
	}
	return item.ImportID
}

// files lists what is on the disk of uploads and staged skills.
func (k *kit) files() []string {
	k.t.Helper()
	var out []string
	filepath.WalkDir(filepath.Join(k.dir, "imports"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, p)
		}
		return nil
	})
	return out
}

func (k *kit) receipts(kind journal.EventKind) int {
	k.t.Helper()
	b, err := os.ReadFile(filepath.Join(k.dir, "memory", "system", "learning", "receipts.jsonl"))
	if err != nil {
		k.t.Fatal(err)
	}
	return bytes.Count(b, []byte(`"kind":"`+string(kind)+`"`))
}

// receiptsInStore counts what is recorded, projected or not.
func (k *kit) receiptsInStore(kind journal.EventKind) int {
	k.t.Helper()
	if err := k.store.Project(context.Background()); err != nil {
		k.t.Fatal(err)
	}
	return k.receipts(kind)
}

func code(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != want {
		t.Errorf("code %q, want %q (%v)", fault.CodeOf(err), want, err)
	}
}
