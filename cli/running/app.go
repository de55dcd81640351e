package running

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/desktop"
	"showhow/internal/detached"
	"showhow/internal/fault"
)

func appCommand(e *env) *cobra.Command {
	return kit.With(&cobra.Command{
		Use:   "app",
		Short: "Open the window; without a display, print an address for a browser",
		Long: `Starts the daemon when none runs, and opens Showhow's window. A window that is open already comes to the front.
Where no window can be had, it says why and prints an address that a browser opens once, as showhow open does.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.app(cmd.Context()) },
	}, "showhow app")
}

// AppOpened is the result of `showhow app`.
type AppOpened struct {
	Window  string                `json:"window"` // opened, raised or none
	Why     string                `json:"why,omitempty"`
	Browser *client.SessionOpened `json:"browser,omitempty"`
}

func (e *env) app(ctx context.Context) error {
	c, err := e.Connect(ctx)
	if err != nil {
		return err
	}
	how, err := e.window(ctx)
	if err == nil {
		if desktop.Panel(ctx, "") { // one more thing that shows what is watched; where it cannot, the window does
			if err := e.Background("tray"); err != nil {
				e.Note("showhow: no icon in the panel: %s", e.AsFault(err).Message)
			}
		}
		if e.JSON {
			return e.Print(AppOpened{Window: how})
		}
		e.Say("%s", map[string]string{"raised": "The window was open; it is in front now.", "opened": "The window is open."}[how])
		return nil
	}
	why := e.AsFault(err)
	s, err := c.OpenSession(ctx, false)
	if err != nil {
		return err
	}
	if e.JSON {
		return e.Print(AppOpened{Window: "none", Why: why.Message, Browser: &s})
	}
	e.Note("No window: %s.\n%s", why.Message, why.Hint)
	e.Say("%s", s.URL)
	if !s.Pages {
		e.Note("this build has no pages, so a browser shows nothing there; `make build` with Node and npm builds them")
	}
	return nil
}

// window starts the desktop program and returns once its window shows (opened), or another instance's window was
// raised (raised).
func (e *env) window(ctx context.Context) (string, error) {
	program, err := e.Desktop()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(program)
	cmd.Dir = "/"
	detached.Prepare(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", fault.Wrap(err, fault.UnsupportedInBuild, "the window's program does not start").WithHint("in a browser:")
	}
	said := make(chan string, 1)
	failed := make(chan error, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadBytes('\n')
		var up AppOpened
		if json.Unmarshal(line, &up) == nil && up.Window != "" {
			said <- up.Window
			return
		}
		text, _ := io.ReadAll(io.LimitReader(errs, 64<<10))
		cmd.Wait()
		failed <- windowFault(text)
	}()
	select {
	case how := <-said:
		return how, nil
	case err := <-failed:
		return "", err
	case <-time.After(time.Minute):
		return "", fault.New(fault.Internal, "the window did not open within a minute").WithHint("in a browser:")
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// windowFault is why the program ended before it had a window: its own error, or the system's if it could not be
// loaded.
func windowFault(text []byte) error {
	if err := kit.ParseFault(text); err != nil {
		return err
	}
	return fault.New(fault.UnsupportedInBuild, "the window's program does not run here").
		WithHint("it needs GTK 3 and WebKitGTK 4.1 (Debian: libgtk-3-0 libwebkit2gtk-4.1-0). In a browser:")
}
