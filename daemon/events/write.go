package events

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"showhow/daemon/events/contract"
	"showhow/daemon/events/report"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Names of report files, from the contract.
const (
	latestSession    = report.Folder + "latest_runtime_session_report.json"
	latestBundle     = report.Folder + "latest_openclaw_operator_handoff_bundle.json"
	latestEvolution  = report.Folder + "latest_evolution_report.json"
	latestGovernance = report.Folder + "latest_governance_report"
	latestReview     = report.Folder + "latest_operator_review.json"
	latestPromotion  = report.Folder + "latest_promotion_artifact.json"
	latestInspection = report.Folder + "latest_runtime_event_inspection.json"
)

func reportOf(kind, id string) string { return report.Folder + kind + "_" + fileID(id) }

func importFile(id string) string  { return reportOf("openclaw_import", id) + ".json" }
func bundleFile(id string) string  { return reportOf("openclaw_operator_handoff_bundle", id) + ".json" }
func handoffFile(id string) string { return reportOf("openclaw_operator_handoff", id) + ".json" }
func sessionFile(id string) string { return reportOf("runtime_session_report", id) } // and .json or .md
func inspectFile(id string) string { return reportOf("runtime_event_inspection", id) + ".json" }

// fileID is a session's id in a file's name. A colon, which some file systems forbid and is the only such character in
// an id, becomes %3A, which no id holds; an id that is too long for a name is cut and made unique by a hash. The
// handoff of a session bundle_x must not have the name of the bundle of a session x.
func fileID(id string) string {
	name := strings.ReplaceAll(id, ":", "%3A")
	if strings.HasPrefix(name, "bundle_") {
		name = "%62" + name[1:]
	}
	if len(name) <= longestName {
		return name
	}
	sum := sha256.Sum256([]byte(id))
	return name[:longestName-20] + "%" + hex.EncodeToString(sum[:8])
}

const longestName = 120

// FilesOf lists the report files about one session.
func FilesOf(id string) []string {
	return []string{importFile(id), bundleFile(id), handoffFile(id), sessionFile(id) + ".json", sessionFile(id) + ".md", inspectFile(id)}
}

// SharedFiles lists the report files that may mention any session.
func SharedFiles() []string {
	return []string{latestSession, latestBundle, latestEvolution, latestGovernance + ".json", latestGovernance + ".md", latestReview,
		latestPromotion, latestInspection, WorkflowPath}
}

// writer writes report files within a transaction and tracks which changed.
type writer struct {
	tx      Tx
	written []string
}

// put writes a report unless the file differs only in its times.
func (w *writer) put(path string, v any) (changed bool, err error) {
	b, err := contract.Marshal(v)
	if err != nil {
		return false, err
	}
	old, ok, err := w.tx.File(path)
	if err != nil || ok && sameButTimes(old, b) {
		return false, err
	}
	w.written = append(w.written, path)
	return true, w.tx.PutFile(path, json.RawMessage(b))
}

// putBoth writes a report as data and as text.
func (w *writer) putBoth(path string, v any, text string) error {
	changed, err := w.put(path+".json", v)
	if err != nil || !changed {
		return err
	}
	w.written = append(w.written, path+".md")
	return w.tx.PutText(path+".md", text)
}

// clockKeys are the fields for when a file was made, which do not count as content.
var clockKeys = []string{"generated_at", "updated_at", "outbox_seq"}

func sameButTimes(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	return reflect.DeepEqual(timeless(x), timeless(y))
}

func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if slices.Contains(clockKeys, k) {
				delete(v, k)
				continue
			}
			v[k] = timeless(e)
		}
	case []any:
		for i := range v {
			v[i] = timeless(v[i])
		}
	}
	return v
}

func appendLine(tx Tx, path string, v any) error {
	b, err := contract.Marshal(v)
	if err != nil {
		return err
	}
	return tx.AppendLine(path, json.RawMessage(b))
}

// evidence collects what is known of a session.
func evidence(tx Tx, id string) (report.Evidence, error) {
	e := report.Evidence{SessionID: id}
	kept, _, err := tx.Envelopes(id, 0, 1<<30)
	if err != nil {
		return e, err
	}
	for _, k := range kept {
		e.Envelopes = append(e.Envelopes, k.Envelope)
	}
	e.Feedback, err = tx.Feedback(id)
	return e, err
}

// sessionReports writes the reports on one session.
func (w *writer) sessionReports(s StoredSession, now clock.Time) (wire.RuntimeSessionReport, error) {
	e, err := evidence(w.tx, s.SessionID)
	if err != nil {
		return wire.RuntimeSessionReport{}, err
	}
	r := report.Session(e, now)
	if err := w.putBoth(sessionFile(s.SessionID), r, report.SessionMarkdown(r)); err != nil {
		return r, err
	}
	_, err = w.put(latestSession, r)
	return r, err
}

func (w *writer) handoffReports(s StoredSession, now clock.Time) (wire.RuntimeHandoffBundle, error) {
	e, err := evidence(w.tx, s.SessionID)
	if err != nil {
		return wire.RuntimeHandoffBundle{}, err
	}
	b := report.Bundle(e, s.ReportedBy, s.Artifact, now)
	for path, v := range map[string]any{handoffFile(s.SessionID): b.Handoff, bundleFile(s.SessionID): b, latestBundle: b} {
		if _, err := w.put(path, v); err != nil {
			return b, err
		}
	}
	if s.Artifact != nil {
		_, err = w.put(importFile(s.SessionID), report.Import(e, s.Artifact))
	}
	return b, err
}

// governance writes the reports on everything: the evolution report and the queue; the others too when a person asked.
func (w *writer) governance(state report.State, all bool, now clock.Time) (wire.EvolutionReport, error) {
	if err := complete(w.tx, &state, now); err != nil {
		return wire.EvolutionReport{}, err
	}
	ev := report.Evolution(state, now)
	if _, err := w.put(latestEvolution, ev); err != nil {
		return ev, err
	}
	if _, err := w.put(latestReview, report.OperatorReview(state, ev)); err != nil || !all {
		return ev, err
	}
	g := report.Governance(ev)
	if err := w.putBoth(latestGovernance, g, report.GovernanceMarkdown(g)); err != nil {
		return ev, err
	}
	_, err := w.put(latestPromotion, report.Promotion(ev))
	return ev, err
}

// complete adds the store's content to a state.
func complete(tx Tx, state *report.State, now clock.Time) (err error) {
	if state.Feedback, err = tx.Feedback(""); err != nil {
		return err
	}
	if _, state.Sessions, err = tx.Sessions("", 0, 1); err != nil {
		return err
	}
	handed, _, err := tx.Sessions("handed_off", 0, 1000)
	if err != nil {
		return err
	}
	for _, s := range handed {
		e, err := evidence(tx, s.SessionID)
		if err != nil {
			return err
		}
		state.Handoffs = append(state.Handoffs, report.Session(e, now))
	}
	return nil
}

// operatorReports writes all reports on an operator's artifact, and the workflow state.
func (k *keeper) operatorReports(state report.State) error {
	w := &writer{tx: k.tx}
	for _, id := range k.out.SessionIDs {
		s, ok, err := k.tx.Session(id)
		if err != nil || !ok {
			return err
		}
		r, err := w.sessionReports(s, k.now)
		if err != nil {
			return err
		}
		b, err := w.handoffReports(s, k.now)
		if err != nil {
			return err
		}
		if err := k.workflow(w, s, r, b.Handoff.ResumeCommands); err != nil {
			return err
		}
	}
	_, err := w.governance(state, false, k.now)
	slices.Sort(w.written)
	k.out.Written = append(k.out.Written, w.written...)
	return err
}

// workflow records the workflow state of a session. The history grows only when that has changed; the newest state is
// always this session's.
func (k *keeper) workflow(w *writer, s StoredSession, r wire.RuntimeSessionReport, resume []string) error {
	next := wire.RuntimeWorkflowState{SessionID: s.SessionID, Stage: report.Stage(r), Cause: "import", LastCheckpoint: r.LastCheckpoint,
		NextAction: r.Handoff.NextAction, ResumeCommands: resume, Sequence: 1, UpdatedAt: k.now, SchemaVersion: 1}
	if k.d.Bundle != nil {
		next.Cause = "replay"
	}
	if old := s.Workflow; old != nil {
		next.Sequence = old.Sequence + 1
		same := next
		same.Cause, same.Sequence, same.UpdatedAt = old.Cause, old.Sequence, old.UpdatedAt
		if reflect.DeepEqual(same, *old) {
			_, err := w.put(WorkflowPath, *old)
			return err
		}
	}
	s.Workflow = &next
	if err := k.tx.PutSession(s); err != nil {
		return err
	}
	if err := k.line(HistoryPath, next); err != nil {
		return err
	}
	_, err := w.put(WorkflowPath, next)
	return err
}
