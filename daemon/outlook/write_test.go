package outlook

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/internal/await"
	"showhow/internal/detached"
	"showhow/internal/fault"
)

// R9 2.2: a write that is switched off for an account is refused with the reason, when it is planned and when it is done.
func TestSwitchesR9_2_2(t *testing.T) {
	o := newOffice(t, usual())
	ctx := t.Context()
	mail := MailArgs{Account: "work", To: []string{"a@example.com"}, Subject: "x", Body: "x"}
	meeting := CreateArgs{Account: "work", Title: "x", Start: "2026-03-02T09:00", Attendees: []string{"a@example.com"}}
	alone := meeting
	alone.Attendees = nil
	plans := map[string]func() (func() error, error){
		"send":   func() (func() error, error) { p, err := o.Send(ctx, mail); return do(t, p), err },
		"draft":  func() (func() error, error) { p, err := o.Draft(ctx, mail); return do(t, p), err },
		"create": func() (func() error, error) { p, err := o.Create(ctx, alone); return do(t, p), err },
		"invite": func() (func() error, error) { p, err := o.Create(ctx, meeting); return do(t, p), err },
		"update": func() (func() error, error) {
			p, err := o.Update(ctx, UpdateArgs{ID: "outlook_evt_12345", Title: new("New")})
			return do(t, p), err
		},
		"delete": func() (func() error, error) {
			p, err := o.Delete(ctx, EventArgs{"outlook_evt_12345"})
			return do(t, p), err
		},
	}
	for _, x := range []struct {
		sw      Switches
		named   string
		off     []string
		switch_ string
	}{
		{Switches{EmailSend: false, CalendarWrite: true}, "work", []string{"send", "invite", "update"}, emailSend},
		{Switches{EmailSend: true, CalendarWrite: false}, "will@schallfirm.com", []string{"create", "invite", "update", "delete"}, calendarWrite},
	} {
		for name, plan := range plans {
			clear(o.off)
			act, err := plan()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			o.off[x.named] = x.sw
			_, err = plan()
			later := act()
			if slices.Contains(x.off, name) {
				f := refused(t, err, fault.OutlookSwitchedOff)
				refused(t, later, fault.OutlookSwitchedOff)
				if f.Details["switch"] != x.switch_ || !strings.Contains(f.Message, x.switch_) {
					t.Errorf("%s: %v", name, f)
				}
			} else if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			o.change(func(w *world) { w.Events = []event{conference()} })
		}
		clear(o.off)
	}
	o.off["work"] = Switches{}
	accounts, err := o.Accounts(ctx)
	if err != nil || accounts.Accounts[0].EmailSend || accounts.Accounts[0].CalendarWrite || !accounts.Accounts[1].EmailSend {
		t.Errorf("%+v %v", accounts, err)
	}
	broken := newOffice(t, usual(), func(o *Options) {
		o.Switches = func() (func(...string) Switches, error) {
			return nil, fault.New(fault.Usage, "config.toml has a mistake")
		}
	})
	if _, err := broken.Send(ctx, mail); !fault.Is(err, fault.Usage) {
		t.Errorf("it is sent although the switches cannot be read: %v", err)
	}
}

func do[T any](t *testing.T, p Planned[T]) func() error {
	return func() error { _, err := p.Do(t.Context()); return err }
}

// One write goes on at a time, also of several services that have the same lock, as programs do.
func TestSingleWriter(t *testing.T) {
	w := usual()
	w.Slow = map[string]time.Duration{"email_send": 20 * time.Millisecond}
	lock := func(o *Options) { o.Lock = filepath.Join(o.Home, "run", "outlook.lock") }
	o := newOffice(t, w, lock)
	if runtime.GOOS == "windows" {
		t.Skip("no lock among programs")
	}
	other := New(o.o)
	var all sync.WaitGroup
	for i := range 6 {
		s := []*Service{o.Service, other}[i%2]
		p, err := s.Send(t.Context(), MailArgs{Account: "work", To: []string{"a@example.com"}, Subject: fmt.Sprint(i), Body: "x"})
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			if _, err := p.Do(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if w := o.world(); w.Overlap || len(w.Sent) != 6 {
		t.Errorf("%v, %d sent", w.Overlap, len(w.Sent))
	}
}

// An Outlook that never answers is given up, with all that was started, and others can write again.
func TestNothingHangs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no process groups")
	}
	w := usual()
	w.Hangs = "email_send"
	o := newOffice(t, w, func(o *Options) { o.Limit = 3 * time.Second; o.Lock = filepath.Join(o.Home, "outlook.lock") })
	p, err := o.Send(t.Context(), MailArgs{Account: "work", To: []string{"a@example.com"}, Subject: canary, Body: canary})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	_, err = p.Do(t.Context())
	if f := refused(t, err, fault.OutlookTimeout); f.Details["reason"] != OutcomeUnknown || time.Since(began) > 15*time.Second {
		t.Errorf("%v after %v", f, time.Since(began))
	}
	b, err := os.ReadFile(filepath.Join(filepath.Dir(o.file), outlookPID))
	pid, _ := strconv.Atoi(string(b))
	if err != nil || pid == 0 {
		t.Fatal(err)
	}
	await.Until(t, "the child of osascript has ended", func() bool { return !detached.Alive(pid) })
	o.change(func(w *world) { w.Hangs = "" })
	p, err = o.Send(t.Context(), MailArgs{Account: "work", To: []string{"a@example.com"}, Subject: "x", Body: "x"})
	done(t, p, err)
}

// Attachments get harmless names in the folder that was named, replace nothing, and lead nowhere else.
func TestSaveAttachments(t *testing.T) {
	names := []string{"report.pdf", "../../../etc/cron.d/evil", "/etc/passwd", ".zshrc", "..", "", "a\x00b\nc.txt", "gpj.\u202eexe.doc",
		"report.pdf", strings.Repeat("ä", 300) + ".docx", "con\\..\\x.txt", "REPORT.PDF", "a:b*?.pdf"}
	w := usual()
	m := &w.Messages[0]
	m.Files, m.Data = nil, nil
	for i, n := range names {
		m.Files, m.Data = append(m.Files, file{n, 5}), append(m.Data, fmt.Appendf(nil, "data%d", i))
	}
	o := newOffice(t, w)
	dir := filepath.Join(o.home, "Downloads")
	if err := os.WriteFile(filepath.Join(dir, "report.pdf"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	id := "work:Posteingang:<stip-1@firm.com>"
	p, err := o.SaveAttachments(t.Context(), SaveArgs{ID: id})
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Error("planning saved something")
	}
	saved := done(t, p, err)
	if len(saved.Files) != len(names) || len(saved.Skipped) != 0 {
		t.Fatalf("%+v", saved)
	}
	for i, f := range saved.Files {
		b, err := os.ReadFile(f.Path)
		if err != nil || string(b) != fmt.Sprintf("data%d", i) || filepath.Dir(f.Path) != dir || f.OriginalName != names[i] ||
			strings.HasPrefix(filepath.Base(f.Path), ".") || len(filepath.Base(f.Path)) > 255 || f.Size != int64(len(b)) {
			t.Errorf("%+v %q %v", f, b, err)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "report.pdf")); string(b) != "mine" {
		t.Error("a file was replaced")
	}
	if all, _ := os.ReadDir(dir); len(all) != len(names)+1 {
		t.Errorf("%d files: something of ours is left", len(all))
	}
	p, err = o.SaveAttachments(t.Context(), SaveArgs{ID: id, Destination: "~/Downloads", Filter: []string{"*.PDF", "con*"}})
	saved = done(t, p, err)
	if len(saved.Files) != 5 || len(saved.Skipped) != len(names)-5 || saved.Skipped[0].Reason != "filtered" {
		t.Errorf("%+v", saved)
	}
	if err := os.MkdirAll(filepath.Join(o.home, "Library", "LaunchAgents"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, x := range []SaveArgs{{Destination: "Downloads"}, {Destination: "/no/such/folder"}, {Destination: filepath.Join(dir, "report.pdf")},
		{Destination: "~/Library/LaunchAgents"}, {Destination: "~/Downloads/../Library"}, {Filter: []string{"["}}, {Filter: []string{""}},
		{Filter: []string{"*.xlsx"}}} {
		x.ID = id
		_, err := o.SaveAttachments(t.Context(), x)
		refused(t, err, fault.InvalidRequest)
	}
	// Between the plan and the deed the message got other attachments.
	p, err = o.SaveAttachments(t.Context(), SaveArgs{ID: id, Filter: []string{"a:b*"}})
	o.change(func(w *world) { w.Messages[0].Files[len(names)-1].Name = "other.pdf" })
	if saved = done(t, p, err); len(saved.Files) != 0 || saved.Skipped[len(saved.Skipped)-1].Reason != "not_saved" {
		t.Errorf("%+v", saved)
	}
}

func TestObeyedFolders(t *testing.T) {
	for dir, want := range map[string]bool{"/Users/ada/Documents": false, "/Users/ada/.ssh": true, "/Users/ada/Library/LaunchAgents": true,
		"/Library": true, "/Users/ada/Library/CloudStorage/OneDrive-Firm/Henderson": false, "/Volumes/cases/Henderson": false,
		"/Users/ada/Library/Mobile Documents/x": false, "/Users/ada/work/.git/hooks": true} {
		if obeyed(dir) != want {
			t.Errorf("%s: %v", dir, !want)
		}
	}
}
