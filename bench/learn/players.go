package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"showhow/bench/corpus"
	"showhow/bench/corpus/apps"
	"showhow/browser"
	"showhow/capture"
	"showhow/daemon/client"
	"showhow/internal/lazyre"
)

//go:embed players.mjs
var playersScript string

// players are @puppeteer/replay and Playwright, in a process of their own.
type players struct {
	cmd *exec.Cmd
	dir string
	in  io.WriteCloser
	out *bufio.Reader
}

// playerNames in the order in which they play.
var playerNames = []string{"replay", "playwright"}

// timed are the workflows whose steps the other players support as well.
var timed = map[string]bool{"lend-book": true, "add-member": true, "edit-contact": true, "change-sender": true, "set-level": true,
	"create-card": true}

// needed are the packages that the other players consist of.
var needed = []string{"@puppeteer/replay", "puppeteer-core", "playwright-core"}

// modules is where the other players are installed, and what is missing.
func modules() (dir string, missing []string) {
	if dir = os.Getenv("SHOWHOW_NODE_MODULES"); dir == "" {
		dir, _ = filepath.Abs("build/judges/node_modules")
	}
	for _, name := range needed {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name), "package.json")); err != nil {
			missing = append(missing, name)
		}
	}
	return dir, missing
}

func startPlayers(ctx context.Context, modules string) (*players, error) {
	chromium, err := browser.Find()
	if err != nil {
		return nil, err
	}
	p := &players{}
	if p.dir, err = os.MkdirTemp("", "shp"); err != nil {
		return nil, err
	}
	script := filepath.Join(p.dir, "players.mjs")
	if err = os.WriteFile(script, []byte(playersScript), 0o600); err == nil {
		err = os.Symlink(modules, filepath.Join(p.dir, "node_modules"))
	}
	if err != nil {
		p.close()
		return nil, err
	}
	node := filepath.Join(modules, ".bin", "node")
	if _, err := os.Stat(node); err != nil {
		node = "node"
	}
	cmd := exec.CommandContext(ctx, node, script, chromium)
	cmd.Env = append(os.Environ(), "TMPDIR="+p.dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		p.in, err = cmd.StdinPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.close()
		return nil, err
	}
	p.cmd, p.out = cmd, bufio.NewReader(out)
	return p, nil
}

func (p *players) close() {
	if p.in != nil {
		_ = p.in.Close()
	}
	if p.cmd != nil {
		_ = p.cmd.Wait()
	}
	_ = os.RemoveAll(p.dir)
}

// shown is one demonstrated step in the other players' form.
type shown struct {
	Act    string `json:"act"` // open, click, fill, choose
	URL    string `json:"url,omitempty"`
	Role   string `json:"role,omitempty"`
	Name   string `json:"name,omitempty"`
	Value  string `json:"value,omitempty"`
	Leaves bool   `json:"leaves,omitempty"` // another page comes
}

// play has one of them perform the steps and returns the time from the browser's start until nothing of it is left,
// as for a rehearsal.
func (p *players) play(name string, steps []shown) (time.Duration, error) {
	b, err := json.Marshal(map[string]any{"player": name, "steps": steps})
	if err != nil {
		return 0, err
	}
	if _, err := p.in.Write(append(b, '\n')); err != nil {
		return 0, err
	}
	stuck := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() }) // its own limits have not helped
	line, err := p.out.ReadBytes('\n')
	stuck.Stop()
	if err != nil {
		return 0, err
	}
	var answer struct {
		MS    float64 `json:"ms"`
		Error string  `json:"error"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return 0, err
	}
	if answer.Error != "" {
		return 0, errors.New(answer.Error)
	}
	return time.Duration(answer.MS * float64(time.Millisecond)), nil
}

// seal matches a sealed value in a readable text.
var seal = lazyre.New(`\[\[[^\]]* (v_[a-z0-9]+)\]\]`)

// steps are the demonstrated steps for other players: acts on fields, buttons and links, with the original values.
func steps(records []client.Record, values map[string]string) (out []shown) {
	open := func(s string) string {
		return seal.ReplaceAllStringFunc(s, func(m string) string { return values[seal.FindStringSubmatch(m)[1]] })
	}
	for _, r := range records {
		a, s := r.Action, shown{}
		if t := a.Target; t != nil {
			s.Role, s.Name = t.Role, open(t.Name)
		}
		if a.Value != nil {
			s.Value = values[a.Value.LinkID]
		}
		switch capture.Verb(a.Verb) {
		case capture.NewTab, capture.Navigate:
			s = shown{Act: "open", URL: open(a.Page.URL)}
		case capture.Click:
			if s.Role == "textbox" || s.Role == "searchbox" || s.Role == "spinbutton" {
				continue // typing goes there by itself
			}
			s.Act = "click"
			s.Leaves = r.Before != nil && r.After != nil && page(r.Before.URL) != page(r.After.URL)
		case capture.Check, capture.Uncheck:
			s.Act = "click"
		case capture.Type:
			s.Act = "fill"
		case capture.Select:
			s.Act = "choose"
		default:
			continue
		}
		out = append(out, s)
	}
	return out
}

// page is an address without the fragment.
func page(url string) string {
	page, _, _ := strings.Cut(url, "#")
	return page
}

// race replays the demonstration itself, alternately by Showhow and by the others, each on fresh data. Times of runs
// that did not reach the effect according to the application's record do not count.
func (o *office) race(ctx context.Context, f *corpus.Workflow, d client.ProposalDetail, names map[string]string, session string,
	p *players) (map[string]time.Duration, error) {
	records, err := o.observations(ctx, session)
	if err != nil {
		return nil, err
	}
	opened, err := o.C.Values(ctx, session)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, v := range opened.Values {
		values[v.LinkID] = v.Value
	}
	todo := steps(records, values)
	v := f.Values(apps.New(f.App, corpus.Seed), 0)
	best := map[string]time.Duration{}
	note := func(name string, before *apps.App, took time.Duration, err error) {
		ok, why := f.Succeeded(before, o.world.Apps[f.App], o.Home, v)
		if os.Getenv("VERBOSE") != "" {
			fmt.Fprintf(os.Stderr, "  %s %s: %v, %v %s %v\n", f.Name, name, took, ok, why, err)
		}
		if old := best[name]; err == nil && ok && took > 0 && (old == 0 || took < old) {
			best[name] = took
		}
	}
	for range 2 {
		before, err := o.world.Ready(f, o.Home, corpus.Seed)
		if err != nil {
			return nil, err
		}
		r, _, err := o.perform(ctx, f, d, o.parameters(f, v, names, d))
		var took time.Duration
		if err == nil && r.CompletedAt != nil {
			took = r.CompletedAt.Sub(r.StartedAt.Time)
		}
		note("showhow", before, took, err)
		for _, name := range playerNames {
			if before, err = o.world.Ready(f, o.Home, corpus.Seed); err != nil {
				return nil, err
			}
			took, err := p.play(name, todo)
			note(name, before, took, err)
		}
	}
	return best, nil
}
