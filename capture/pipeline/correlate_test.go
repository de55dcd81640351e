package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"showhow/capture"
	"showhow/capture/pipeline"
)

// amending is a memory log that can also replace what it stored.
type amending struct{ memory }

func (m *amending) Amend(_ context.Context, rs []capture.Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	for _, r := range rs {
		for i := range m.records {
			if m.records[i].Event.EventID == r.Event.EventID {
				m.records[i] = r
			}
		}
	}
	return nil
}

func folderConfig(t testing.TB, log capture.Log) pipeline.Config {
	cfg := config(t, log)
	cfg.Scope.Folders, cfg.Scope.Shells = []string{"/home/anna"}, []string{"pts/3", "pts/4"}
	return cfg
}

// ran is a command that ended d after at.
func ran(at time.Time, d time.Duration, line, cwd string) capture.Observation {
	return capture.Observation{Kind: capture.TerminalCommand, Origin: capture.Origin{App: "bash", Shell: "pts/3"}, Verb: capture.Run,
		OccurredAt: at,
		Command:    &capture.RawCommand{Line: line, Shell: "bash", CwdFrom: cwd, CwdTo: cwd, Duration: d},
		Before:     &capture.State{Cwd: cwd}, After: &capture.State{Cwd: cwd}}
}

// found is evidence of a file.
func found(at time.Time, path, change string) capture.Observation {
	f := &capture.File{Name: filepath.Base(path), Path: "anna" + strings.TrimPrefix(path, "/home/anna"), Ext: filepath.Ext(path), Size: 12,
		Change: change}
	if change == "created" || change == "changed" {
		f.Hash = strings.Repeat("ab", 32)
	}
	return capture.Observation{Kind: capture.ProcessLaunch, Origin: capture.Origin{Folder: path}, Verb: capture.FileChange, OccurredAt: at,
		File: f, Changed: true}
}

// evidence is what is seen, and what the pipeline tells of it: labels in order, with files after and (before).
type evidence struct {
	seen []capture.Observation
	want []string
}

// evidenceAt returns the cases, by name, as they are seen from a time on.
func evidenceAt(at time.Time) map[string]evidence {
	work, other := "/home/anna/work", "/home/anna/other"
	save := click("Export")
	save.Verb, save.OccurredAt = capture.Download, at
	save.File = &capture.File{Name: "orders.csv", Path: "orders.csv", Ext: ".csv", Size: 12}
	save.After = &capture.State{Files: []capture.File{*save.File}}
	listed := ran(at, 0, "touch x", work)
	listed.After.Files = []capture.File{{Name: "x.csv", Ext: ".csv", Size: 12}}
	elsewhere := ran(at, time.Second, "./export.sh", other)
	elsewhere.Origin.Shell = "pts/4"
	child := ran(at.Add(10*time.Millisecond), 20*time.Millisecond, "sort", work)
	child.Kind, child.Origin = capture.ProcessLaunch, capture.Origin{App: "calc"}
	mid := at.Add(20 * time.Millisecond)
	return map[string]evidence{
		"in its folder": {[]capture.Observation{ran(at, time.Second, "make", work), found(mid, work+"/out/a.csv", "created")},
			[]string{"Ran make: a.csv created"}},
		"seen before it ends": {[]capture.Observation{found(mid, work+"/a.csv", "created"), ran(at, time.Second, "make", work)},
			[]string{"Ran make: a.csv created"}},
		"named in its line": {[]capture.Observation{ran(at, time.Minute, "cp x ../other/a.csv", work),
			found(mid, other+"/a.csv", "created")}, []string{"Ran cp x ../other/a.csv: a.csv created"}},
		"only at its time": {[]capture.Observation{ran(at, time.Second, "make", work), found(mid, other+"/a.csv", "changed")},
			[]string{"Ran make: a.csv changed"}},
		"long, only at its time": {[]capture.Observation{ran(at, time.Minute, "make", work), found(mid, other+"/a.csv", "changed")},
			[]string{"Ran make:", "Changed 'a.csv': "}},
		"after it": {[]capture.Observation{
			ran(at, time.Second, "make", work), found(at.Add(3*time.Second), work+"/a.csv", "created")}, []string{"Ran make:", "Created 'a.csv': "}},
		"nothing else": {[]capture.Observation{found(at, work+"/a.csv", "created")}, []string{"Created 'a.csv': "}},
		"two at its time": {[]capture.Observation{
			ran(at, time.Second, "make", work), elsewhere, found(mid, "/home/anna/b/a.csv", "created")},
			[]string{"Ran make:", "Ran ./export.sh:", "Created 'a.csv': "}},
		"two, one in its folder": {[]capture.Observation{ran(at, time.Second, "make", work), elsewhere, found(mid, other+"/a.csv", "created")},
			[]string{"Ran make:", "Ran ./export.sh: a.csv created"}},
		"the person's, not child": {[]capture.Observation{child, ran(at, time.Second, "make", work), found(mid, work+"/a.csv", "created")},
			[]string{"Ran sort:", "Ran make: a.csv created"}},
		"reported by itself": {[]capture.Observation{listed, found(at.Add(time.Second), work+"/x.csv", "created")},
			[]string{"Ran touch x: x.csv created"}},
		"a download": {[]capture.Observation{save, found(at.Add(4*time.Second), "/home/anna/Downloads/orders.csv", "created")},
			[]string{"Downloaded 'orders.csv': orders.csv created"}},
		"a download, before it": {[]capture.Observation{found(at, "/home/anna/Downloads/orders.csv", "created"), save},
			[]string{"Downloaded 'orders.csv': orders.csv created"}},
		"not that download": {[]capture.Observation{save, found(mid, "/home/anna/Downloads/other.csv", "created")},
			[]string{"Downloaded 'orders.csv': orders.csv ", "Created 'other.csv': "}},
		"removed": {[]capture.Observation{ran(at, time.Second, "rm a.csv", work), found(mid, work+"/a.csv", "removed")},
			[]string{"Ran rm a.csv: (a.csv removed)"}},
		"moved": {[]capture.Observation{ran(at, time.Second, "mv a.csv b.csv", work), func() capture.Observation {
			o := found(mid, work+"/b.csv", "moved")
			o.File.From = "anna/work/a.csv"
			return o
		}()}, []string{"Ran mv a.csv b.csv: b.csv moved(a.csv moved)"}},
		"a click is no cause": {[]capture.Observation{func() capture.Observation {
			o := click("Save")
			o.OccurredAt = at
			return o
		}(), found(at, work+"/a.csv", "created")}, []string{"Clicked the button 'Save':", "Created 'a.csv': "}},
	}
}

func TestEvidenceHangsOnItsCause(t *testing.T) {
	for name := range evidenceAt(time.Time{}) {
		t.Run(name, func(t *testing.T) {
			log := &amending{}
			p := start(t, folderConfig(t, log))
			c := evidenceAt(time.Now())[name]
			for _, o := range c.seen {
				p.Emit(o)
			}
			flush(t, p)
			var got []string
			for _, r := range log.all() {
				got = append(got, r.Event.ActionLabel+": "+filesOf(r.After)+before(r.Before))
			}
			for i := range got {
				got[i] = strings.TrimSpace(got[i])
			}
			for i := range c.want {
				c.want[i] = strings.TrimSpace(c.want[i])
			}
			if strings.Join(got, "|") != strings.Join(c.want, "|") {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if n := p.Kept(); n != int64(len(c.want)) {
				t.Errorf("%d kept", n)
			}
		})
	}
}

func filesOf(s *capture.State) string {
	if s == nil {
		return ""
	}
	var out []string
	for _, f := range s.Files {
		out = append(out, f.Name+" "+f.Change)
	}
	return strings.Join(out, ", ")
}

func before(s *capture.State) string {
	if files := filesOf(s); files != "" {
		return "(" + files + ")"
	}
	return ""
}

func TestEvidenceOnADownloadTellsItsHash(t *testing.T) {
	log := &amending{}
	p := start(t, folderConfig(t, log))
	save := click("Export")
	save.Verb, save.File = capture.Download, &capture.File{Name: "orders.csv", Size: 12}
	p.Emit(save)
	p.Emit(found(time.Now(), "/home/anna/orders.csv", "created"))
	flush(t, p)
	r := log.all()[0]
	if r.Action.File.Hash == "" || r.Event.AfterStateRef == "" || !r.Event.CausedStateChange {
		t.Errorf("%s", dump(t, r))
	}
}

// Records that are stored and shared with subscribers are never changed in place.
func TestEvidenceLeavesHandedOutRecordsAlone(t *testing.T) {
	log := &amending{}
	cfg := folderConfig(t, log)
	var handed []capture.Record
	cfg.OnStored = func(rs []capture.Record) { handed = append(handed, rs...) }
	p := start(t, cfg)
	at := time.Now().Add(time.Second)
	p.Emit(ran(at, time.Second, "make", "/home/anna/w"))
	flush(t, p)
	p.Emit(found(at, "/home/anna/w/a", "created"))
	p.Emit(found(at, "/home/anna/w/b", "removed"))
	flush(t, p)
	if len(handed) != 1 || len(handed[0].After.Files)+len(handed[0].Before.Files) > 0 {
		t.Errorf("handed out:\n%s", dump(t, handed))
	}
	if r := log.all()[0]; filesOf(r.After) != "a created" || filesOf(r.Before) != "b removed" {
		t.Errorf("stored:\n%s", dump(t, r))
	}
}

func TestEvidenceIsCleanedLikeEverythingElse(t *testing.T) {
	log := &amending{}
	p := start(t, folderConfig(t, log))
	at := time.Now().Add(time.Second)
	note := click("Note")
	note.Verb, note.OccurredAt, note.Value = capture.Type, at, &capture.RawValue{Text: "Zanzibar-4711", FieldName: "note"}
	p.Emit(note)
	p.Emit(ran(at, time.Second, "make", "/home/anna/w"))
	p.Emit(found(at, "/home/anna/w/Zanzibar-4711.csv", "created"))
	p.Emit(found(at, "/home/anna/w/ghp_Zk93hQv7Lx2TnB5cRw8YfJ0sDe4GmUa1Pi6o.txt", "created"))
	flush(t, p)
	all := dump(t, log.all())
	if strings.Contains(all, "Zanzibar") || strings.Contains(all, "Zk93hQv7") {
		t.Errorf("kept readable:\n%s", all)
	}
	links := map[string]bool{}
	for _, r := range log.all() {
		if r.Action.Command != nil {
			for _, s := range r.Sealed {
				links[s.LinkID] = true
			}
		}
	}
	if v := log.all()[0].Action.Value; v == nil || !links[v.LinkID] {
		t.Errorf("the command does not bring the sealed value that its file mentions")
	}
}

func TestEvidenceStandsAloneInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &amending{}
		p, err := pipeline.New(folderConfig(t, log))
		if err != nil {
			t.Fatal(err)
		}
		go p.Run(t.Context())
		p.Start()
		p.Emit(found(time.Now(), "/home/anna/w/a", "created"))
		time.Sleep(1900 * time.Millisecond) // clock: synctest's
		synctest.Wait()
		if n := len(log.all()); n != 0 {
			t.Errorf("%d records after 1.9 s", n)
		}
		time.Sleep(200 * time.Millisecond) // clock: synctest's
		synctest.Wait()
		if r := log.all(); len(r) != 1 || r[0].Event.AdapterKind != capture.ProcessLaunch || r[0].Action.CauseEventID != "" {
			t.Errorf("after 2.1 s:\n%s", dump(t, r))
		}
		p.Emit(found(time.Now(), "/home/anna/w/b", "created"))
		time.Sleep(time.Microsecond) // clock: synctest's
		p.Pause()
		time.Sleep(time.Microsecond)                           // clock: synctest's
		p.Emit(found(time.Now(), "/home/anna/w/c", "created")) // occurred while paused
		p.Close()
		if r := log.all(); len(r) != 2 || r[1].Action.File.Name != "b" {
			t.Errorf("after Close:\n%s", dump(t, r))
		}
		if n := count(p, capture.NotCapturing); n != 1 {
			t.Errorf("%d withheld", n)
		}
	})
}

func TestEvidenceWithoutAmends(t *testing.T) {
	log := &memory{}
	p := start(t, folderConfig(t, log))
	at := time.Now().Add(time.Second)
	p.Emit(ran(at, time.Second, "make", "/home/anna/w"))
	p.Emit(found(at, "/home/anna/w/a", "created"))
	flush(t, p)
	r := log.all()
	if len(r) != 2 || r[1].Action.CauseEventID != r[0].Event.EventID || len(r[0].After.Files) > 0 {
		t.Errorf("%s", dump(t, r))
	}
}

func TestEvidenceThatCannotBeStored(t *testing.T) {
	log := &amending{}
	cfg := folderConfig(t, log)
	failed := make(chan error, 1)
	cfg.OnFailure = func(err error) { failed <- err }
	p := start(t, cfg)
	at := time.Now().Add(time.Second)
	p.Emit(ran(at, time.Second, "make", "/home/anna/w"))
	flush(t, p)
	log.mu.Lock()
	log.fail = errors.New("disk full")
	log.mu.Unlock()
	p.Emit(found(at, "/home/anna/w/a", "created"))
	flush(t, p)
	select {
	case <-failed:
	default:
		t.Error("nobody was told")
	}
	if !p.Failed() {
		t.Error("capture goes on")
	}
}

func TestManyCluesAreBounded(t *testing.T) {
	log := &amending{}
	p := start(t, folderConfig(t, log))
	at := time.Now().Add(time.Second)
	for i := range 1000 {
		p.Emit(found(at, fmt.Sprintf("/home/anna/w/f%d", i), "created"))
	}
	p.Emit(ran(at.Add(-time.Second), 2*time.Second, "make", "/home/anna/w"))
	flush(t, p)
	all := log.all()
	var with *capture.Record
	for i := range all {
		if all[i].Action.Command != nil {
			with = &all[i]
		}
	}
	if with == nil || len(with.After.Files) == 0 || len(with.After.Files) > 50 {
		t.Fatalf("%d records", len(all))
	}
}

// BenchmarkEvidence measures one file with the command that wrote it, from Emit to commit in a log that costs
// nothing.
func BenchmarkEvidence(b *testing.B) {
	p := start(b, folderConfig(b, &discarding{}))
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		at := time.Now()
		p.Emit(ran(at, time.Millisecond, fmt.Sprintf("sort -t, -k3 orders-%d.csv > top.csv", i), "/home/anna/work"))
		p.Emit(found(at, "/home/anna/work/top.csv", "changed"))
		if i%256 == 255 {
			flush(b, p)
		}
	}
	flush(b, p)
	b.ReportMetric(2*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

type discarding struct{ discard }

func (*discarding) Amend(context.Context, []capture.Record) error { return nil }
