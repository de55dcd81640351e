package agentrun

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"showhow/adapters/receipts/report"
	"showhow/daemon/journal"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
	"showhow/internal/twin"
)

// live is a run that has not ended.
type live struct {
	s       *Service
	id      string
	why     Assignment
	plan    Plan
	ctx     context.Context
	cancel  context.CancelFunc
	box     *sandbox.Box
	command sandbox.Command
	redact  func(string) string
	out     *output
	began   time.Time
	done    chan struct{}
	request StartRequest
	saved   saved
	earlier hosts // that a failed attempt asked for
	answers chan AnswerRequest
	line    *line
	api     http.Handler // nil: none
	apiOver func()
	asking  sync.Mutex // one question at a time

	over atomic.Bool // its end is known, and on record at once

	mu      sync.Mutex
	run     Run
	stopped string // why somebody ended it
	tools   map[string]*ToolUse
	bash    bool // a shell command was reported
	actions int
	claimed map[string]bool // files that the agent claims to have made or removed
	asked   []Asked
}

// Bounds of an agent's requests.
const (
	maxQuestions = 20
	maxSaid      = 4 << 20
	maxTools     = 200
)

func (l *live) stop(why string) {
	l.mu.Lock()
	if l.stopped == "" {
		l.stopped = why
	}
	l.mu.Unlock()
	l.cancel()
}

// takeReceipts counts the receipts of the agent's hooks. Whatever agent and run they name, they count for this agent
// and run.
func (l *live) takeReceipts(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Receipts []report.Receipt `json:"receipts"`
	}
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, maxSaid)).Decode(&body) != nil || len(body.Receipts) > 100 {
		http.Error(w, "{}", http.StatusUnprocessableEntity)
		return
	}
	rs := body.Receipts
	for i := range rs {
		rs[i].Agent, rs[i].RunID = l.plan.Agent, l.id
		l.count(rs[i])
	}
	if l.s.o.Receipts != nil {
		l.s.o.Receipts(r.Context(), rs)
	}
	_, _ = w.Write([]byte("{}"))
}

func (l *live) count(r report.Receipt) {
	name := plain.Cut(plain.VisibleLine(l.redact(r.Tool)), 120)
	if r.Event == report.EventRunEnd || name == "" {
		return
	}
	l.mu.Lock()
	l.claim(r)
	l.bash = l.bash || r.Command != "" || slices.Contains(shells, strings.ToLower(name))
	l.actions++
	over := l.why.MaxActions > 0 && l.actions > l.why.MaxActions
	l.mu.Unlock()
	if over {
		l.stop("policy_limit")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.tools[name]
	if t == nil {
		if len(l.tools) >= maxTools {
			return
		}
		t = &ToolUse{Tool: name}
		l.tools[name] = t
	}
	t.Calls++
	if r.Outcome == report.Failed {
		t.Failed++
	}
}

// perform runs the agent to its end, extracts its work, and records the outcome.
func (l *live) perform() {
	ctx := context.WithoutCancel(l.ctx)
	good := l.attempt(ctx)
	if !good && l.mayRepeat() {
		good = l.repeat() && l.attempt(ctx)
	}
	l.out.end()
	e := l.evidence()
	if good {
		l.set(Extracting)
		l.look(&e)
		if l.why.Extract {
			l.extract(ctx, e)
			e.SavedCredentials = l.keepSaved(ctx)
		}
	} else {
		e.SavedCredentials = nil
		l.look(&e)
	}
	l.mu.Lock()
	if l.run.ReasonCode == "" {
		l.run.State = Succeeded
	}
	l.run.Question, l.run.EndedAt = nil, l.s.o.Now().Ptr()
	run := l.run
	l.mu.Unlock()
	e.TookMS = time.Since(l.began).Milliseconds()
	l.endAPI()
	l.over.Store(true)
	err := l.s.o.Store.Update(ctx, func(tx Tx) error {
		if err := tx.PutRunEvidence(e); err != nil {
			return err
		}
		return l.s.put(tx, &run, journal.RunEnded, "An agent's run ended: "+string(run.State)+".")
	})
	if err != nil {
		l.s.o.Log.Error("the end of an agent's run could not be recorded", "code", string(fault.CodeOf(err)))
	}
	if err == nil && run.AbilityID != "" && l.s.o.Ended != nil {
		l.s.o.Ended(ctx, run)
	}
	l.close()
}

// endAPI tells whoever answered the agent that nobody asks any more.
func (l *live) endAPI() {
	l.line.end()
	if over := l.apiOver; over != nil {
		l.apiOver = nil
		over()
	}
}

// attempt runs the agent once and reports whether it ended well.
func (l *live) attempt(ctx context.Context) bool {
	res, err := l.box.Exec(l.ctx, l.command)
	l.line.end() // nobody is left to answer
	if !l.judge(res, err) {
		return false
	}
	if !l.effective() || l.why.Look != nil && !l.why.Look(ctx, l.box) {
		l.fail("not_verified", "the agent ended, but what it should have brought about is not there", true)
		return false
	}
	return true
}

// judge records how the program ended; true means well.
func (l *live) judge(res sandbox.Result, err error) bool {
	l.mu.Lock()
	stopped := l.stopped
	l.run.ExitCode = &res.ExitCode
	l.mu.Unlock()
	switch {
	case stopped == "cancelled":
		l.end(Cancelled, "cancelled", "it was cancelled", true)
	case stopped == "policy_limit":
		l.fail("policy_limit", "it did more than the test policy allows", true)
	case stopped == "unanswered":
		l.fail("unanswered", "nobody answered its question in time", true)
	case stopped != "":
		l.fail(stopped, "the daemon ended while it ran", true)
	case err != nil:
		f := fault.From(err)
		l.fail("sandbox", f.Message, f.Code.Spec().Retryable)
	case res.Killed == sandbox.KilledTimeout:
		l.fail("timeout", "it took longer than it may", true)
	case res.Killed != "":
		l.fail(res.Killed, "it used more "+map[string]string{sandbox.KilledOutput: "output", sandbox.KilledDisk: "disk",
			sandbox.KilledMemory: "memory"}[res.Killed]+" than it may", false)
	case res.ExitCode == 127 || res.ExitCode == 126:
		l.fail("not_started", "the agent's program was not found in the sandbox, or cannot be run there"+rootNote(), false)
	case res.ExitCode != 0:
		l.fail("agent_failed", "the agent ended with a failure", true)
	default:
		return true
	}
	return false
}

// rootNote: a sandbox started by root uses another account, which reads what everybody may read.
func rootNote() string {
	if os.Geteuid() == 0 {
		return "; as root, it must be readable for everybody"
	}
	return ""
}

func (l *live) fail(code, reason string, retryable bool) { l.end(Failed, code, reason, retryable) }

func (l *live) end(st State, code, reason string, retryable bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.run.State, l.run.ReasonCode, l.run.Reason, l.run.Retryable = st, code, reason, retryable
}

// set enters and stores a state between start and end.
func (l *live) set(st State) {
	l.change(journal.RunState, "An agent's run is "+string(st)+".", func(r *Run) { r.State = st })
}

func (l *live) change(kind journal.EventKind, summary string, f func(*Run)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(&l.run)
	if err := l.s.o.Store.Update(context.WithoutCancel(l.ctx), func(tx Tx) error { return l.s.put(tx, &l.run, kind, summary) }); err != nil {
		l.s.o.Log.Error("an agent's run could not be recorded", "code", string(fault.CodeOf(err)))
	}
}

// evidence is what was observed so far.
func (l *live) evidence() Evidence {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := Evidence{RunID: l.id, HostsReached: []string{}, HostsRefused: []string{}, HostsGranted: slices.Clone(l.run.GrantedHosts),
		Tools: []ToolUse{}, Files: []FileChange{},
		Credentials: l.plan.Credentials, Questions: slices.Clone(l.asked), Limits: []string{},
		Dependencies: twin.To[[]wire.SandboxDependency](l.plan.Dependencies), TookMS: time.Since(l.began).Milliseconds(), SchemaVersion: 1}
	e.BashUsed, e.SavedCredentials = l.bash, l.saved.names()
	seen := l.earlier
	if l.box != nil {
		seen = seen.with(l.box)
		e.Limits, e.Bounds = l.box.Limits(), l.box.Bounds()
	}
	e.HostsReached, e.HostsRefused = append(e.HostsReached, seen.reached...), append(e.HostsRefused, seen.refused...)
	if e.Questions == nil {
		e.Questions = []Asked{}
	}
	for _, t := range l.tools {
		e.Tools = append(e.Tools, *t)
	}
	slices.SortFunc(e.Tools, func(a, b ToolUse) int { return strings.Compare(a.Tool, b.Tool) })
	return e
}

// look adds the changes in the workspace.
func (l *live) look(e *Evidence) {
	if l.box == nil { // the second attempt could not begin
		return
	}
	root, err := l.box.Files()
	if err != nil {
		return
	}
	defer root.Close()
	e.Files = changes(root, l.plan.base)
	e.Provenance = provenance(root, *e, l.s.o.Now())
}

// close removes everything that the run had.
func (l *live) close() {
	l.endAPI()
	if l.box != nil {
		if err := l.box.Close(); err != nil {
			l.s.o.Log.Warn("a run's sandbox could not be removed", "code", string(fault.CodeOf(err)))
		}
	}
	if err := remove(l.s.folder(l.id)); err != nil && !os.IsNotExist(err) {
		l.s.o.Log.Warn("a run's folder could not be removed", "code", string(fault.CodeOf(err)))
	}
}

func (l *live) takeQuestion(w http.ResponseWriter, r *http.Request) {
	var a askBody
	reply := askReply{Error: "the question cannot be read"}
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&a) == nil {
		reply = l.ask(a)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(reply)
}

// ask asks the person a question. Everything in the box is stopped until the answer.
func (l *live) ask(a askBody) askReply {
	l.asking.Lock()
	defer l.asking.Unlock()
	if l.line.ctx.Err() != nil {
		return askReply{Error: "the run is ending"}
	}
	q := Question{QuestionID: l.s.o.NewID(), Kind: a.Kind, Text: plain.Cut(plain.VisibleLine(l.redact(a.Text)), 1000), AskedAt: l.s.o.Now()}
	switch a.Kind {
	case AskDomain:
		if q.Host = normalHost(a.Host); q.Host == "" {
			return askReply{Error: "this is no host: write host or host:port"}
		}
		if l.allowed(q.Host) {
			return askReply{Allow: true}
		}
	case AskInput:
		if strings.TrimSpace(q.Text) == "" {
			return askReply{Error: "there is no question"}
		}
	default:
		return askReply{Error: "only a domain or an input can be asked for"}
	}
	l.mu.Lock()
	many := len(l.asked) >= maxQuestions
	l.mu.Unlock()
	if many {
		return askReply{Error: "too many questions were asked"}
	}
	return l.wait(q)
}

func (l *live) allowed(host string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.run.AllowedHosts, host) || slices.Contains(l.run.GrantedHosts, host)
}

// reaches says who else gets what a person answers.
func (l *live) reaches() string {
	if l.why.For == "" {
		return ""
	}
	return " The answer can reach " + l.why.For + ", on another computer."
}

func (l *live) wait(q Question) askReply {
	began := time.Now()
	if !l.box.Freeze() {
		l.s.o.Log.Warn("a run that waits for an answer could not be stopped entirely")
	}
	defer l.box.Thaw()
	l.change(journal.RunWaiting, "An agent's run waits for a person's answer."+l.reaches(), func(r *Run) { r.State, r.Question = Waiting, &q })
	late := time.NewTimer(l.s.o.Wait)
	defer late.Stop()
	asked := Asked{Kind: q.Kind, Host: q.Host, Outcome: "unanswered"}
	reply := askReply{Error: "the run is ending"}
	for open := true; open; {
		open = false
		select {
		case <-l.line.ctx.Done():
		case <-late.C:
			l.stop("unanswered")
		case a := <-l.answers:
			switch {
			case a.QuestionID != q.QuestionID: // it came too late for a question of the first attempt
				open = true
			case !a.Allow:
				asked.Outcome, reply = "refused", askReply{}
			case q.Kind == AskDomain:
				asked.Outcome, reply = "allowed", askReply{Allow: true}
				l.box.Allow(q.Host)
			default:
				asked.Outcome, reply = "answered", askReply{Allow: true, Text: a.Text}
			}
		}
	}
	asked.WaitedMS = time.Since(began).Milliseconds()
	l.mu.Lock()
	l.asked = append(l.asked, asked)
	l.mu.Unlock()
	if l.line.ctx.Err() == nil {
		l.change(journal.RunAnswered, "A question of an agent's run was answered.", func(r *Run) {
			r.State, r.Question = Running, nil
			if asked.Outcome == "allowed" {
				r.GrantedHosts = append(slices.Clone(r.GrantedHosts), q.Host)
			}
		})
	}
	return reply
}

// Answer delivers a person's answer to the run that waits for it.
func (s *Service) Answer(ctx context.Context, id string, a AnswerRequest, rev *int) (Run, error) {
	r, err := s.Get(ctx, id)
	if err != nil {
		return r, err
	}
	l := s.running(id)
	switch {
	case l == nil || r.Question == nil || r.Question.QuestionID != a.QuestionID:
		return r, fault.New(fault.InvalidLearnStateTransition,
			"the run does not wait for this answer").WithHint("`showhow run show " + id + "` says what it waits for")
	case rev != nil && *rev != r.Revision:
		return r, fault.New(fault.RevisionConflict, "the run went on meanwhile").WithDetail("current_revision",
			r.Revision).WithHint("look at it again and repeat")
	case a.Allow && r.Question.Kind == AskInput && strings.TrimSpace(a.Text) == "":
		return r, fault.New(fault.InvalidRequest, "the answer is empty").WithHint("write it, or refuse the question")
	}
	select {
	case l.answers <- a:
	case <-l.done:
		return s.Get(ctx, id)
	case <-ctx.Done():
		return r, ctx.Err()
	}
	for { // until it is on record
		if r, err = s.Get(ctx, id); err != nil || r.Question == nil || r.Question.QuestionID != a.QuestionID || ctx.Err() != nil {
			return r, err
		}
		select {
		case <-time.After(2 * time.Millisecond):
		case <-l.done:
			return s.Get(ctx, id)
		}
	}
}
