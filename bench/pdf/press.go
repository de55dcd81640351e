package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// press has LibreOffice make PDF documents of Word documents.
type press struct {
	dir  string // for what LibreOffice keeps
	kept string // for the documents: each kind of them in a folder of its own
}

// atATime is how many documents LibreOffice renders in one start: a start takes seconds.
const atATime = 12

// render makes PDF documents and says where each is. What is there already stays; an empty file is a document that LibreOffice does
// not read.
func (p press) render(ctx context.Context, kind string, names []string) map[string]string {
	to := filepath.Join(p.kept, kind)
	at := func(name string) string {
		return filepath.Join(to, strings.TrimSuffix(filepath.Base(name), ".docx")+".pdf")
	}
	missing := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, err := os.Stat(at(name))
		return err == nil
	})
	for some := range slices.Chunk(missing, atATime) {
		if p.start(ctx, to, 3*time.Minute, some...) == nil {
			continue
		}
		for _, name := range some { // one of them may have stopped it
			if _, err := os.Stat(at(name)); err != nil {
				_ = p.start(ctx, to, time.Minute, name) // what it does not make is missed below
			}
		}
	}
	out := map[string]string{}
	for _, name := range names {
		switch f, err := os.Stat(at(name)); {
		case err == nil && f.Size() > 0:
			out[name] = at(name)
		case err != nil:
			_ = os.WriteFile(at(name), nil, 0o600) // it would only be tried again
		}
	}
	return out
}

// start runs LibreOffice once.
func (p press) start(ctx context.Context, to string, bound time.Duration, names ...string) error {
	args := append([]string{"--kill-after=5", fmt.Sprint(bound.Seconds()), // it starts processes of its own
		"soffice", "-env:UserInstallation=file://" + filepath.Join(p.dir, "office"), "--headless", "--convert-to", "pdf", "--outdir", to},
		names...)
	b, err := exec.CommandContext(ctx, "timeout", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("soffice (libreoffice-writer-nogui): %w: %s", err, b)
	}
	return nil
}

// drawn makes a PDF document of a body.
func (p press) drawn(ctx context.Context, name, body string) ([]byte, error) {
	from := filepath.Join(p.dir, name+".docx")
	if err := writeDocx(from, body); err != nil {
		return nil, err
	}
	if err := p.start(ctx, p.dir, time.Minute, from); err != nil {
		return nil, err
	}
	return os.ReadFile(strings.TrimSuffix(from, ".docx") + ".pdf")
}

// halfOf says by a document's name whether it may be looked into in development: 0, or is only counted: 1.
func halfOf(name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(filepath.Base(name))) // a hash takes everything
	return int(h.Sum32() % 2)
}
