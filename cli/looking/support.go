package looking

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/user"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"showhow/capture/redact"
	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
	"showhow/internal/version"
)

// supportLines is how many log lines go into a bundle.
const supportLines = 200

func supportCommand(e *env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "support [FILE]", Short: "Write a file with what a developer needs to help you",
		Long: `Shows all that goes into the file, asks, and writes it; nothing is sent. It holds versions, what the doctor found, the
settings and the end of the log, and no observation, no proposal and no skill. Your home, user and host name are replaced, and
so is what looks like a secret.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "showhow-support-" + time.Now().Format("20060102-150405") + ".txt"
			if len(args) == 1 {
				name = args[0]
			}
			return e.support(cmd.Context(), name)
		}}, "showhow support", "showhow support /tmp/showhow.txt")
	return cmd
}

// section is a part of the bundle. If a part is not available, it contains the reason.
type section struct {
	Title string `json:"title"`
	text  string
}

func (e *env) support(ctx context.Context, name string) error {
	rules, err := redact.Load()
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the rules that find secrets cannot be loaded")
	}
	defer rules.Close()
	sections := e.sections(ctx)
	var b strings.Builder
	for _, s := range sections {
		fmt.Fprintf(&b, "== %s\n%s\n\n", s.Title, strings.TrimSpace(e.redact(rules, s.text)))
	}
	e.Say("%s", strings.TrimSpace(b.String()))
	if e.AsksPerson() {
		e.Say("\nThis goes into %s. Write it? [y/N]", name)
		line, err := kit.ReadLine(ctx, bufio.NewReader(e.In))
		if err != nil || !strings.EqualFold(line, "y") && !strings.EqualFold(line, "yes") {
			e.Say("nothing was written")
			return nil
		}
	}
	if err := kit.WriteNew(name, 0o600, []byte(b.String())); err != nil {
		return err
	}
	if e.JSON {
		return e.Print(map[string]any{"file": name, "sections": sections})
	}
	e.Say("\nWritten to %s. Read it before you pass it on.", name)
	return nil
}

func (e *env) sections(ctx context.Context) []section {
	v := version.Get()
	out := []section{{"version of this program", fmt.Sprintf("%s %s %s", v.Version, v.Commit, v.Go)}, {"this computer", e.computer()}}
	c, err := e.Connect(ctx)
	for _, s := range []struct {
		title string
		get   func(*client.Client) error
	}{
		{"status of the daemon", func(c *client.Client) error { _, err := c.Status(ctx); return err }},
		{"what the doctor found", func(c *client.Client) error { _, err := c.Doctor(ctx); return err }},
		{"settings in force", func(c *client.Client) error { _, err := c.Settings(ctx); return err }},
	} {
		failed := err
		if failed == nil {
			failed = s.get(c)
		}
		text := indented(e.Body)
		if failed != nil {
			f := e.AsFault(failed)
			text = fmt.Sprintf("not available: %s (%s)", f.Message, f.Code)
		}
		out = append(out, section{s.title, text})
	}
	lines, err := e.logLines(supportLines)
	if err != nil {
		lines = []string{"not available: " + e.AsFault(err).Message}
	}
	return append(out, section{fmt.Sprintf("the last %d lines of the log", supportLines), strings.Join(lines, "\n")})
}

// computer describes the computer and desktop session, which the daemon cannot know.
func (e *env) computer() string {
	name := runtime.GOOS + "/" + runtime.GOARCH
	if b, err := os.ReadFile("/etc/os-release"); err == nil {
		for line := range strings.Lines(string(b)) {
			if n, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
				name += ", " + strings.Trim(n, `"`)
			}
		}
	}
	set := func(variable string) string {
		if v := e.Getenv(variable); v != "" {
			return v
		}
		return "none"
	}
	window := "it would open here"
	if _, err := e.Desktop(); err != nil {
		window = e.AsFault(err).Message
	}
	return fmt.Sprintf("%s\ndesktop %s, session %s, shell %s\nwindow: %s", name, set("XDG_CURRENT_DESKTOP"), set("XDG_SESSION_TYPE"),
		set("SHELL"), window)
}

func indented(body []byte) string {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return string(body)
	}
	b, _ := json.MarshalIndent(v, "", "  ") // came from JSON: cannot fail
	return string(b)
}

// redact replaces what identifies the person or the machine, and what looks like a secret: a command in the settings
// may contain one.
func (e *env) redact(rules *redact.Redactor, text string) string {
	text = rules.Text(text)
	text = strings.ReplaceAll(text, e.Roots.Home, "~")
	if u, err := user.Current(); err == nil && len(u.Username) > 2 && u.Username != "root" {
		text = strings.ReplaceAll(text, u.Username, "<user>")
	}
	if h, err := os.Hostname(); err == nil && len(h) > 2 && h != "localhost" {
		text = strings.ReplaceAll(text, h, "<host>")
	}
	return text
}
