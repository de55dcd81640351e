package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"showhow/bench/corpus"
	"showhow/daemon/client"
)

// demonstrate has a workflow shown once and recorded; it returns the stopped session's id.
func (o *office) demonstrate(ctx context.Context, f *corpus.Workflow, n int, exampleOf string) (string, error) {
	session := ""
	var shown func()
	begin := func() error {
		created, err := o.c.CreateSession(ctx, client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent",
			Scope: o.scope(f), Goal: f.Goal, ExampleOf: exampleOf})
		if err != nil {
			return err
		}
		session = created.Session.LearnSessionID
		if _, err = o.c.StartSession(ctx, session); err == nil {
			shown = o.indicate(ctx)
		}
		return err
	}
	end := func() error {
		if err := o.settle(ctx, session); err != nil {
			return err
		}
		shown()
		shown = nil
		_, err := o.c.StopSession(ctx, session)
		return err
	}
	err := o.stage.Perform(ctx, f, n, begin, end)
	if shown != nil {
		shown()
	}
	if err != nil && session != "" {
		_, _ = o.c.CancelSession(context.WithoutCancel(ctx), session, "the demonstration failed")
	}
	return session, err
}

// scope is what the workflow needs to be watched, and no more.
func (o *office) scope(f *corpus.Workflow) *client.Scope {
	s := client.Scope{Sites: []string{}, Shells: []string{}, Apps: []string{}, Folders: []string{}, Devices: []string{}}
	if f.App != "" {
		s.Sites = append(s.Sites, o.world.Site(f.App))
		s.Folders = append(s.Folders, o.downloads())
	}
	if f.Shell {
		s.Shells = append(s.Shells, o.stage.Shell.TTY())
	}
	if f.Folder != "" {
		s.Folders = append(s.Folders, filepath.Join(o.home, f.Folder))
	}
	return &s
}

// quiet is how long nothing new must come before the person presses stop.
const quiet = 500 * time.Millisecond

// settle waits until the recorder has told all of the last act, as long as a person's hand needs to the stop button.
func (o *office) settle(ctx context.Context, session string) error {
	var kept int64 = -1
	since := time.Now()
	for limit := time.Now().Add(30 * time.Second); time.Since(since) < quiet; {
		s, err := o.c.ObservationScope(ctx, session)
		if err != nil { // a busy machine; it is asked again
			if time.Now().After(limit) {
				return err
			}
			time.Sleep(200 * time.Millisecond)
			continue
		}
		if s.CaptureState != "capturing" {
			return fmt.Errorf("capture is %s (%s)", s.CaptureState, s.PauseReason)
		}
		if s.EventsKept != kept {
			kept, since = s.EventsKept, time.Now()
		}
		if time.Now().After(limit) {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil
}

// indicate says that this terminal shows the capture, and returns what ends that.
func (o *office) indicate(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			_, _ = o.c.RenewIndicator(ctx, "terminal") // a lease that runs out pauses the capture, which settle notices
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return func() { cancel(); <-done }
}

// observations are all records of a session, in order of occurrence: what happened first was not always told first.
func (o *office) observations(ctx context.Context, session string) ([]client.Record, error) {
	var out []client.Record
	for page := 1; ; page++ {
		l, err := o.c.Observations(ctx, session, client.PageQuery{Page: page, PageSize: 100})
		if err != nil {
			return nil, err
		}
		out = append(out, l.Observations...)
		if len(l.Observations) == 0 || len(out) >= l.Total {
			slices.SortStableFunc(out, func(a, b client.Record) int { return strings.Compare(a.Action.OccurredAt, b.Action.OccurredAt) })
			return out, nil
		}
	}
}
