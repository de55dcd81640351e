package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
	"showhow/internal/fault"
	"showhow/internal/version"
)

// supportLines is how much of the log goes into a bundle.
const supportLines = 200

func supportCommand(e *env) *cobra.Command {
	cmd := with(&cobra.Command{Use: "support [FILE]", Short: "Write a file with what a developer needs to help you",
		Long: `Lists what goes into the file and writes it; nothing is sent. It is plain text: read it before you pass it on. It holds no
observation, no proposal and no skill; your home, user and host name are replaced.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "showhow-support-" + time.Now().Format("20060102-150405") + ".txt"
			if len(args) == 1 {
				name = args[0]
			}
			return e.support(cmd.Context(), name)
		}}, "showhow support", "showhow support /tmp/showhow.txt")
	return cmd
}

// section is a part of the bundle. A part that cannot be had holds the reason.
type section struct {
	Title string `json:"title"`
	text  string
}

func (e *env) support(ctx context.Context, name string) error {
	sections := e.sections(ctx)
	var b strings.Builder
	for _, s := range sections {
		fmt.Fprintf(&b, "== %s\n%s\n\n", s.Title, strings.TrimSpace(e.redact(s.text)))
		e.say("  %s", s.Title)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fault.Wrap(err, fault.Usage, "the file cannot be made").WithHint("it must not exist yet, in a folder that you can write")
	}
	if _, err := f.WriteString(b.String()); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"file": name, "sections": sections})
	}
	e.say("Written to %s. Read it before you pass it on.", name)
	return nil
}

func (e *env) sections(ctx context.Context) []section {
	v := version.Get()
	out := []section{{"version of this program", fmt.Sprintf("%s %s %s", v.Version, v.Commit, v.Go)}}
	c, err := e.connect(ctx)
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
		text := indented(e.body)
		if failed != nil {
			f := e.asFault(failed)
			text = fmt.Sprintf("not available: %s (%s)", f.Message, f.Code)
		}
		out = append(out, section{s.title, text})
	}
	lines, err := e.logLines(supportLines)
	if err != nil {
		lines = []string{"not available: " + e.asFault(err).Message}
	}
	return append(out, section{fmt.Sprintf("the last %d lines of the log", supportLines), strings.Join(lines, "\n")})
}

func indented(body []byte) string {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return string(body)
	}
	b, _ := json.MarshalIndent(v, "", "  ") // came from JSON: cannot fail
	return string(b)
}

// redact replaces what names the person or the machine.
func (e *env) redact(text string) string {
	text = strings.ReplaceAll(text, e.roots.Home, "~")
	if u, err := user.Current(); err == nil && len(u.Username) > 2 && u.Username != "root" {
		text = strings.ReplaceAll(text, u.Username, "<user>")
	}
	if h, err := os.Hostname(); err == nil && len(h) > 2 && h != "localhost" {
		text = strings.ReplaceAll(text, h, "<host>")
	}
	return text
}
