package stage

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/rehearse"
	"showhow/daemon/sandbox"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
)

// loggedSite is a server that remembers all that reached it.
type loggedSite struct {
	*httptest.Server
	mu  sync.Mutex
	log []string
}

func newLoggedSite(t *testing.T, page func(self string) string) *loggedSite {
	t.Helper()
	w := &loggedSite{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		w.log = append(w.log, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+string(body)))
		w.mu.Unlock()
		if r.URL.Path == "/" && page != nil {
			rw.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(rw, page(w.URL))
			return
		}
		fmt.Fprint(rw, "ok")
	}))
	t.Cleanup(w.Close)
	return w
}

func (w *loggedSite) host() string { u, _ := url.Parse(w.URL); return u.Host }

// took empties the log and returns those of the named requests that are in it.
func (w *loggedSite) took(of map[string]string) (got []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, line := range of {
		if slices.ContainsFunc(w.log, func(l string) bool { return strings.HasPrefix(l, line) }) {
			got = append(got, name)
		}
	}
	w.log = nil
	slices.Sort(got)
	return got
}

// deeds are what a page does when its harmless looking button is used, by class of action: the guard sees them, whatever the
// graph says. They are fired by fetch, by a form, by an image and by a beacon.
var deeds = map[string]string{
	"read":        "GET /list",
	"write":       "POST /items/5 name=x",
	"destroy":     "DELETE /items/5",
	"destroy_get": "GET /items/5/delete",
	"destroy_op":  "POST /items/7 _method=delete",
	"send_other":  "POST /messages/send to=other%40example.org",
	"send_safe":   "POST /messages/send to=safe%40example.org",
	"beacon":      "POST /messages/send to=beacon%40example.org",
}

const deedsPage = `<!doctype html><title>Desk</title><h1>Desk</h1><button id=b>Show the list</button><p id=done></p><script>
const form = (u, b) => fetch(u, {method: 'POST', headers: {'Content-Type': 'application/x-www-form-urlencoded'}, body: b});
document.getElementById('b').onclick = async () => {
	await Promise.allSettled([
		fetch('/list'), form('/items/5', 'name=x'), fetch('/items/5', {method: 'DELETE'}), form('/items/7', '_method=delete'),
		form('/messages/send', 'to=other%40example.org&text=hello'), form('/messages/send', 'to=safe%40example.org&text=hello'),
		fetch('ENEMY/away'), fetch('ENEMY/away', {method: 'POST', mode: 'no-cors', body: 'x'}),
		new Promise(r => { const i = new Image(); i.onload = i.onerror = r; i.src = '/items/5/delete'; }),
	]);
	navigator.sendBeacon('/messages/send', new URLSearchParams({to: 'beacon@example.org'}));
	try { new WebSocket(location.origin.replace('http', 'ws') + '/socket'); } catch (e) {}
	document.getElementById('done').textContent = 'done';
	document.title = 'Done';
};</script>`

// Each mode, in a real Chromium, against the servers' own logs: what may leave does, and nothing else ever did.
func TestModesInTheBrowser(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	enemy := newLoggedSite(t, nil)
	desk := newLoggedSite(t, func(string) string { return strings.ReplaceAll(deedsPage, "ENEMY", enemy.URL) })
	page := &capture.Page{URL: desk.URL + "/", Tab: "tab1"}
	draft := compile.Output{RequiredSites: []string{desk.host()}, Graph: workflow.Graph{Steps: []workflow.Step{
		{StepID: "s1", Title: "Open the desk", Surface: "browser", Verb: capture.Navigate, Page: page,
			After: &capture.State{URL: desk.URL + "/"}},
		{StepID: "s2", Title: "Show the list", Surface: "browser", Verb: capture.Click, Page: page, Changed: true,
			Target: &capture.Target{Role: "button", Name: "Show the list", Tag: "button"},
			After:  &capture.State{URL: desk.URL + "/"}, Checkpoint: "cp-01"},
	}}, Interpretation: workflow.Interpretation{
		Checkpoints: []workflow.Checkpoint{{CheckpointID: "cp-01", StepID: "s2", Goal: "The list is shown",
			Check: &workflow.Check{Kind: "text", Expect: "done"}}}}}
	no := false
	target := func(kind, ref string) []rehearse.SafeTarget {
		return []rehearse.SafeTarget{{TargetKind: kind, Ref: ref}}
	}
	for name, c := range map[string]struct {
		policy rehearse.TestPolicy
		want   []string
	}{
		"read_only": {rehearse.TestPolicy{Mode: rehearse.ReadOnly}, []string{"read"}},
		"read_only, whatever is not forbidden": {
			rehearse.TestPolicy{Mode: rehearse.ReadOnly, ForbidDestructiveWrites: &no, ForbidExternalSend: &no}, []string{"read"}},
		"live_read_safe_write": {
			rehearse.TestPolicy{Mode: rehearse.LiveReadSafeWrite, ForbidDestructiveWrites: &no, ForbidExternalSend: &no}, []string{"read", "write"}},
		"safe_target_only, another site": {
			rehearse.TestPolicy{Mode: rehearse.SafeTargetOnly, SafeTargets: target("managed_browser_profile", "http://safe.example")},
			[]string{"read"}},
		"safe_target_only": {
			rehearse.TestPolicy{Mode: rehearse.SafeTargetOnly, SafeTargets: target("managed_browser_profile", desk.URL)}, []string{"read", "write"}},
		"redirect_send": {
			rehearse.TestPolicy{Mode: rehearse.RedirectSend, SafeTargets: target("safe_email_recipient", "safe@example.org")},
			[]string{"read", "send_safe", "write"}},
		"controlled_live_test": {rehearse.TestPolicy{Mode: rehearse.ControlledLiveTest}, []string{"read", "write"}},
		"controlled_live_test, destroying": {rehearse.TestPolicy{Mode: rehearse.ControlledLiveTest, ForbidDestructiveWrites: &no},
			[]string{"destroy", "destroy_get", "destroy_op", "read", "write"}},
		"controlled_live_test, all": {rehearse.TestPolicy{Mode: rehearse.ControlledLiveTest, ForbidDestructiveWrites: &no,
			ForbidExternalSend: &no},
			[]string{"beacon", "destroy", "destroy_get", "destroy_op", "read", "send_other", "send_safe", "write"}},
	} {
		res := h.runner.Perform(t.Context(), rehearse.Request{Draft: draft, Policy: &c.policy,
			Run: rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunRehearsal}}})
		if len(res.Steps) < 3 || res.Steps[1].Result != rehearse.StepPassed {
			t.Errorf("%s: %s %+v", name, res.Reason, res.Steps)
		}
		if got := desk.took(deeds); !slices.Equal(got, c.want) {
			t.Errorf("%s: the server saw %v, want %v\n%s", name, got, c.want, res.Steps[1].Details)
		}
		if got := enemy.took(map[string]string{"away": ""}); len(got) > 0 {
			t.Errorf("%s: another site was reached", name)
		}
	}
}

// A control whose words say what it does is not used at all where that is forbidden.
func TestModesAtTheControl(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	desk := newLoggedSite(t, func(string) string {
		return `<!doctype html><title>Desk</title><h1>Desk</h1><form method=post action=/gone><button>Delete order</button></form>` +
			`<form method=post action=/mail><button>Send message</button></form>`
	})
	page := &capture.Page{URL: desk.URL + "/", Tab: "tab1"}
	for _, label := range []string{"Delete order", "Send message"} {
		draft := compile.Output{RequiredSites: []string{desk.host()}, Graph: workflow.Graph{Steps: []workflow.Step{
			{StepID: "s1", Title: "Open the desk", Surface: "browser", Verb: capture.Navigate, Page: page,
				After: &capture.State{URL: desk.URL + "/"}},
			{StepID: "s2", Title: label, Surface: "browser", Verb: capture.Click, Page: page,
				Target: &capture.Target{Role: "button", Name: label, Tag: "button"}},
		}}}
		for _, mode := range []rehearse.PolicyMode{rehearse.ReadOnly, rehearse.LiveReadSafeWrite, rehearse.ControlledLiveTest} {
			res := h.runner.Perform(t.Context(), rehearse.Request{Draft: draft, Policy: &rehearse.TestPolicy{Mode: mode},
				Run: rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunRehearsal}}})
			if i := slices.IndexFunc(res.Steps, func(s rehearse.ValidationStepResult) bool {
				return s.TestCaseID == "rehearsal.step.s2"
			}); res.Overall != rehearse.Partial || i < 0 || res.Steps[i].Code != rehearse.CodePolicyViolation {
				t.Errorf("%s, %s: %s %+v", label, mode, res.Overall, res.Steps)
			}
			if got := desk.took(map[string]string{"done": "POST"}); len(got) > 0 {
				t.Errorf("%s, %s: it was done", label, mode)
			}
		}
	}
}

// A box that says that something is sent sends nothing by itself: clearing it is no sending, and with it ticked the form is not sent.
func TestModesAtABox(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	desk := newLoggedSite(t, func(string) string {
		return `<!doctype html><title>Members</title><h1>New member</h1><form method=post action=/members><label>Name <input name=n></label>
<label><input type=checkbox name=note value=1 checked> Send the new member an e-mail</label> <button>Add member</button></form>`
	})
	page := &capture.Page{URL: desk.URL + "/", Tab: "tab1"}
	box := &capture.Target{Role: "checkbox", Name: "Send the new member an e-mail", Tag: "input", InputType: "checkbox"}
	for _, c := range []struct {
		verb capture.Verb
		want []string
	}{{capture.Uncheck, []string{"added"}}, {capture.Check, nil}} {
		draft := compile.Output{RequiredSites: []string{desk.host()}, Graph: workflow.Graph{Steps: []workflow.Step{
			{StepID: "s1", Title: "Open the desk", Surface: "browser", Verb: capture.Navigate, Page: page,
				After: &capture.State{URL: desk.URL + "/"}},
			{StepID: "s2", Title: "Box", Surface: "browser", Verb: c.verb, Page: page, Target: box},
			{StepID: "s3", Title: "Add", Surface: "browser", Verb: capture.Submit, Page: page, Effect: true,
				Target: &capture.Target{Role: "button", Name: "Add member", Tag: "button"}},
		}}}
		res := h.runner.Perform(t.Context(), rehearse.Request{Draft: draft, Policy: &rehearse.TestPolicy{Mode: rehearse.ControlledLiveTest},
			Run: rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunRehearsal}}})
		if i := slices.IndexFunc(res.Steps, func(s rehearse.ValidationStepResult) bool { return s.TestCaseID == "rehearsal.step.s2" }); i < 0 ||
			res.Steps[i].Result != rehearse.StepPassed {
			t.Errorf("%s: %s %+v", c.verb, res.Overall, res.Steps)
		}
		if got := desk.took(map[string]string{"added": "POST /members n="}); !slices.Equal(got, c.want) {
			t.Errorf("%s: the server saw %v, want %v", c.verb, got, c.want)
		}
	}
}

// Commands: what they write stays in the run's folder, what they send does not leave unless the host was named.
func TestModesInTheShell(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	desk := newLoggedSite(t, nil)
	no := false
	scratch := []rehearse.SafeTarget{{TargetKind: "temp_folder", Ref: "scratch"}}
	for name, c := range map[string]struct {
		line    string
		policy  rehearse.TestPolicy
		hosts   []string
		refused bool // at the start
		want    rehearse.Overall
		sent    bool
	}{
		"read_only": {line: "ls", policy: rehearse.TestPolicy{Mode: rehearse.ReadOnly}, refused: true},
		"redirect_send": {line: "ls", policy: rehearse.TestPolicy{
			Mode: rehearse.RedirectSend, SafeTargets: []rehearse.SafeTarget{{TargetKind: "safe_email_recipient", Ref: "a@b.example"}}},
			refused: true},
		"dry_run_only":    {line: "ls", policy: rehearse.TestPolicy{Mode: rehearse.DryRunOnly}, refused: true},
		"no folder named": {line: "ls", policy: rehearse.TestPolicy{Mode: rehearse.ControlledLiveTest}, refused: true},
		"blank, write": {line: "echo x > made.txt && cat made.txt",
			policy: rehearse.TestPolicy{Mode: rehearse.BlankArtifact, SafeTargets: scratch}, want: rehearse.Passed},
		"copy, write": {line: "echo x > made.txt", policy: rehearse.TestPolicy{Mode: rehearse.CopyArtifact, SafeTargets: scratch},
			want: rehearse.Passed},
		"destroy": {line: "rm -rf ~/work", policy: rehearse.TestPolicy{Mode: rehearse.ControlledLiveTest, SafeTargets: scratch},
			want: rehearse.Partial},
		"destroy, safe write": {line: "rm -rf ~/work",
			policy: rehearse.TestPolicy{Mode: rehearse.LiveReadSafeWrite, ForbidDestructiveWrites: &no, SafeTargets: scratch},
			want:   rehearse.Partial},
		"more rights": {line: "sudo ls", policy: rehearse.TestPolicy{Mode: rehearse.ControlledLiveTest, ForbidDestructiveWrites: &no,
			ForbidExternalSend: &no, SafeTargets: scratch}, want: rehearse.Partial},
		"send": {line: "curl -s -d x=1 " + desk.URL + "/send",
			policy: rehearse.TestPolicy{Mode: rehearse.ControlledLiveTest, SafeTargets: scratch}, hosts: []string{desk.host()},
			want: rehearse.Partial},
		"send, host not named": {line: "curl -s -d x=1 " + desk.URL + "/send",
			policy: rehearse.TestPolicy{Mode: rehearse.ControlledLiveTest, ForbidExternalSend: &no, SafeTargets: scratch}, want: rehearse.Failed},
		"send, allowed": {line: "curl -sf -d x=1 " + desk.URL + "/send",
			policy: rehearse.TestPolicy{Mode: rehearse.ControlledLiveTest, ForbidExternalSend: &no, SafeTargets: scratch},
			hosts:  []string{desk.host()}, want: rehearse.Passed, sent: true},
	} {
		draft := compile.Output{Graph: workflow.Graph{
			Steps: []workflow.Step{{StepID: "s1", Title: "The command", Surface: "shell", Verb: capture.Run, Command: c.line, Dir: "~/work"}}}}
		res := h.runner.Perform(t.Context(), rehearse.Request{Draft: draft, Policy: &c.policy, AllowHosts: c.hosts,
			Run: rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunRehearsal}}})
		if c.refused {
			if res.Overall != rehearse.Failed || len(res.Steps) > 0 {
				t.Errorf("%s: %+v", name, res)
			}
			continue
		}
		if res.Overall != c.want {
			t.Errorf("%s: %s, want %s: %s %+v", name, res.Overall, c.want, res.Reason, res.Steps)
		}
		if got := desk.took(map[string]string{"sent": "POST /send"}); (len(got) > 0) != c.sent {
			t.Errorf("%s: sent is %v", name, got)
		}
	}
}

// What a command is to leave running is looked for where it runs; elsewhere nobody can say, and that is said.
func TestARunningProgramIsSeen(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	scratch := rehearse.TestPolicy{Mode: rehearse.BlankArtifact,
		SafeTargets: []rehearse.SafeTarget{{TargetKind: "temp_folder", Ref: "scratch"}}}
	for _, c := range []struct {
		line, program string
		want          rehearse.Overall
		says          string
	}{
		{"sleep 900", "sleep", rehearse.Passed, ""},
		{"sleep 900 &", "sleep", rehearse.Passed, ""},
		{"sleep 0", "sleep", rehearse.Failed, "the program `sleep` to be running"},
		{"false || sleep 900 &", "jackd", rehearse.Failed, "the program `jackd` to be running"},
	} {
		draft := compile.Output{Graph: workflow.Graph{
			Steps: []workflow.Step{{StepID: "s1", Title: "The command", Surface: "shell", Verb: capture.Run, Command: c.line, Dir: "~/work"}}},
			Interpretation: workflow.Interpretation{
				Checkpoints: []workflow.Checkpoint{{CheckpointID: "cp-01", Goal: "It is running", SuccessCondition: "The program is running.",
					StepID: "s1",
					Check:  &workflow.Check{Kind: "process", Name: c.program}}}}}
		res := h.runner.Perform(t.Context(), rehearse.Request{Draft: draft, Policy: &scratch,
			Run: rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunRehearsal}}})
		if res.Overall != c.want || !strings.Contains(res.Reason, c.says) {
			t.Errorf("%s: %s %s %+v", c.line, res.Overall, res.Reason, res.Steps)
		}
	}
	site := newLoggedSite(t, func(string) string { return `<!doctype html><title>Desk</title><h1>Desk</h1>` })
	draft := compile.Output{RequiredSites: []string{site.host()}, Graph: workflow.Graph{Steps: []workflow.Step{
		{StepID: "s1", Title: "Open the desk", Surface: "browser", Verb: capture.Navigate, Page: &capture.Page{URL: site.URL + "/", Tab: "tab1"},
			After: &capture.State{URL: site.URL + "/"}}}},
		Interpretation: workflow.Interpretation{
			Checkpoints: []workflow.Checkpoint{
				{CheckpointID: "cp-01", Goal: "It is running", StepID: "s1", Check: &workflow.Check{Kind: "process", Name: "viewer"}}}}}
	res := h.runner.Perform(t.Context(), rehearse.Request{Draft: draft, Policy: &rehearse.TestPolicy{Mode: rehearse.ReadOnly},
		Run: rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunRehearsal}}})
	if res.Overall != rehearse.Partial || !strings.Contains(res.Reason, "whether the program `viewer` runs") {
		t.Errorf("%s %s %+v", res.Overall, res.Reason, res.Steps)
	}
}

// Without a value, what is picked from a list is another row of it; not where a run would change somebody's things.
func TestAnotherRowIsTried(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	desk := newLoggedSite(t, func(string) string {
		return `<!doctype html><title>Orders</title><h1>Orders</h1><table><tr><th>Order<th>State</tr>
			<tr><td><a href=/orders/A-1>A-1</a><td>Open</tr><tr><td>A-2<td>Locked</tr><tr><td><a href=/orders/A-3>A-3</a><td>Open</tr></table>`
	})
	page := &capture.Page{URL: desk.URL + "/", Tab: "tab1"}
	draft := func(effect bool) compile.Output {
		return compile.Output{RequiredSites: []string{desk.host()}, Graph: workflow.Graph{
			Params: []workflow.Param{{ParamID: "p1", Name: "order", Role: "input", Required: true, LinkID: "v1", UsedIn: []string{"s2"}}},
			Steps: []workflow.Step{
				{StepID: "s1", Title: "Open the orders", Surface: "browser", Verb: capture.Navigate, Page: page,
					After: &capture.State{URL: desk.URL + "/"}},
				{StepID: "s2", Title: "Open {order}", Surface: "browser", Verb: capture.Click, Page: page, Effect: effect,
					Target: &capture.Target{Role: "link", Name: "{order}", Tag: "a"}},
			}}}
	}
	for _, c := range []struct {
		mode   rehearse.PolicyMode
		effect bool
		want   string
	}{{rehearse.ReadOnly, false, "A-3"}, {rehearse.ControlledLiveTest, false, "A-3"}, {rehearse.ControlledLiveTest, true, "A-1"}} {
		desk.took(nil)
		res := h.runner.Perform(t.Context(), rehearse.Request{Draft: draft(c.effect), Policy: &rehearse.TestPolicy{Mode: c.mode},
			Values: func(context.Context) (map[string]string, error) { return map[string]string{"v1": "A-1"}, nil },
			Run:    rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunRehearsal}}})
		if got := desk.took(map[string]string{"A-1": "GET /orders/A-1", "A-2": "GET /orders/A-2", "A-3": "GET /orders/A-3"}); !slices.Equal(got,
			[]string{c.want}) {
			t.Errorf("%s, %v: %v, want %s: %s %+v", c.mode, c.effect, got, c.want, res.Overall, res.Steps)
		}
		for _, s := range res.Steps {
			if strings.Contains(s.Label+s.Details, "A-1") || strings.Contains(s.Label+s.Details, "A-3") {
				t.Errorf("a value is shown: %+v", s)
			}
		}
	}
}
