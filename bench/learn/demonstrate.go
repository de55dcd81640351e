package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"showhow/bench/corpus"
	"showhow/daemon/client"
)

// demonstrate has a workflow demonstrated once and recorded; it returns the stopped session's id.
func (o *office) demonstrate(ctx context.Context, f *corpus.Workflow, n int, exampleOf string) (string, error) {
	session := ""
	var shown func()
	begin := func() error {
		created, err := o.C.CreateSession(ctx, client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent",
			Scope: o.scope(f), Goal: f.Goal, ExampleOf: exampleOf})
		if err != nil {
			return err
		}
		session = created.Session.LearnSessionID
		if _, err = o.C.StartSession(ctx, session); err == nil {
			shown = o.Indicate(ctx)
		}
		return err
	}
	end := func() error {
		if err := o.Settle(ctx, session); err != nil {
			return err
		}
		shown()
		shown = nil
		_, err := o.C.StopSession(ctx, session)
		return err
	}
	err := o.stage.Perform(ctx, f, n, begin, end)
	if shown != nil {
		shown()
	}
	if err != nil && session != "" {
		_, _ = o.C.CancelSession(context.WithoutCancel(ctx), session, "the demonstration failed")
	}
	return session, err
}

// scope is what must be observed for the workflow, and no more.
func (o *office) scope(f *corpus.Workflow) *client.Scope {
	s := client.Scope{Sites: []string{}, Shells: []string{}, Apps: []string{}, Folders: []string{}, Devices: []string{}}
	if f.App != "" {
		s.Sites = append(s.Sites, o.world.Site(f.App))
		s.Folders = append(s.Folders, o.Downloads())
	}
	if f.Shell {
		s.Shells = append(s.Shells, o.stage.Shell.TTY())
	}
	if f.Folder != "" {
		s.Folders = append(s.Folders, filepath.Join(o.Home, f.Folder))
	}
	return &s
}

// observations are all records of a session, in order of occurrence, which may differ from the order of arrival.
func (o *office) observations(ctx context.Context, session string) ([]client.Record, error) {
	var out []client.Record
	for page := 1; ; page++ {
		l, err := o.C.Observations(ctx, session, client.PageQuery{Page: page, PageSize: 100})
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
