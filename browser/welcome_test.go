//go:build linux

package browser

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"showhow/browser/browsertest"
)

// tabs returns the addresses of the open tabs, once there are n.
func tabs(t *testing.T, b *Browser, n int) string {
	t.Helper()
	var urls []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		all, err := cdp.Call(t.Context(), b.Root(), target.GetTargets, target.GetTargetsParams{})
		if err != nil {
			t.Fatal(err)
		}
		urls = urls[:0]
		for _, i := range all.TargetInfos {
			if i.Type == "page" {
				urls = append(urls, i.URL)
			}
		}
		if len(urls) >= n {
			break
		}
	}
	return strings.Join(urls, " ")
}

// A persistent profile explains itself in the first window a person sees, and never again.
func TestAnEmptyProfileIsExplainedOnce(t *testing.T) {
	browsertest.Display(t)
	o := testOptions()
	o.Profile = filepath.Join(t.TempDir(), "managed")
	hidden := launch(t, o) // nobody sees this one
	if got := tabs(t, hidden, 1); strings.Contains(got, welcomePage) {
		t.Errorf("explained to nobody: %s", got)
	}
	if err := hidden.Close(); err != nil {
		t.Fatal(err)
	}
	o.Headless = new(false)
	for i, want := range []int{1, 0} {
		m := NewManager(o)
		if err := m.Open(t.Context(), "about:blank"); err != nil {
			t.Fatal(err)
		}
		if err := m.Open(t.Context(), "data:text/html,later"); err != nil {
			t.Fatal(err)
		}
		got := tabs(t, m.Running(), 2)
		if n := strings.Count(got, welcomePage); n != want || !strings.Contains(got, "later") {
			t.Errorf("start %d shows %s", i+1, got)
		}
		if m.Running().Headless() {
			t.Error("it has no window")
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A requested page does not hide the explanation, and is open as well. A page to be brought to the
// front does hide it.
func TestTheExplanationStaysInFront(t *testing.T) {
	browsertest.Display(t)
	t.Run("open", func(t *testing.T) { inFront(t, (*Manager).Open, welcomePage) })
	t.Run("front", func(t *testing.T) { inFront(t, (*Manager).Front, "task") })
}

func inFront(t *testing.T, show func(*Manager, context.Context, string) error, seen string) {
	o := testOptions()
	o.Profile, o.Headless = filepath.Join(t.TempDir(), "managed"), new(false)
	m := NewManager(o)
	defer m.Close()
	if err := show(m, t.Context(), "data:text/html,<title>task</title>"); err != nil {
		t.Fatal(err)
	}
	if got := tabs(t, m.Running(), 2); !strings.Contains(got, welcomePage) || !strings.Contains(got, "task") {
		t.Fatalf("tabs %s", got)
	}
	c, err := m.Running().NewClient(t.Context(), newSpy())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	spy := c.handler.(*spy)
	if err := c.AutoAttach(t.Context()); err != nil {
		t.Fatal(err)
	}
	spy.mu.Lock()
	defer spy.mu.Unlock()
	for what, s := range spy.opened {
		var res runtime.EvaluateResult
		if err := s.Call(t.Context(), runtime.CommandEvaluate,
			runtime.EvaluateParams{Expression: "document.visibilityState", ReturnByValue: new(true)}, &res); err != nil {
			t.Fatal(err)
		}
		if got := string(res.Result.Value); (got == `"visible"`) != strings.Contains(what, seen) {
			t.Errorf("%s is %s", what, got)
		}
	}
	if len(spy.opened) != 2 {
		t.Errorf("%v", spy.opened)
	}
}
