package player

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/browser"
	"showhow/capture"
)

const benchForm = `<!doctype html><title>Order</title><h1>New order</h1><form action="/done"><label>Customer <input name=c></label>` +
	`<label>Street <input name=s></label>
<label>Country <select name=y><option>Germany</option><option>France</option></select></label><label><input type=checkbox name=g>` +
	` Gift</label>
<label>Note <input name=n></label><button type=button onclick="fetch('/check').then(r => r.text()).then(t => { out.textContent = t })">` +
	`Check</button><p role=status id=out></p><button>Send</button></form>`

// BenchmarkPlay plays the same steps alternately with the player and with @puppeteer/replay
// (SHOWHOW_NODE_MODULES, else build/judges/node_modules): ms/run is ours, ratio is ours to theirs.
// Both look for their targets by role and name.
func BenchmarkPlay(b *testing.B) {
	s := serve(b, map[string]any{"/": `<!doctype html><title>Start</title><h1>Orders</h1><a href="/form">New order</a>`, "/form": benchForm,
		"/check": func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(20 * time.Millisecond) // pace: a slow server
			fmt.Fprint(w, "Fine")
		},
		"/done": `<!doctype html><title>Done</title><h1>Thank you</h1><a href="/">Back</a>`})
	type step = map[string]any
	aria := func(kind, role, name string, more step) step {
		out := step{"type": kind, "target": "main", "selectors": [][]string{{fmt.Sprintf(`aria/%s[role="%s"]`, name, role)}}}
		if kind == "click" {
			out["offsetX"], out["offsetY"] = 5, 5
		}
		for k, v := range more {
			out[k] = v
		}
		return out
	}
	lands := func(url string) step {
		return step{"assertedEvents": []step{{"type": "navigation", "url": s.URL + url}}}
	}
	flow := step{"title": "order", "steps": []step{
		{"type": "navigate", "url": s.URL + "/"},
		aria("click", "link", "New order", lands("/form")),
		aria("change", "textbox", "Customer", step{"value": "Ada Lovelace"}),
		aria("change", "textbox", "Street", step{"value": "12 St James's Square"}),
		aria("change", "combobox", "Country", step{"value": "France"}),
		aria("click", "checkbox", "Gift", nil),
		aria("change", "textbox", "Note", step{"value": "Please ring twice"}),
		aria("click", "button", "Check", nil),
		aria("click", "button", "Send", lands("/done?x")),
		aria("click", "link", "Back", lands("/")),
	}}
	acts := []Act{{Verb: capture.Navigate, URL: s.URL + "/"}, click("link", "New order"), enter("Customer", "Ada Lovelace"),
		enter("Street", "12 St James's Square"),
		{Verb: capture.Select, Target: on("combobox", "Country"), Value: "France"},
		{Verb: capture.Check, Target: on("checkbox", "Gift")}, enter("Note", "Please ring twice"),
		click("button", "Check"), click("button", "Send"), click("link", "Back")}
	p := alone(b, Options{Guard: func(Request) string { return "" }}, nil)
	var ours, theirs []float64
	perVerb := map[string]float64{}
	for range max(b.N, 5) {
		begin := time.Now()
		for _, a := range acts {
			at := time.Now()
			do(b, p, a)
			perVerb[string(a.Verb)] += float64(time.Since(at).Milliseconds())
		}
		ours = append(ours, float64(time.Since(begin).Microseconds())/1000)
		if len(ours)%5 == 0 {
			theirs = append(theirs, replayed(b, flow, 5)...)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(ours), "ms/run")
	b.Log(perVerb, len(ours))
	if len(theirs) > 0 {
		b.ReportMetric(median(theirs), "replay-ms/run")
		b.ReportMetric(median(ours)/median(theirs), "ratio")
	}
}

func replayed(b *testing.B, flow any, runs int) (out []float64) {
	modules := os.Getenv("SHOWHOW_NODE_MODULES")
	if modules == "" {
		modules, _ = filepath.Abs("../../build/judges/node_modules")
	}
	if _, err := os.Stat(filepath.Join(modules, "@puppeteer", "replay")); err != nil {
		return nil
	}
	node := filepath.Join(modules, ".bin", "node")
	if _, err := os.Stat(node); err != nil {
		node = "node"
	}
	chromium, err := browser.Find()
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	script, err := os.ReadFile("testdata/replay.mjs")
	if err != nil {
		b.Fatal(err)
	}
	text, _ := json.Marshal(flow)
	for name, content := range map[string][]byte{"replay.mjs": script, "flow.json": text} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(node, "replay.mjs", chromium, "flow.json", fmt.Sprint(runs))
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	told, err := cmd.Output()
	if err != nil || json.Unmarshal([]byte(strings.TrimSpace(string(told))), &out) != nil {
		b.Fatalf("replay: %v %s", err, told)
	}
	return out
}

func median(all []float64) float64 {
	s := slices.Sorted(slices.Values(all))
	return s[len(s)/2]
}
