package rehearse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Codes of steps that were performed, beside those of types.go.
const (
	CodeTargetMissing   = "target_missing"    // what the step is about is not there
	CodeTargetAmbiguous = "target_ambiguous"  // several things could be meant
	CodeNotPerformed    = "not_performed"     // the run had stopped before it
	CodeCheckFailed     = "check_failed"      // the checkpoint's state was not reached
	CodeNoEffect        = "no_effect"         // success was shown, and nothing came of it
	CodeUnverified      = "effect_unverified" // only the page's own word says that it worked
	CodeServerError     = "server_error"      // a page that the site could not make
	CodeSignIn          = "sign_in_required"
	CodeStepFailed      = "step_failed"
	CodeNotClean        = "not_clean" // something of the run is left on this machine
)

// How long a state may take to come. A step without a checkpoint has been waited for by the browser already.
const (
	arrivalTime    = 3 * time.Second
	checkpointTime = 8 * time.Second
	maxPast        = 60
)

// play is one performance of a graph. It lives as long as its run and holds values: memory only.
type play struct {
	*exam
	policy  TestPolicy
	supply  *supply
	sites   sites
	guard   *guard
	room    Room
	browser Browser
	shell   Shell

	acts    int
	stopped string // why nothing more is done, "" while it goes on
	begun   bool   // a page is open
	state   capture.State
	past    []capture.State
	prev    *workflow.Step
	entered []entry           // values that were entered since the last effect
	set     []setting         // boxes that were set since then
	way     way               // to the view at hand
	sights  map[string]*sight // what lists showed, by address
	began   string            // address of the first page that was worked on
	effects int               // acts that changed something
	ticked  bool              // rows are chosen by their boxes
	marked  []string          // words of the boxes that are ticked in the form at hand
	things  []thing           // that the work is about
	instead map[string]string // part of a demonstrated address -> what stands there in this run's
	sent    []sending         // by commands that do not tell what became of it
}

// entry is a value that was entered into a form.
type entry struct {
	label, value string
	was          string // what the field held before
	address      string // of the form
	filled       bool   // the form came with what was there before
	picks        bool   // it says which thing the work is about: it was there before
	file         bool   // it names a file: a page may call it otherwise
	inPlace      bool   // of a row or a text that is edited where it stands: no form is sent
	asks         bool   // it only looks for something
}

// rehearse performs the workflow, or for a canary its smallest read-only beginning.
func (e *exam) rehearse(ctx context.Context, canary bool) error {
	steps := e.req.Draft.Graph.Steps
	if canary {
		steps = canaryPrefix(e.req.Draft)
	}
	if len(steps) == 0 {
		e.add("steps", "there is something to perform", StepSkipped, CodeNotExamined, "the workflow has no step that only reads at its beginning")
		return nil
	}
	p := &play{exam: e, policy: e.performing(), sites: sitesOf(e.req)}
	var err error
	if p.supply, err = e.supply(ctx); err != nil {
		return err
	}
	if !p.inputs(steps) {
		p.stopped = "a value is missing"
		p.walk(ctx, steps)
		return nil
	}
	p.guard = newGuard(p.policy, p.sites.hosts)
	if p.room, err = e.r.o.Stage.Room(ctx, e.req.Run.ValidationRunID+"-"+string(e.kind)); err != nil {
		return err
	}
	defer p.leave(ctx)
	if err := p.furnish(); err != nil {
		return err
	}
	p.walk(ctx, steps)
	p.answers()
	p.lastLook(ctx, canary)
	return nil
}

// performing is the policy that a performing kind obeys: a canary reads, whatever more the policy allows.
func (e *exam) performing() TestPolicy {
	p := policyOf(e.req)
	if e.kind == RunCanary && p.Mode != DryRunOnly {
		p.Mode = ReadOnly
	}
	return p
}

// inputs reports the values that the steps need; false when one is missing.
func (p *play) inputs(steps []workflow.Step) bool {
	used := map[string]bool{}
	for _, s := range steps {
		for _, name := range namesIn(s) {
			used[name] = true
			for _, q := range p.supply.params {
				if id, _, ok := strings.Cut(q.ParamID, "."); ok && q.Name == name {
					used[p.supply.name(id)] = true
				}
			}
		}
	}
	whole := true
	for _, q := range p.supply.params {
		if !asked(q) || !used[q.Name] {
			continue
		}
		label := fmt.Sprintf("a value for %q is there", cmp.Or(q.Label, q.Name))
		if slices.Contains(p.supply.missing, q.Name) {
			whole = false
			p.add("input."+q.Name, label, StepSkipped, CodeNeedsValue, "name one with --set "+q.Name+"=VALUE")
			continue
		}
		code := ""
		if p.supply.sources[q.Name] == fromRequest {
			code = CodeGiven
		}
		p.add("input."+q.Name, label, StepPassed, code, p.supply.sources[q.Name])
	}
	return whole
}

// namesIn lists the names that a step's texts hold.
func namesIn(s workflow.Step) (out []string) {
	texts := []string{s.Value, s.Command}
	if s.Target != nil {
		texts = append(texts, s.Target.Name, s.Target.Label, s.Target.Text)
		if s.Target.Landmark != nil {
			texts = append(texts, s.Target.Landmark.Name)
		}
	}
	if s.Verb == capture.Navigate && s.After != nil {
		texts = append(texts, s.After.URL)
	}
	for _, t := range texts {
		for _, m := range holeForm.FindAllStringSubmatch(t, -1) {
			if !slices.Contains(out, m[1]) {
				out = append(out, m[1])
			}
		}
	}
	return out
}

// walk goes through the steps; a loop's are done once for each given item.
func (p *play) walk(ctx context.Context, steps []workflow.Step) {
	for i := 0; i < len(steps); {
		l := p.loopOf(steps[i].StepID)
		if l == nil {
			p.step(ctx, steps[i], 0)
			i++
			continue
		}
		j := i
		for j < len(steps) && slices.Contains(l.Steps, steps[j].StepID) {
			j++
		}
		p.loop(ctx, *l, steps[i:j])
		i = j
	}
}

func (p *play) loopOf(id string) *workflow.Loop {
	for i, l := range p.req.Draft.Graph.Loops {
		if slices.Contains(l.Steps, id) {
			return &p.req.Draft.Graph.Loops[i]
		}
	}
	return nil
}

func (p *play) loop(ctx context.Context, l workflow.Loop, steps []workflow.Step) {
	rounds, err := p.supply.rounds(l)
	if err != nil {
		p.stop("loop."+steps[0].StepID, "the items of "+l.Over, StepSkipped, CodeNeedsValue, "its inputs need as many values as each other, one in each line")
		rounds = []map[string]string{{}}
	}
	before, effects := len(p.things), p.effects
	for n, items := range rounds {
		p.supply.turn(items)
		if p.effects > effects { // each round is about its own thing; what is only gathered is acted on later
			p.things, effects = p.things[:before], p.effects
		}
		for _, s := range steps {
			p.step(ctx, s, n+1)
		}
	}
}

// stop records why the run ends here.
func (p *play) stop(id, label, result, code, details string) {
	p.add(id, label, result, code, p.clean(details))
	if p.stopped == "" {
		p.stopped = label
	}
}

// clean makes a text fit to be shown and kept: values become names, and what the redactor knows is masked.
func (p *play) clean(s string) string {
	s = p.supply.hide(s)
	if p.r.o.Redact != nil {
		s = p.r.o.Redact(s)
	}
	return s
}

// step performs one step and judges the checkpoint that it leads to. round is 0 outside of loops.
func (p *play) step(ctx context.Context, s workflow.Step, round int) {
	id := "step." + s.StepID
	if round > 1 {
		id += "." + itoa(round)
	}
	if p.stopped != "" || ctx.Err() != nil {
		p.add(id, s.Title, StepSkipped, CodeNotPerformed, "the run had stopped before it")
		return
	}
	if why := p.refuses(s); why != "" {
		p.stop(id, s.Title, StepSkipped, CodePolicyViolation, "it was not done: "+why)
		return
	}
	if p.acts += max(1, s.Times); p.acts > p.policy.Limit() {
		p.stop(id, s.Title, StepFailed, CodePolicyViolation, fmt.Sprintf("the policy allows %d actions", p.policy.Limit()))
		return
	}
	sc := &scene{before: p.state, past: slices.Clone(p.past), room: p.room, counts: map[string]int{}}
	for name, items := range p.supply.lists {
		sc.counts[name] = len(items)
	}
	var told string
	var err error
	if s.Surface == onShell {
		told, err = p.run(ctx, s, sc)
	} else {
		told, err = p.onPage(ctx, s, sc)
	}
	if err != nil {
		p.failed(ctx, id, s, err)
		return
	}
	p.prev = &s
	p.add(id, s.Title, StepPassed, "", p.clean(told))
	p.arrive(ctx, s, sc)
	if code := p.broken(ctx, s); code != 0 {
		p.stop("page."+s.StepID, "the page that the step led to works", StepFailed, CodeServerError, fmt.Sprintf("the site answered with HTTP %d", code))
		p.keepEvidence(ctx, id)
		return
	}
	p.checkpoints(ctx, s, sc, round)
}

// broken is the HTTP status of a page that its site could not make, 0 when it could. Such a page has the address, and sometimes
// the words, of the one that was to come.
func (p *play) broken(ctx context.Context, s workflow.Step) int {
	if s.Surface != onBrowser || p.browser == nil || fills(s.Verb) {
		return 0
	}
	if code := p.browser.Status(ctx); code >= 500 {
		return code
	}
	return 0
}

// failed records why a step could not be performed.
func (p *play) failed(ctx context.Context, id string, s workflow.Step, err error) {
	var nf *NotFound
	var h *halt
	switch {
	case ctx.Err() != nil:
		p.add(id, s.Title, StepSkipped, CodeNotPerformed, "the run was cancelled")
		p.stopped = "cancelled"
	case errors.As(err, &h):
		p.stop(id, s.Title, h.result, h.code, h.why)
	case errors.As(err, &nf):
		code := CodeTargetMissing
		if nf.Ambiguous {
			code = CodeTargetAmbiguous
		}
		p.stop(id, s.Title, StepFailed, code, notFoundWords(nf, p.supply.hide(nf.Wanted)))
	default:
		why := safe(err)
		if hint := fault.From(err).Hint; hint != "" {
			why += " (" + hint + ")"
		}
		p.stop(id, s.Title, StepFailed, CodeStepFailed, why)
	}
	p.keepEvidence(ctx, id)
}

// notFoundWords says what was looked for, with the inputs' names for their values, and what was there instead. What bears a
// value may be missing because the value is wrong.
func notFoundWords(nf *NotFound, wanted string) string {
	out := "expected " + wanted + "; it is not there"
	if nf.Ambiguous {
		out = "expected " + wanted + "; several could be meant"
	} else if in := slices.Compact(slices.Sorted(slices.Values(inputNames.FindAllString(wanted, -1)))); len(in) > 0 {
		out += " (is the value of " + strings.Join(in, " and ") + " right?)"
	}
	if len(nf.Seen) > 0 {
		var seen []string
		for _, s := range nf.Seen[:min(len(nf.Seen), 6)] {
			seen = append(seen, dataNames.ReplaceAllString(s, `$1 "…"`))
		}
		out += "; on the page: " + strings.Join(seen, ", ")
	}
	return out
}

var inputNames = lazyre.New(`\{[a-z0-9_]+\}`)

// dataNames are the names of what holds a page's data rather than its controls: other people's, and not to be kept.
var dataNames = lazyre.New(`\b(link|row|rowheader|cell|gridcell|listitem|option|treeitem|article|img|figure|heading|menuitem|text) "[^"]*"`)

// halt ends a run for a reason of its own.
type halt struct{ result, code, why string }

func (h *halt) Error() string { return h.code }

func itoa(n int) string { return fmt.Sprint(n) }

// leave ends what the run opened and looks that nothing is left. It is done whatever became of the run.
func (p *play) leave(ctx context.Context) {
	label := "everything that the run made here is removed"
	if err := p.room.Close(); err != nil {
		p.r.o.Log.Error("a rehearsal left something behind", "run_id", p.req.Run.ValidationRunID, "code", fault.CodeOf(err))
		p.add("cleanup", label, StepFailed, CodeNotClean, safe(err))
		return
	}
	p.add("cleanup", label, StepPassed, "", "")
}
