package acceptance_test

import (
	"os"
	"path/filepath"

	"showhow/daemon/client"
)

// errand is the demonstrated work: three commands on an export, the second one's effect being a file.
var errand = []string{"wc -l export.csv", "cut -d, -f1,3 export.csv > summary.csv", "grep -c shipped summary.csv"}

const orders = "id,customer,status\nA-1,Ada,shipped\nA-2,Bob,new\nA-3,Cid,shipped\n"

const goal = "Summarise the customer orders"

// asked is a session for one shell.
func asked(s *shell) client.CreateRequest {
	r := client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent", Goal: goal}
	if s != nil {
		r.Scope = &client.Scope{Shells: []string{s.tty}}
	}
	return r
}

// armed creates a session.
func (w *world) armed(r client.CreateRequest) client.Session {
	w.t.Helper()
	return got(w.c.CreateSession(w.t.Context(), r))(w.t).Session
}

// capturing creates a session, starts it and waits until the shell says that it is watched.
func (w *world) capturing(s *shell, r client.CreateRequest) client.Session {
	w.t.Helper()
	started := got(w.c.StartSession(w.t.Context(), w.armed(r).LearnSessionID))(w.t)
	s.marked(true)
	return started.Session
}

// demonstrated is a stopped session of the lines.
func (w *world) demonstrated(s *shell, r client.CreateRequest, lines ...string) client.Session {
	w.t.Helper()
	must(w.t, os.WriteFile(filepath.Join(s.dir, "export.csv"), []byte(orders), 0o600))
	sess := w.capturing(s, r)
	s.run(lines...)
	return w.stopped(sess, len(lines))
}

// stopped stops the session, which must have kept n observations.
func (w *world) stopped(sess client.Session, n int) client.Session {
	w.t.Helper()
	out := got(w.c.StopSession(w.t.Context(), sess.LearnSessionID))(w.t)
	if out.CapturedEventCount != int64(n) || out.Session.State != "stopped" {
		w.t.Fatalf("%d observations kept, %s; want %d, stopped; withheld %v", out.CapturedEventCount, out.Session.State, n, out.Session.Withheld)
	}
	return out.Session
}

// drafted is the errand as a draft, its questions answered.
func (w *world) drafted() client.ProposalDetail {
	w.t.Helper()
	s := w.shell()
	sess := w.demonstrated(s, asked(s), errand...)
	return w.proposed(sess)
}

// proposed drafts a stopped session and answers what is asked.
func (w *world) proposed(sess client.Session) client.ProposalDetail {
	w.t.Helper()
	g := got(w.c.GenerateProposal(w.t.Context(), sess.LearnSessionID))(w.t)
	d := w.proposal(g.ProposalID)
	var answers []client.AnswerItem
	for _, q := range d.Questions {
		a := q.Suggested
		if a == "" {
			a = "none"
			if len(q.Choices) > 0 {
				a = q.Choices[0]
			}
		}
		answers = append(answers, client.AnswerItem{QuestionID: q.QuestionID, AnswerText: a})
	}
	if len(answers) > 0 {
		got(w.c.AnswerQuestions(w.t.Context(), sess.LearnSessionID, client.AnswerQuestionsRequest{Answers: answers}))(w.t)
	}
	return w.proposal(g.ProposalID)
}

func (w *world) proposal(id string) client.ProposalDetail {
	w.t.Helper()
	return got(w.c.Proposal(w.t.Context(), id))(w.t)
}

// validate runs the default kinds, or those named, to their end.
func (w *world) validate(d client.ProposalDetail, kinds ...client.RunKind) client.ValidationRun {
	w.t.Helper()
	values := map[string]string{}
	for _, in := range d.Interpretation.Inputs {
		values[in.Name] = "2"
	}
	return w.run(d, client.ValidateRequest{RunKinds: kinds, Parameters: values})
}

// run starts a validation run and waits for its end.
func (w *world) run(d client.ProposalDetail, r client.ValidateRequest) client.ValidationRun {
	w.t.Helper()
	run := got(w.c.Validate(w.t.Context(), d.Proposal.ProposalID, r))(w.t)
	w.until("the validation's end", func() bool {
		l := got(w.c.ValidationRuns(w.t.Context(), d.Proposal.ProposalID, client.PageQuery{Page: 1, PageSize: 20}))(w.t)
		for _, x := range l.Runs {
			if x.ValidationRunID == run.ValidationRunID {
				run = x
			}
		}
		return run.Status != "running"
	})
	return run
}

// reviewable is a validated draft.
func (w *world) reviewable() client.ProposalDetail {
	w.t.Helper()
	return w.validated(w.drafted())
}

func (w *world) validated(d client.ProposalDetail) client.ProposalDetail {
	w.t.Helper()
	return w.passed(d, w.validate(d))
}

// passed insists that the run passed; else it tells which steps did not.
func (w *world) passed(d client.ProposalDetail, run client.ValidationRun) client.ProposalDetail {
	w.t.Helper()
	if run.OverallResult == "passed" {
		return w.proposal(d.Proposal.ProposalID)
	}
	for _, s := range got(w.c.ValidationRuns(w.t.Context(), d.Proposal.ProposalID, client.PageQuery{}))(w.t).Steps {
		if s.Result != "passed" {
			w.t.Logf("%s %s: %s (%s) %s", s.RunKind, s.Result, s.Label, s.Code, s.Details)
		}
	}
	w.t.Fatalf("the validation ended %s: %s", run.OverallResult, run.Reason)
	return d
}

// install installs a draft privately.
func (w *world) install(d client.ProposalDetail) (client.InstallResponse, error) {
	return w.c.Install(w.t.Context(), d.Proposal.ProposalID, client.InstallRequest{InstallLane: "experimental_private",
		Revision: d.Proposal.Revision, ContentHash: d.Proposal.ContentHash})
}

// installed is the errand as an ability.
func (w *world) installed() (client.Ability, client.ProposalDetail) {
	w.t.Helper()
	d := w.reviewable()
	r := got(w.install(d))(w.t)
	return got(w.c.Ability(w.t.Context(), r.AbilityID))(w.t), w.proposal(d.Proposal.ProposalID)
}

func (w *world) state(id string) client.State {
	w.t.Helper()
	return got(w.c.Session(w.t.Context(), id))(w.t).State
}
