package interchange

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"showhow/internal/fault"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func parsed(t *testing.T, file string) Recording {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Parse(raw, now)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told is a recording as lines: verb, target, value.
func told(r Recording) string {
	var b strings.Builder
	for _, o := range r.Observations {
		fmt.Fprintf(&b, "%s", o.Verb)
		if o.Target != nil {
			fmt.Fprintf(&b, " %s %q", o.Target.Role, o.Target.Name)
			if l := o.Target.Landmark; l != nil {
				fmt.Fprintf(&b, " in %s %q", l.Role, l.Name)
			}
		}
		if o.Value != nil {
			fmt.Fprintf(&b, " = %s (%s)", o.Value.Text, o.Value.InputType)
		}
		if o.Keys != "" {
			fmt.Fprintf(&b, " %s", o.Keys)
		}
		if o.After != nil {
			fmt.Fprintf(&b, " -> %s %v", o.After.URL, o.After.Alerts)
		}
		fmt.Fprintf(&b, " @ %s %s\n", o.Origin.Site, o.Page.URL)
	}
	for _, l := range r.LeftOut {
		fmt.Fprintf(&b, "- %s\n", l)
	}
	return b.String()
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDevTools(t *testing.T) {
	r := parsed(t, "order.devtools.json")
	same(t, told(r), `
navigate -> https://shop.example/orders [] @ shop.example https://shop.example/orders
click link "A-1042" -> https://shop.example/orders/7 [] @ shop.example https://shop.example/orders
select combobox "Status" = paid () @ shop.example https://shop.example/orders/7
type textbox "Note" = by transfer () @ shop.example https://shop.example/orders/7
type textbox "" = hunter2-canary (password) @ shop.example https://shop.example/orders/7
press Control+S @ shop.example https://shop.example/orders/7
click button "Save changes" -> https://shop.example/orders/7 [Order saved] @ shop.example https://shop.example/orders/7
- a wait for a JavaScript expression: no code of a file is run
- a step that only the program that recorded it knows
- an address that is no web page's (2 times)
- a step of a kind that is not known: doubleFrobnicate`)
	if r.Format != DevTools || r.Title != "Change an order" || len(r.Sites) != 1 {
		t.Errorf("%+v", r)
	}
	for i, o := range r.Observations {
		if !o.OccurredAt.Before(now) || i > 0 && !o.OccurredAt.After(r.Observations[i-1].OccurredAt) {
			t.Errorf("%d occurred at %s", i, o.OccurredAt)
		}
	}
}

func TestPlaywright(t *testing.T) {
	r := parsed(t, "order.playwright.jsonl")
	same(t, told(r), `
navigate -> https://shop.example/orders [] @ shop.example https://shop.example/orders
click link "" in row "A-1042 Ada open" -> https://shop.example/orders/7 [] @ shop.example https://shop.example/orders
select  "Status" = paid () @ shop.example https://shop.example/orders/7
type textbox "Note" = by transfer () @ shop.example https://shop.example/orders/7
type textbox "Password" = hunter2-canary (password) @ shop.example https://shop.example/orders/7
check checkbox "Notify customer" @ shop.example https://shop.example/orders/7
upload  "Receipt" = receipt.pdf () @ shop.example https://shop.example/orders/7
press textbox "Note" Enter @ shop.example https://shop.example/orders/7
click button "Save \"now\"" -> https://shop.example/orders/7 [Order saved] @ shop.example https://shop.example/orders/7
close_tab @ shop.example https://shop.example/orders/7
- a check of the page's whole structure
- a step of a kind that is not known: evaluate`)
	if r.Format != Playwright {
		t.Error(r.Format)
	}
}

// A recording is a stranger's text: whatever it is, it is refused or read, never run, and never too large.
func TestHostileRecordings(t *testing.T) {
	many := `{"title":"x","steps":[` + strings.TrimSuffix(strings.Repeat(`{"type":"navigate","url":"http://a.example/"},`, 2000), ",") + `]}`
	deep := strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000)
	for name, text := range map[string]string{
		"empty": "", "no text": "\xff\xfe", "not json": "steps", "an array": "[]", "no steps": `{"title":"x"}`,
		"steps of another kind": `{"steps":{"a":1}}`,
		"no web page":           `{"title":"x","steps":[{"type":"navigate","url":"file:///etc/passwd"},{"type":"click","selectors":[["#a"]]}]}`,
		"too many":              many, "too large": `{"title":"` + strings.Repeat("x", MaxBytes) + `"}`, "too deep": deep,
		"half a line": `{"name":"click"` + "\n", "only waits": `{"title":"x","steps":[{"type":"waitForExpression","expression":"1"}]}`,
	} {
		_, err := Parse([]byte(text), now)
		if c := fault.CodeOf(err); c != fault.InvalidRequest && c != fault.TooLarge && c != fault.InsufficientTraces {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := strings.Repeat("a", 50_000)
	raw, _ := json.Marshal(map[string]any{"title": "x\x00\n" + long, "steps": []any{
		map[string]any{"type": "navigate", "url": "http://a.example/"}, map[string]any{
			"type": "change", "value": long, "selectors": []any{[]string{"aria/" + long}}}, map[string]any{
			"type": "click", "selectors": []any{"aria/plain", 5, nil, map[string]any{}}},
	}})
	r, err := Parse(raw, now)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Title) > 200 || strings.ContainsAny(r.Title, "\x00\n") || len(r.Observations[1].Target.Name) > 200 ||
		len(r.Observations[1].Value.Text) > maxText || len(r.Observations) != 3 {
		t.Errorf("%d %d", len(r.Title), len(r.Observations))
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"order.devtools.json", "order.playwright.jsonl"} {
		raw, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(raw))
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse([]byte(text), now)
		if err == nil && len(r.Observations) == 0 {
			t.Error("nothing was read and nothing said")
		}
	})
}
