package daemon

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/connector"
	"showhow/daemon/learn"
	"showhow/daemon/learn/boundary"
	"showhow/daemon/learn/state"
	"showhow/daemon/mining"
	"showhow/daemon/observe"
	"showhow/internal/clock"
	"showhow/store"
)

// newMining makes the mining service; learning and abilities exist already.
func newMining(w minedWork, l *learn.Service, log *slog.Logger) *mining.Service {
	return mining.New(mining.Options{Store: store.Mining(w.store), Read: w.read, Learn: l, Blocked: w.blocked, Now: w.now, NewID: clock.NewID,
		Log: log})
}

// minedWork reads the work that may be searched for routines.
type minedWork struct {
	store     *store.Store
	abilities *ability.Service
	now       func() clock.Time
}

// read reads the work of a source. Package mining calls it only with the source's consent.
func (w minedWork) read(ctx context.Context, k mining.Kind) ([]mining.Work, error) {
	switch k {
	case mining.Runs:
		return w.runs(ctx)
	case mining.Receipts:
		return w.receipts(ctx)
	}
	return w.sessions(ctx)
}

func (w minedWork) runs(ctx context.Context) (out []mining.Work, err error) {
	var runs []observe.StoredRun
	st := w.store.Observed()
	if err := st.View(ctx, func(tx observe.Tx) (err error) { runs, err = tx.Runs(); return err }); err != nil {
		return nil, err
	}
	for _, r := range runs {
		if r.Gone {
			continue
		}
		records, err := st.Records(ctx, r.RunID)
		if err != nil {
			return nil, err
		}
		out = append(out, mining.Work{Kind: mining.Runs, ID: r.RunID, Agent: r.Agent, At: r.StartedAt.Time, Marks: marks(records)})
	}
	return out, nil
}

func marks(records []capture.Record) []mining.Mark {
	boundary.ByOccurrence(records)
	return mining.MarksOf(records)
}

// sessions returns the demonstrations that ended without a skill: what became a skill is learned already, and further
// examples of one show the same work on purpose.
func (w minedWork) sessions(ctx context.Context) (out []mining.Work, err error) {
	var all []state.Session
	err = w.store.Learn().View(ctx, func(tx state.Tx) (err error) { all, err = tx.UnpurgedSessions(); return err })
	for _, s := range all {
		taught := s.State == state.InstalledPrivate || s.State == state.Approved
		if err != nil || !s.Ended || taught || s.ExampleOf != "" || s.ImportID != "" || len(s.ActiveTraceIDs) == 0 ||
			len(s.SourceRunIDs) > 0 || len(s.SourceTraceIDs) > 0 || s.SourceReceiptID != "" {
			continue
		}
		x := mining.Work{Kind: mining.Sessions, ID: s.LearnSessionID, Trace: s.ActiveTraceIDs[0], Goal: s.Goal, Project: s.ProjectID,
			At: s.CreatedAt.Time}
		if s.ActorMode != "user_driven" {
			x.Agent = "an agent" // or nobody knows who
		}
		records, err := w.store.TraceRecords(ctx, x.Trace)
		if err != nil {
			return nil, err
		}
		x.Marks = marks(records)
		out = append(out, x)
	}
	return out, err
}

// callsApart is the longest pause between calls of an agent that still belong to one piece of work.
const callsApart = 30 * time.Minute

// maxReceipts bounds how many receipts one scan reads.
const maxReceipts = 5000

// receipts groups an agent's calls to connectors into pieces of work: calls that follow each other without a long
// pause.
func (w minedWork) receipts(ctx context.Context) (out []mining.Work, err error) {
	since := w.now().Plus(-mining.KeepFor)
	var all []connector.Receipt
	err = w.store.Connectors().View(ctx, func(tx connector.Tx) (err error) {
		all, err = tx.ConnectorReceipts(connector.ReceiptFilter{Kind: "tool_call", Since: &since, Limit: maxReceipts})
		return err
	})
	slices.Reverse(all) // they come newest first
	open := map[string]int{}
	for _, r := range all {
		if r.Call == nil || r.Call.Result == "pending" {
			continue
		}
		i, ok := open[r.Call.Agent]
		if !ok || r.CreatedAt.Sub(lastMark(out[i])) > callsApart {
			out = append(out, mining.Work{Kind: mining.Receipts, ID: r.ReceiptID, Agent: cmp.Or(r.Call.Agent, "an agent"), At: r.CreatedAt.Time})
			i = len(out) - 1
			open[r.Call.Agent] = i
		}
		worked := r.Call.Result == "success"
		out[i].Marks = append(out[i].Marks, mining.Mark{At: r.CreatedAt.Time, Where: r.ServerID, Verb: string(capture.Call),
			Target: r.Call.ToolName, Surface: string(capture.SurfaceMCP), Failed: !worked, Shown: worked, Record: len(out[i].Marks),
			Grave: r.Call.ActionClass == "delete" || r.Call.ActionClass == "send"})
	}
	return out, err
}

func lastMark(w mining.Work) time.Time { return w.Marks[len(w.Marks)-1].At }

// blocked returns the families and domains of abilities that are quarantined or whose files drifted: those are
// repaired first.
func (w minedWork) blocked(ctx context.Context) (out []string, err error) {
	s, err := w.abilities.Availability(ctx)
	for _, a := range s.Abilities {
		if a.InstallLane == ability.LaneQuarantined || a.ReasonCode == "quarantined" || a.ReasonCode == "drifted" {
			out = append(out, a.Family)
			out = append(out, a.Permissions.Domains...)
		}
	}
	return out, err
}
