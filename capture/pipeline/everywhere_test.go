package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/capture"
	"showhow/capture/pipeline"
	"showhow/capture/recall"
	"showhow/capture/redact"
	"showhow/capture/secret"
	"showhow/internal/canary"
	"showhow/store"
	"showhow/store/keys"
)

// scene is how an adapter kind reports something inside and outside the scope.
type scene struct {
	verb    capture.Verb
	in, out capture.Origin
}

// scenes has a row for every adapter kind: one without fails the test.
var scenes = map[capture.Kind]scene{
	capture.BrowserDOM: {capture.Type, capture.Origin{App: "chromium", Site: "shop.example"},
		capture.Origin{App: "chromium", Site: "other.example"}},
	capture.BrowserSnapshot: {capture.PageChange, capture.Origin{App: "chromium", Site: "shop.example"},
		capture.Origin{App: "chromium", Site: "other.example"}},
	capture.AccessibilityUI:  {capture.Click, capture.Origin{App: "calc"}, capture.Origin{App: "mail"}},
	capture.KeyboardShortcut: {capture.Press, capture.Origin{App: "calc"}, capture.Origin{App: "mail"}},
	capture.TextEntry:        {capture.Type, capture.Origin{App: "calc"}, capture.Origin{App: "mail"}},
	capture.MouseClick:       {capture.DoubleClick, capture.Origin{App: "calc"}, capture.Origin{App: "mail"}},
	capture.Clipboard:        {capture.Press, capture.Origin{App: "calc"}, capture.Origin{App: "mail"}},
	capture.FileDialog:       {capture.Upload, capture.Origin{App: "calc"}, capture.Origin{App: "mail"}},
	capture.ProcessLaunch:    {capture.Run, capture.Origin{App: "calc"}, capture.Origin{App: "mail"}},
	capture.TerminalCommand:  {capture.Run, capture.Origin{App: "bash", Shell: "pts/3"}, capture.Origin{App: "bash", Shell: "pts/4"}},
	capture.MIDI:             {capture.Play, capture.Origin{Device: "Pad"}, capture.Origin{Device: "Other pad"}},
	capture.MCPReceipt:       {capture.Call, capture.Origin{App: "calc"}, capture.Origin{App: "mail"}},
	capture.WrapperReceipt:   {capture.Run, capture.Origin{App: "calc"}, capture.Origin{App: "mail"}},
}

var everyScope = capture.Scope{Apps: []string{"calc", "chromium", "bash"}, Sites: []string{"shop.example"}, Shells: []string{"pts/3"},
	Devices: []string{"Pad"}}

// ownWords are the fields that adapters fill with words of their own, never with what they saw.
var ownWords = []string{"Observation.Key", "Observation.CauseKey", "Observation.Kind", "Observation.Verb", "Observation.Surface",
	"Observation.Origin",
	"RawValue.Kind", "Locator.By", "File.Change", "MIDIGesture.Gesture", "MIDIGesture.Transport"}

// structure are the fields that hold names given by a program or a page. Secrets are removed from them; identifiers
// that are private only because a person typed them do not occur there.
var structure = []string{"Target.Role", "Target.Tag", "Target.InputType", "Target.Options", "Landmark.Role", "Locator.Role", "Field.Role",
	"File.Ext", "Page.Tab",
	"RawCommand.Shell", "RawCommand.Parent", "RawCall.Agent", "RawCall.RunID", "RawCall.Tool", "RawCall.Connector", "DialogInfo.Type"}

// fill puts text into every string of v that is not an adapter's own word: fields added later are filled as well.
func fill(v reflect.Value, path, text string, but ...string) {
	if slices.Contains(ownWords, path) || slices.Contains(but, path) {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*capture.Value]() {
			return // the pipeline's own
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), path, text, but...)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Int {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), path, text, but...)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name, text, but...)
		}
	}
}

// observed is everything that an adapter of kind k could report, with text in it.
func observed(k capture.Kind, origin capture.Origin, text string, but ...string) capture.Observation {
	var o capture.Observation
	fill(reflect.ValueOf(&o).Elem(), "Observation", text, but...)
	o.Kind, o.Verb, o.Origin = k, scenes[k].verb, origin
	return o
}

// addressed is the same with text as it appears in addresses and file names.
func addressed(o capture.Observation, text string) capture.Observation {
	u := "https://shop.example/x/" + url.PathEscape(text) + "?note=" + url.QueryEscape(text) + "&q=" + url.QueryEscape(text) + "#" +
		url.PathEscape(text)
	o.Page.URL, o.Before.URL, o.After.URL, o.Target.Href, o.Target.Frame = u, u, u, u, u
	o.File.Name, o.File.Path = text+".txt", "in/"+text+"/x.txt"
	o.Command.Line = "tool --out=" + text + ".txt " + text
	return o
}

// TestNothingLeaksAnywhere types, shows, runs and names every declared class of secrets and personal values through
// every field of every adapter kind, inside and outside the scope, under both policies, and searches every byte of
// the database, its log, the live stream and the program's own log; and after the purge for everything captured.
func TestNothingLeaksAnywhere(t *testing.T) {
	for _, values := range []capture.ValuePolicy{{Default: capture.Masked},
		{Default: capture.Masked, LiteralApps: []string{"calc", "chromium", "bash"}}} {
		t.Run(fmt.Sprintf("%d literal apps", len(values.LiteralApps)), func(t *testing.T) { leak(t, values) })
	}
}

func leak(t *testing.T, values capture.ValuePolicy) {
	ctx := context.Background()
	dir := t.TempDir()
	ring := keys.Files(filepath.Join(dir, "keys"))
	sealKey, err := ring.Key(ctx, "target")
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
	defer slog.SetDefault(old)
	s, err := store.Open(ctx, store.Options{Dir: dir, Keys: ring, Logger: slog.Default()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var stream bytes.Buffer // filled by the pipeline's goroutine; read after Close
	cfg := config(t, s)
	cfg.SessionID, cfg.Target, cfg.Key, cfg.Scope, cfg.Values, cfg.ObservationMode = "session", "target", sealKey, everyScope, values,
		capture.MixedMode
	cfg.OnStored = func(rs []capture.Record) { json.NewEncoder(&stream).Encode(rs) }
	p, err := pipeline.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	p.Start()

	secrets, kept, off := say(t, p)
	if err := p.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	<-done
	if p.Kept() != kept {
		t.Errorf("kept %d, want %d: %v", p.Kept(), kept, p.Withheld())
	}
	var withheld int64
	for _, w := range p.Withheld() {
		withheld += w.Count
	}
	if withheld != off {
		t.Errorf("withheld %d, want %d: %v", withheld, off, p.Withheld())
	}

	control := canary.Canary{Label: "what may be kept", Text: "Plain heading of the shop"}
	search := func(when string, planted []canary.Canary) {
		hits, err := canary.Scan(dir, planted...)
		if err != nil {
			t.Fatal(err)
		}
		for name, b := range map[string][]byte{"the live stream": stream.Bytes(), "the log": logged.Bytes()} {
			more, err := canary.Bytes(name, b, planted...)
			if err != nil {
				t.Fatal(err)
			}
			hits = append(hits, more...)
		}
		for _, h := range hits {
			t.Errorf("%s: %s", when, h)
		}
	}
	if len(values.LiteralApps) > 0 { // what these apps are told may be read, except for secrets
		secrets = slices.DeleteFunc(secrets, func(c canary.Canary) bool { return personal[c.Label] })
	}
	search("captured", secrets)
	if hits, _ := canary.Scan(dir, control); len(hits) == 0 {
		t.Error("the search does not find what is there: it proves nothing")
	}
	if err := s.Purge(ctx, []string{"session"}, []string{"target"}); err != nil {
		t.Fatal(err)
	}
	stream.Reset()
	search("purged", append(secrets, control, canary.Canary{Label: "key", Text: string(sealKey)}))
}

var personal = func() map[string]bool {
	out := map[string]bool{}
	for _, c := range redact.Classes {
		out[c.Name] = c.Personal
	}
	return out
}()

// say makes every adapter kind report every class. It returns what must not be found, and how many observations are
// kept and withheld.
func say(t *testing.T, p *pipeline.Pipeline) (secrets []canary.Canary, kept, off int64) {
	emit := func(o capture.Observation) {
		p.Emit(o)
		if kept++; kept%64 == 0 { // the queue is bounded
			if err := p.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	hello := observed(capture.BrowserDOM, scenes[capture.BrowserDOM].in, "Plain heading of the shop")
	hello.Value, hello.Verb, hello.Target.Role = nil, capture.Navigate, "heading"
	emit(hello)
	const outside = "Outside the scope 4711 only"
	secrets = append(secrets, canary.Canary{Label: "what is out of scope", Text: outside})
	for i, c := range redact.Classes {
		_, rest, _ := strings.Cut(c.Example, "«")
		hidden, _, _ := strings.Cut(rest, "»")
		text := strings.NewReplacer("«", "", "»", "").Replace(c.Example)
		secrets = append(secrets, canary.Canary{Label: c.Name, Text: hidden})
		for _, k := range capture.Kinds {
			sc, ok := scenes[k]
			if !ok {
				t.Fatalf("%s has no row: how does it report, inside and outside the scope?", k)
			}
			o := observed(k, sc.in, text)
			emit(o)
			if k == capture.BrowserDOM || k == capture.TerminalCommand {
				emit(addressed(observed(k, sc.in, text), text))
			}
			p.Emit(observed(k, sc.out, outside+" "+text))
			off++
		}
		if err := p.Flush(t.Context()); err != nil { // nothing before is hidden by what is only known from here on
			t.Fatal(err)
		}
		// Entered into a field that asks for it, or known only by its hash, it may occur again without context in any
		// place.
		if c.Name == "one-time code" || c.Personal {
			o := observed(capture.TextEntry, scenes[capture.TextEntry].in, "field")
			o.Value = &capture.RawValue{Text: hidden, FieldName: "answer"}
			if !c.Personal {
				o.Value.Autocomplete = "one-time-code"
			}
			emit(o)
		} else {
			p.Blot(recall.BlotsOf(p.Salt(), hidden, secret.Password))
		}
		but := structure
		if !c.Personal {
			but = nil
		}
		for n := range 4 {
			k := capture.Kinds[(4*i+n)%len(capture.Kinds)]
			emit(observed(k, scenes[k].in, "Shown: "+hidden+".", but...))
		}
		emit(addressed(observed(capture.BrowserDOM, scenes[capture.BrowserDOM].in, hidden, but...), hidden))
	}
	return secrets, kept, off
}
