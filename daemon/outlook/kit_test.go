package outlook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/internal/fault"
)

// canary stands in every mail and event, and in what Outlook says of its errors: no error may hold it.
const canary = "canary-4711"

// now is the time of the tests; R9's examples are of these days.
var now = time.Date(2026, 2, 24, 9, 30, 0, 0, newYork)

var newYork = func() *time.Location {
	l, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	return l
}()

func ago(days int) float64 { return float64(now.AddDate(0, 0, -days).Unix()) }

// usual is an Outlook with two accounts.
func usual() world {
	letter := mail{Account: "work", Folder: "Posteingang", row: row{ID: 67890, Subject: "Henderson — Stipulation re: Discovery",
		From: "opposing_counsel@firm.com", FromName: "Jane Smith", At: float64(time.Date(2026, 2, 23, 13, 42, 0, 0, time.UTC).Unix()),
		To: []string{"will@schallfirm.com"}, Files: []file{{"Henderson_Discovery_Stip_Draft.pdf", 9}}, Importance: "normal",
		Headers: "Received: from x\r\nMessage-ID:\r\n <stip-1@firm.com>\r\nSubject: x\r\n\r\nMessage-ID: <no@firm.com>",
		Text:    "Dear Will,\n\nPlease find attached the draft. " + canary}, Data: [][]byte{[]byte("%PDF-1.7\n")}}
	return world{
		Accounts: []account{{"work", "will@schallfirm.com", "exchange"}, {"personal", "will@example.com", "imap"}},
		Messages: []mail{letter,
			{Account: "work", Folder: "Posteingang", row: row{ID: 2, Subject: "Lunch " + canary, From: "tom@example.com", FromName: "Tom",
				At:   ago(20),
				Read: true, Headers: "Message-ID: <lunch@example.com>"}},
			{Account: "work", Folder: "Posteingang", row: row{ID: 3, Subject: "Old " + canary, From: "tom@example.com", FromName: "Tom", At: ago(60),
				Headers: "Message-ID: <old@example.com>"}},
			{Account: "personal", Folder: "Posteingang", row: row{ID: 4, Subject: "Hello " + canary, From: "eve@example.com", FromName: "Eve",
				At: ago(3), HTML: "<style>p{}</style><p>Hello <b>Will</b></p><p>Bye</p>"}},
			{Account: "work", Folder: "Gesendet", row: row{ID: 5, Subject: "Offer to Miller", From: "will@schallfirm.com", At: ago(2),
				Headers: "Message-ID: <offer@schallfirm.com>"}},
			{Account: "work", Folder: "Cases/Henderson", row: row{ID: 6, Subject: "Brief", From: "jane@firm.com", At: ago(5)}},
		},
		Calendars: []calendar{{"Calendar", "work", "will@schallfirm.com", true}, {"Court Deadlines", "work", "will@schallfirm.com", false},
			{"Home", "personal", "will@example.com", true}},
		Events: []event{conference()},
	}
}

func conference() event {
	before := 15
	return event{ID: 12345, Title: "Henderson status conference", Start: at("2026-02-26T10:00:00-05:00"), End: at("2026-02-26T11:00:00-05:00"),
		Location: "SDNY Courtroom 12B", Account: "work", Address: "will@schallfirm.com", Calendar: "Calendar",
		Categories: []string{"Court", "Henderson"}, Reminder: &before, Organizer: "will@schallfirm.com",
		Attendees: []string{"will@schallfirm.com", "cocounsel@partnerfirm.com"}}
}

func at(s string) float64 {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return float64(t.Unix())
}

// office is a service with an Outlook that is played.
type office struct {
	*Service
	t    *testing.T
	file string
	home string
	off  map[string]Switches
}

func newOffice(t *testing.T, w world, with ...func(*Options)) *office {
	t.Helper()
	o := &office{t: t, file: filepath.Join(t.TempDir(), "world.json"), home: t.TempDir(), off: map[string]Switches{}}
	b, err := json.Marshal(w)
	if err == nil {
		err = os.WriteFile(o.file, b, 0o600)
	}
	if err == nil {
		err = os.Mkdir(filepath.Join(o.home, "Downloads"), 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asOutlook, o.file)
	opts := Options{Program: os.Args[0], Home: o.home, Now: func() time.Time { return now }, Zone: newYork, Limit: 20 * time.Second,
		Patience: 10 * time.Second, Switches: o.switches, Instructs: func(text string) []string {
			if strings.Contains(text, "Ignore all previous instructions") {
				return []string{"prompt-override"}
			}
			return nil
		}}
	for _, f := range with {
		f(&opts)
	}
	o.Service = New(opts)
	return o
}

func (o *office) switches() (func(names ...string) Switches, error) {
	return func(names ...string) Switches {
		for _, n := range names {
			if sw, ok := o.off[n]; ok {
				return sw
			}
		}
		return Switches{true, true}
	}, nil
}

func (o *office) world() (w world) {
	o.t.Helper()
	b, err := os.ReadFile(o.file)
	if err == nil {
		err = json.Unmarshal(b, &w)
	}
	if err != nil {
		o.t.Fatal(err)
	}
	return w
}

func (o *office) change(do func(*world)) { change(o.file, do) }

// done does what was planned.
func done[T any](t *testing.T, p Planned[T], err error) T {
	t.Helper()
	var zero T
	if err != nil {
		t.Fatalf("it was not planned: %v", err)
	}
	out, err := p.Do(t.Context())
	if err != nil {
		t.Fatalf("it was not done: %v", err)
	}
	if len(p.About) == 0 {
		t.Error("nobody is told anything")
	}
	_ = zero
	return out
}

// refused checks the code of an error, its form (R9 2.5), and that it holds nothing of a mail.
func refused(t *testing.T, err error, want fault.Code) *fault.Error {
	t.Helper()
	if !fault.Is(err, want) {
		t.Fatalf("%v, want %s", err, want)
	}
	f := fault.From(err)
	b, _ := json.Marshal(f.Details[Detail])
	var form map[string]any
	if json.Unmarshal(b, &form) != nil || form["error"] != true || !strings.HasSuffix(form["tool"].(string), ".applescript") ||
		form["message"] != f.Message || len(form) != 4 {
		t.Errorf("%s", b)
	}
	if _, there := form["stderr"]; !there {
		t.Errorf("no stderr: %s", b)
	}
	if all, _ := json.Marshal(f); strings.Contains(string(all), canary) || strings.Contains(err.Error(), canary) {
		t.Errorf("it holds what a mail says: %s %v", all, err)
	}
	return f
}

func calls(w world, operation string) (n int) {
	for _, c := range w.Calls {
		if c == operation {
			n++
		}
	}
	return n
}

func has(all []string, part string) bool {
	return slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, part) })
}
