package pipeline

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/capture"
	"showhow/capture/cmdline"
)

// A person may read a value in a document and type it somewhere. When a command of theirs has shown a document (showhow
// pdf value FILE and its like), the same document is read here, too, and what they supply from then on is looked for in
// it: at the place that the command named, or everywhere. The document is in memory only, and only until the capture
// ends; what is kept is the place, never what else the document says.
const (
	maxReadings = 8                // commands; the oldest is forgotten
	readingTime = 10 * time.Second // values wait for a document as long as it is read
)

// readings are the documents that were read. They belong to the pipeline's goroutine, except for their content.
type readings struct {
	all     []*reading
	stop    []context.CancelFunc
	working sync.WaitGroup
}

type reading struct {
	event, path string
	place       capture.DocumentPlace // that the command named, if it showed one value
	done        chan struct{}         // closed when doc is set, or the document could not be read
	doc         capture.Document
}

// read begins to read the document that a command in a watched shell has shown. What an agent reports of its commands is
// no reason to open a file.
func (p *Pipeline) read(o capture.Observation, event string) {
	c := o.Command
	if p.cfg.Document == nil || o.Kind != capture.TerminalCommand || o.Origin.Shell == "" || c == nil || c.Exit != 0 || c.Running {
		return
	}
	shown, ok := cmdline.ReadingOf(c.Line)
	if !ok {
		return
	}
	name := shown.File
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		name = filepath.Join(p.cfg.Home, rest)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.CwdFrom, name)
	}
	if !filepath.IsAbs(name) {
		return
	}
	x := &reading{event: event, path: filepath.Clean(name), place: shown.Place, done: make(chan struct{})}
	r := &p.readings
	r.all = slices.DeleteFunc(r.all, func(o *reading) bool { return o.path == x.path && o.place == x.place })
	r.all = append(r.all[max(0, len(r.all)-maxReadings+1):], x)
	ctx, stop := context.WithTimeout(context.Background(), readingTime)
	r.stop = append(r.stop, stop)
	r.working.Go(func() {
		defer close(x.done)
		if doc, err := p.cfg.Document(ctx, x.path); err == nil { // an unreadable document is no source
			x.doc = doc
		}
	})
}

// find returns where the documents have a text; nil if it is not clear which place it came from.
func (r *readings) find(text string) *capture.Shown {
	var named, found []*capture.Shown
	for _, x := range r.all {
		<-x.done
		if x.doc == nil {
			continue
		}
		if x.place.Beside+x.place.Under != "" {
			if at, ok := x.doc.Shows(x.place, text); ok {
				named = append(named, &capture.Shown{EventID: x.event, Named: &at})
			}
			continue
		}
		if at := x.doc.Find(text); len(at) > 0 {
			found = append(found, &capture.Shown{EventID: x.event, Found: at})
		}
	}
	switch {
	case len(named) == 1:
		return named[0]
	case len(named) == 0 && len(found) == 1:
		return found[0]
	}
	return nil
}

// end forgets everything.
func (r *readings) end() {
	for _, stop := range r.stop {
		stop()
	}
	r.working.Wait()
	r.all = nil
}
