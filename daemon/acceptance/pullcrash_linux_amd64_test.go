package acceptance_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"showhow/daemon/client"
	"showhow/daemon/skill"
	"showhow/internal/await"
	"showhow/internal/single"
)

// stepped is a daemon that can be killed at a step (stepKiller).
type stepped struct {
	w     *world
	cmd   *exec.Cmd
	in    io.Writer
	lines *bufio.Scanner
}

func (w *world) stepped() *stepped {
	w.t.Helper()
	s := &stepped{w: w, cmd: exec.Command(got(os.Executable())(w.t))}
	s.cmd.Env = append(os.Environ(), childDir+"="+filepath.Dir(w.o.Roots.Data), stepRole+"=1")
	s.cmd.Stderr = w.log
	out := got(s.cmd.StdoutPipe())(w.t)
	s.in = got(s.cmd.StdinPipe())(w.t)
	must(w.t, s.cmd.Start())
	w.t.Cleanup(s.kill)
	s.lines = bufio.NewScanner(out)
	s.wants("ready")
	w.o.DemoGrant = ""
	w.c = client.Unix(w.o.Roots.Socket())
	return s
}

func (s *stepped) wants(line string) {
	s.w.t.Helper()
	if !s.lines.Scan() || s.lines.Text() != line {
		s.w.t.Fatalf("%q, not %q", s.lines.Text(), line)
	}
}

func (s *stepped) kill() {
	_ = s.cmd.Process.Kill()
	s.gone()
}

// gone waits until nothing is left of the daemon, which ends after its parent.
func (s *stepped) gone() {
	_ = s.cmd.Wait()
	lock := filepath.Join(s.w.o.Roots.Data, "daemon.lock")
	await.Within(time.Minute, func() bool { return single.Holder(lock) == 0 })
}

// during lets the daemon do something and be killed before its step n, and returns the steps that it came to.
func (s *stepped) during(n int, do func() error) (reached []string, err error) {
	s.w.t.Helper()
	fmt.Fprintln(s.in, n)
	s.wants("armed")
	seen := make(chan []string)
	go func() {
		var all []string
		for s.lines.Scan() {
			all = append(all, s.lines.Text())
		}
		seen <- all
	}()
	err = do()
	_ = s.cmd.Process.Kill() // if it was not
	reached = <-seen         // before Wait, which closes the pipe
	s.gone()
	return reached, err
}

// A daemon that is killed at any change that a pull makes to its files - the upload, the database, what is unpacked, what is
// listed - has nothing half there when it starts again, can finish what was begun, and the same pull works.
// SHOWHOW_CRASH_ROUNDS sets how many of the steps are tried, default 12, spread over all; `make crash` tries each.
func TestACrashAtAnyStepOfAPull(t *testing.T) {
	t.Parallel()
	rounds := 12
	if n, err := strconv.Atoi(os.Getenv("SHOWHOW_CRASH_ROUNDS")); err == nil {
		rounds = n
	}
	host := skillRegistry(t, nil)
	one := begin(t, withSecrets(fakeSecrets{}))
	a := one.owns(member{"references/more.md", "More of it.\n", 0o644})
	one.push("sort-receipts", host+"/sort-receipts:1")
	one.stop()

	w := newWorld(t)
	ctx := t.Context()
	pull := func() error {
		up, err := w.c.ImportSource(ctx, client.SkillSource{Kind: "registry", Reference: host + "/sort-receipts:1"})
		if err != nil {
			return err
		}
		s, err := w.c.ScanSkillImport(ctx, up.TempArtifact.TempArtifactRef)
		if err == nil {
			_, err = w.c.StageSkillImport(ctx, s.ImportRecord.ImportID)
		}
		return err
	}
	d := w.stepped()
	must(t, pull()) // the first makes folders
	w.settle(a.ContentHash, 1)
	all, err := d.during(1<<30, pull)
	must(t, err)
	kinds := map[string]bool{}
	for _, s := range all {
		f := strings.Fields(s)
		kinds[f[2]+" "+strings.Split(f[3]+"//", "/")[1]] = true
	}
	for _, k := range []string{"place imports", "create imports", "write imports", "sync imports", "write showhow.db-wal",
		"sync showhow.db-wal", "place memory", "remove imports"} {
		if !kinds[k] {
			t.Errorf("no step %q: %q", k, all)
		}
	}
	d = w.stepped()
	w.settle(a.ContentHash, 1)
	rounds = min(rounds, len(all))
	killed := 0
	for i := range rounds {
		from, to := i*len(all)/rounds, (i+1)*len(all)/rounds
		at := 1 + from + rand.IntN(to-from)
		reached, err := d.during(at, pull)
		step := "none"
		if len(reached) > 0 {
			step = reached[len(reached)-1]
		}
		if len(reached) == at {
			killed++
		} else {
			must(t, err) // what runs beside it makes the steps differ by a few
		}
		d = w.stepped()
		n := w.settle(a.ContentHash, -1)
		must(t, pull())
		if w.settle(a.ContentHash, 1); t.Failed() {
			t.Fatalf("killed before %q, %d there", step, n)
		}
	}
	t.Logf("%d steps, killed at %d", len(all), killed)
	if killed < rounds/2 {
		t.Errorf("killed in %d of %d rounds", killed, rounds)
	}
}

// settle fails unless all that is there of imports is whole: each file is a listed upload's, each folder that of an import
// which waits for a review, and has the skill's content. It finishes what was begun and discards it, and returns how many
// imports there were; n says how many there must be, -1 for up to one.
func (w *world) settle(hash string, n int) int {
	w.t.Helper()
	ctx, c := w.t.Context(), w.c
	names := func(folder string) (out []string) {
		entries, err := os.ReadDir(filepath.Join(w.o.Roots.Data, "imports", folder))
		if err != nil && !os.IsNotExist(err) {
			w.t.Fatal(err)
		}
		for _, e := range entries {
			out = append(out, strings.TrimSuffix(e.Name(), ".zip"))
		}
		return out
	}
	open := func() (out []client.SkillImport) {
		for _, i := range got(c.SkillImports(ctx, client.SkillImportFilter{Page: 1, PageSize: 100}))(w.t).Items {
			if i.StageState != "discarded" {
				out = append(out, i)
			}
		}
		return out
	}
	waiting := func() (files, folders []string) {
		for _, u := range got(c.SkillUploads(ctx))(w.t).Uploads {
			files = append(files, u.TempArtifactRef)
		}
		for _, i := range open() {
			switch i.StageState {
			case "ready_for_review":
				folders = append(folders, i.ImportID)
			case "scan_failed", "scan_complete", "stage_failed":
				if !slices.Contains(files, i.SourceRef) {
					files = append(files, i.SourceRef)
				}
			default:
				w.t.Errorf("%s is %s", i.ImportID, i.StageState)
			}
		}
		return files, folders
	}
	same := func(a, b []string) bool {
		return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
	}
	check := func(when string) {
		w.t.Helper()
		files, folders := waiting()
		if a, b := names("uploads"), names("staged"); !same(a, files) || !same(b, folders) {
			w.t.Errorf("%s: files %q of %q, folders %q of %q", when, a, files, b, folders)
		}
	}
	check("at first")
	for _, u := range got(c.SkillUploads(ctx))(w.t).Uploads {
		if !slices.ContainsFunc(open(), func(i client.SkillImport) bool { return i.SourceRef == u.TempArtifactRef }) {
			got(c.ScanSkillImport(ctx, u.TempArtifactRef))(w.t)
		}
	}
	all := open()
	if n >= 0 && len(all) != n || len(all) > 1 {
		w.t.Errorf("%d imports", len(all))
	}
	for _, i := range all {
		if i.StageState == "scan_failed" {
			got(c.RetrySkillImport(ctx, i.ImportID, "scan"))(w.t)
		}
		if i.StageState == "stage_failed" {
			got(c.RetrySkillImport(ctx, i.ImportID, "stage"))(w.t)
		} else if i.StageState != "ready_for_review" {
			got(c.StageSkillImport(ctx, i.ImportID))(w.t)
		}
		r := got(c.SkillImport(ctx, i.ImportID))(w.t).ImportRecord
		b := got(skill.ReadDir(filepath.Join(w.o.Roots.Data, "imports", "staged", i.ImportID)))(w.t).Hash()
		if r.StageState != "ready_for_review" || r.ContentHash != hash || b != hash || r.Provenance.Signer == "" {
			w.t.Errorf("%+v, in its folder %s", r, b)
		}
		check("when finished")
		got(c.DiscardSkillImport(ctx, i.ImportID, "no"))(w.t)
	}
	check("when discarded")
	listed := canonical(w, "skills/imports_current.json", func(l client.SkillImportList) bool {
		return len(l.Items) == 0 || l.Items[0].StageState == "discarded"
	})
	if len(all) > 0 && (len(listed.Items) == 0 || listed.Items[0].ImportID != all[0].ImportID) {
		w.t.Errorf("listed: %+v", listed.Items)
	}
	return len(all)
}
