//go:build linux

package window

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJourney is the main journey in the real window: it opens on Learn, watching is set up and started, a person
// demonstrates, capture is stopped, and the review appears. On the way the window asks for confirmation in a dialog
// of its own, is closed by mistake and started twice.
func TestJourney(t *testing.T) {
	d := display(t)
	s := d.stage(t)
	window := d.start(t, s)
	b := openBus(t, d.bus)

	b.named(t, "heading", "Ability Learning")
	tree := b.root().tree()
	for _, want := range []string{`link "Skills`, `link "Learn`, `heading "Create new ability by:`, `link "Demonstrating Skill`,
		`link "Trust"`} {
		if !strings.Contains(tree, want) {
			t.Errorf("a screen reader is not told of %s:\n%s", want, tree)
		}
	}

	d.picture(t, "learn")
	b.press(t, "link", "Demonstrating Skill")
	d.fill(t, b, "What will you show?", "Change an order")
	d.fill(t, b, "Add: sites", s.Site)
	b.press(t, "button", "Add")
	b.named(t, "toggle button", s.Site)
	b.press(t, "button|toggle button", "More choices")
	b.press(t, "radio", "Readable in named programs")
	d.fill(t, b, "In which programs or sites?", "notes")
	b.press(t, "button", "Start watching")
	b.named(t, "label", "Start with what you chose in advance") // in a dialog of the window's own, which no page can press
	d.picture(t, "confirm")
	b.press(t, "button", "Yes")
	b.said(t, "Watching since")
	s.perform(t)
	d.picture(t, "watching")

	d.closeWindow(t)
	b.named(t, "label", "Showhow is ")
	d.picture(t, "closing")
	b.press(t, "button", "No")
	b.press(t, "button", "Stop")
	b.press(t, "button", "Draft the skill")
	b.named(t, "heading", "Workflow")
	d.picture(t, "review")

	if out, err := d.command(s, "showhow-desktop").Output(); err != nil || strings.TrimSpace(string(out)) != `{"window":"raised"}` {
		t.Errorf("a second start: %s, %v", out, err)
	}

	d.closed(t, window)
	kept, err := os.ReadFile(filepath.Join(s.Home, ".local", "state", "showhow", "window.json"))
	if err != nil || !strings.Contains(string(kept), `"placed":true`) {
		t.Errorf("where the window stood: %s, %v", kept, err)
	}
}
