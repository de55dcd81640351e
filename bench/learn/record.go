package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus"
	"showhow/bench/corpus/apps"
	"showhow/capture"
	"showhow/internal/twin"
)

// record has the workflows demonstrated twice each and writes the records into the corpus's test data.
func record(ctx context.Context, bin string, list []*corpus.Workflow) error {
	o, err := openOffice(ctx, bin)
	if err != nil {
		return err
	}
	defer o.close()
	failed := 0
	for _, f := range list {
		if f.Held {
			continue
		}
		t, err := o.trace(ctx, f)
		if err == nil {
			err = corpus.WriteTrace(filepath.Join("bench", "corpus", corpus.TraceDir), t)
		}
		if err != nil {
			failed++
			fmt.Fprintf(os.Stderr, "%-20s %v\n", f.Name, err)
			continue
		}
		fmt.Fprintf(os.Stderr, "%-20s %d and %d records, %d values\n", f.Name, len(t.Demonstrations[0].Records), len(t.Demonstrations[1].Records),
			len(t.Values))
	}
	if failed > 0 {
		return fmt.Errorf("%d workflows were not recorded", failed)
	}
	return nil
}

func (o *office) trace(ctx context.Context, f *corpus.Workflow) (corpus.Trace, error) {
	t := corpus.Trace{Workflow: f.Name, Goal: f.Goal, Values: map[string]string{}}
	first := ""
	defer func() {
		if first != "" {
			_, _ = o.C.DeleteSession(context.WithoutCancel(ctx), first)
		}
	}()
	for n := range 2 {
		session, err := o.demonstrate(ctx, f, n, first)
		if err != nil {
			return t, err
		}
		if first == "" {
			first = session
		}
		records, err := o.observations(ctx, session)
		if err != nil {
			return t, err
		}
		values, err := o.C.Values(ctx, session)
		if err != nil {
			return t, err
		}
		for _, v := range values.Values {
			t.Values[v.LinkID] = v.Value
		}
		var a *apps.App
		if f.App != "" {
			a = apps.New(f.App, corpus.Seed)
		}
		t.Demonstrations = append(t.Demonstrations, corpus.Demonstration{Entered: f.Values(a, n), Records: twin.To[[]capture.Record](records)})
	}
	return t, o.portable(&t)
}

// portable replaces the ports in the applications' addresses by fixed ones of the same length.
func (o *office) portable(t *corpus.Trace) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	text := string(b)
	for i, name := range apps.Names {
		_, port, _ := strings.Cut(o.world.Site(name), ":")
		text = strings.ReplaceAll(text, o.world.Site(name), fmt.Sprintf("127.0.0.1:%0*d", len(port), 18101+i))
	}
	if strings.Contains(text, o.Dir) {
		return fmt.Errorf("the trace names a path of this machine")
	}
	*t = corpus.Trace{}
	return json.Unmarshal([]byte(text), t)
}
