package interchange

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"showhow/browser"
	"showhow/capture"
	"showhow/daemon/workflow"
)

const listPage = `<!doctype html><title>Orders</title><h1>Orders</h1><table><tr><td>A-1041</td><td><a href="/orders/6">Open</a></td>` +
	`</tr><tr><td>A-1042</td><td><a href="/orders/7">Open</a></td></tr></table>`

const orderPage = `<!doctype html><title>Order</title><h1>Order</h1><form method="post"><label>Status <select name="status"><option>` +
	`open</option><option>paid</option></select></label>
<label>Note <input name="note"></label><label><input type="checkbox" name="notify"> Notify customer</label><button>Save changes</button>` +
	`</form>`

// shop keeps what was sent to it.
type shop struct {
	mu   sync.Mutex
	sent []string
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch {
	case r.Method == http.MethodPost:
		s.mu.Lock()
		s.sent = append(s.sent, strings.Join([]string{r.URL.Path, r.FormValue("status"), r.FormValue("note"), r.FormValue("notify")}, "|"))
		s.mu.Unlock()
		http.Redirect(w, r, "/orders", http.StatusSeeOther)
	case r.URL.Path == "/orders":
		_, _ = w.Write([]byte(listPage))
	default:
		_, _ = w.Write([]byte(orderPage))
	}
}

// shown is what a person did in the shop: opened an order, changed it, saved it.
func shown(base string) workflow.Graph {
	step := func(verb capture.Verb, role, name, value string) workflow.Step {
		return workflow.Step{Surface: "browser", Verb: verb, Target: &capture.Target{Role: role, Name: name}, Value: value,
			Page: &capture.Page{URL: base + "/orders/7"}}
	}
	begin := workflow.Step{Surface: "browser", Verb: capture.Navigate, Page: &capture.Page{URL: base + "/orders"}}
	open := step(capture.Click, "link", "Open", "")
	open.Page.URL = base + "/orders"
	open.Target.Landmark = &capture.Landmark{Role: "row", Name: "{order}"}
	open.Target.Locators = []capture.Locator{{By: "css", Value: "tr:nth-of-type(2) a"}}
	open.Target.Name = "{*}" // so that a player that knows no rows finds it by its place
	open.Target.Role = "link"
	open.Before, open.After = &capture.State{URL: base + "/orders"}, &capture.State{URL: base + "/orders/7"}
	save := step(capture.Submit, "button", "Save changes", "")
	save.Before, save.After = open.After, open.Before
	notify := step(capture.Check, "checkbox", "Notify customer", "")
	return workflow.Graph{Params: []workflow.Param{{Name: "order", Role: "input"}, {Name: "note", Role: "input", Example: "from the example"}},
		Steps: []workflow.Step{begin, open, step(capture.Select, "combobox", "Status", "paid"), step(capture.Type, "textbox", "Note", "{note}"),
			notify, save, {Surface: "shell", Verb: capture.Run, Command: "ls"}}}
}

// The packages that own the formats perform what is written, in a real Chromium; the shop's own record decides.
func TestTheirPlayersPerformOurExport(t *testing.T) {
	modules := os.Getenv("SHOWHOW_NODE_MODULES")
	if modules == "" {
		modules, _ = filepath.Abs("../../build/judges/node_modules")
	}
	chromium, err := browser.Find()
	_, missing := os.Stat(filepath.Join(modules, "@puppeteer", "replay"))
	if err != nil || missing != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("install Chromium and the judges: build/setup.sh test")
		}
		t.Skip("Chromium or the judges are not installed: build/setup.sh test")
	}
	node := filepath.Join(modules, ".bin", "node")
	if _, err := os.Stat(node); err != nil {
		node = "node"
	}
	script, err := os.ReadFile("testdata/judge.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{DevTools, Playwright} {
		t.Run(format, func(t *testing.T) {
			s := &shop{}
			server := httptest.NewServer(s)
			defer server.Close()
			f, err := Write(format, "Change an order", "change-order", shown(server.URL),
				map[string]string{"order": "A-1042", "note": `by "transfer" {x}`})
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"judge.mjs": string(script), f.FileName: f.Content} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), node, filepath.Join(dir, "judge.mjs"), format, filepath.Join(dir, f.FileName), chromium)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s\n%s", err, out, f.Content)
			}
			if got := strings.Join(s.sent, "\n"); got != `/orders/7|paid|by "transfer" {x}|on` {
				t.Errorf("the shop was sent %q", got)
			}
			again, err := Parse([]byte(f.Content), now)
			if err != nil || len(again.Observations) != 6 {
				t.Errorf("what was written is not read: %v\n%s", err, told(again))
			}
		})
	}
}

func TestWhatAnExportCannotSay(t *testing.T) {
	f, err := Write(DevTools, "x", "x", shown("http://a.example"), nil)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(f.Notes, "; ")
	if !strings.Contains(notes, "the input order has no value") || strings.Contains(notes, "note has") ||
		!strings.Contains(notes, "steps outside the browser") || !strings.Contains(f.Content, "from the example") {
		t.Errorf("%s\n%s", notes, f.Content)
	}
	if _, err := Write(Playwright, "x", "x", workflow.Graph{Steps: []workflow.Step{{Surface: "shell"}}}, nil); err == nil {
		t.Error("a skill without a browser part was written")
	}
	if _, err := Write("other", "x", "x", shown("http://a.example"), nil); err == nil {
		t.Error("an unknown format was written")
	}
}
