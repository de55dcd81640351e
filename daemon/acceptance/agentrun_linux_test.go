package acceptance_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/daemon/sandbox"
	"showhow/internal/fault"
)

// internet is the network as runs see it: names that lead to servers of this test, and to nowhere else.
type internet struct {
	mu    sync.Mutex
	hosts map[string]string // "name:port" to a local address
	hits  map[string]int
}

func (n *internet) dial(ctx context.Context, _, address string) (net.Conn, error) {
	n.mu.Lock()
	to := n.hosts[address]
	n.hits[address]++
	n.mu.Unlock()
	if to == "" {
		return nil, errors.New("no such host")
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", to)
}

// host puts a site on the internet.
func (n *internet) host(t *testing.T, name string, h http.HandlerFunc) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hosts[name+":80"] = s.Listener.Addr().String()
}

var scripts atomic.Int64

// lab is a world with an internet, in which agents can run.
type lab struct {
	*world
	net *internet
}

func newLab(t *testing.T, change ...func(*daemon.Options)) *lab {
	t.Helper()
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	n := &internet{hosts: map[string]string{}, hits: map[string]int{}}
	w := begin(t, append([]func(*daemon.Options){func(o *daemon.Options) { o.Test.Dial = n.dial }}, change...)...)
	return &lab{w, n}
}

// agentScript is an agent: a program of the person's that really edits files and really uses the network.
func (l *lab) agentScript(lines string) []string {
	l.t.Helper()
	name := filepath.Join(l.o.Roots.Home, "agents", fmt.Sprintf("scripted-%d", scripts.Add(1)))
	must(l.t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(l.t, os.WriteFile(name, []byte("#!/bin/bash\nset -eu\n"+lines), 0o755))
	must(l.t, os.Chmod(name, 0o755)) // root's sandbox is another account
	return []string{name}
}

func (l *lab) start(r client.SandboxRunRequest) client.SandboxRun {
	l.t.Helper()
	return got(l.c.StartSandboxRun(l.t.Context(), r))(l.t)
}

// ends waits for a run's end.
func (l *lab) ends(id string) client.SandboxRun {
	l.t.Helper()
	r := l.state(id, func(r client.SandboxRun) bool { return r.State.Ended() })
	if l.t.Failed() || r.State != "succeeded" {
		o, _ := l.c.SandboxRunOutput(context.Background(), id, 0)
		l.t.Logf("%s %s %s, it printed: %s", r.State, r.ReasonCode, r.Reason, o.Text)
	}
	return r
}

func (l *lab) state(id string, ok func(client.SandboxRun) bool) (r client.SandboxRun) {
	l.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if r = got(l.c.SandboxRun(l.t.Context(), id))(l.t); ok(r) {
			return r
		}
		if time.Now().After(end) {
			l.t.Fatalf("the run stays %s", r.State)
		}
	}
}

// perform starts a run and waits for its end.
func (l *lab) perform(r client.SandboxRunRequest) client.SandboxRun {
	l.t.Helper()
	return l.ends(l.start(r).RunID)
}

func (l *lab) evidence(id string) client.SandboxRunEvidence {
	l.t.Helper()
	return got(l.c.SandboxRunEvidence(l.t.Context(), id))(l.t)
}

// mailSkill is what the scripted agents write.
const mailSkill = `---
name: agentmail
description: Send and read mail through the AgentMail service. Use it when somebody asks to send a mail for an agent.
---

# AgentMail

Send a mail: POST http://api.agentmail.test/v1/send with to and subject.
`

// agentmail is the service: its documentation, and its first and second interface.
func (l *lab) agentmail(v1 int) (sent func() []string) {
	var mu sync.Mutex
	var mails []string
	l.net.host(l.t, "docs.agentmail.test", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "POST /v2/messages\n") })
	take := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		b, _ := io.ReadAll(r.Body)
		mails = append(mails, r.URL.Path+" "+string(b)+" "+r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, "queued\n")
	}
	l.net.host(l.t, "api.agentmail.test", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/v1/send" && v1 == http.StatusOK, r.URL.Path == "/v2/messages":
			take(w, r)
		case v1 == http.StatusMovedPermanently:
			http.Redirect(w, r, "http://api-v2.agentmail.test/v2/messages", v1)
		default:
			http.Error(w, "no", v1)
		}
	})
	l.net.host(l.t, "api-v2.agentmail.test", take)
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(mails)
	}
}

const research = `curl -sf http://docs.agentmail.test/ > docs.txt
mkdir -p references scripts .cache node_modules/x
cp docs.txt references/api-docs.md
printf '#!/bin/sh\necho send\n' > scripts/send.sh; chmod +x scripts/send.sh
echo junk > .cache/x; echo junk > node_modules/x/y; echo junk > debug.log
cat > SKILL.md <<'END'
` + mailSkill + `END
`

// learned has an agent make the skill and the person approve it for a host.
func (l *lab) learned(domains ...string) client.Ability {
	l.t.Helper()
	r := l.perform(client.SandboxRunRequest{Command: l.agentScript(research), Domains: []string{"docs.agentmail.test"},
		Goal: "learn how to work with AgentMail"})
	if len(r.Skills) != 1 {
		l.t.Fatalf("%+v", r)
	}
	return l.approved(r.Skills[0].AbilityID, domains)
}

func (l *lab) approved(id string, domains []string) client.Ability {
	l.t.Helper()
	a := got(l.c.Ability(l.t.Context(), id))(l.t)
	p := a.Permissions
	p.Domains = domains
	return got(l.c.ApproveAbility(l.t.Context(), a.AbilityID, client.AbilityApproval{ContentHash: a.ContentHash, Permissions: &p}))(l.t)
}

func (l *lab) installed() string {
	raw, err := os.ReadFile(l.memory("learning/installed/agentmail/SKILL.md"))
	must(l.t, err)
	return string(raw)
}

func (l *lab) projected() bool {
	_, err := os.Stat(filepath.Join(l.o.Config.Targets[0].Dir, "agentmail", "SKILL.md"))
	return err == nil
}

// Scenario 1: an agent researches a service and writes a skill; it waits for the person, who approves or rejects it.
func TestLifecycleScenario1_DiscoverAService(t *testing.T) {
	l := newLab(t)
	l.agentmail(http.StatusOK)
	r := l.perform(client.SandboxRunRequest{Command: l.agentScript(research + "curl -sf http://evil.test/ || true\nprintf " +
		"'{\"tool\":\"fetch\",\"outcome\":\"ok\"}' | showhow hook generic --agent \"$(ls ~/.local/state/showhow/receipts)\"\n"),
		Domains: []string{"docs.agentmail.test"}, Goal: "learn how to work with AgentMail"})
	if r.State != "succeeded" || len(r.Skills) != 1 || r.Skills[0].Outcome != "created" || r.Skills[0].Verdict == "" ||
		r.Skills[0].Trust != "pending_review" {
		t.Fatalf("%+v", r)
	}
	if got := r.Skills[0].Added; !slices.Equal(got, []string{"SKILL.md", "references/api-docs.md", "scripts/send.sh"}) {
		t.Errorf("extracted %v", got)
	}
	e := l.evidence(r.RunID)
	if !slices.Equal(e.HostsReached, []string{"docs.agentmail.test:80"}) || !slices.Equal(e.HostsRefused, []string{"evil.test:80"}) ||
		len(e.Limits) < 5 {
		t.Errorf("%+v", e)
	}
	if len(e.Tools) != 1 || e.Tools[0].Tool != "fetch" || e.BashUsed {
		t.Errorf("tools %+v", e.Tools)
	}
	a := got(l.c.Ability(t.Context(), r.Skills[0].AbilityID))(t)
	if a.UsableNow || a.Trust != "pending_review" || len(a.Permissions.Domains) != 0 || l.projected() {
		t.Errorf("%+v", a)
	}
	_, err := l.c.StartSandboxRun(t.Context(), client.SandboxRunRequest{Command: []string{"true"}, Skill: "agentmail"})
	refused(t, err, fault.TrustRequired)
	a = l.approved(a.AbilityID, []string{"api.agentmail.test"})
	if !a.UsableNow || !l.projected() {
		t.Errorf("%+v", a)
	}
}

// What an agent obtains for the skill that it makes goes to the keychain, waits there for the person, and is nowhere else.
func TestLifecycleScenario1_SaveCredential(t *testing.T) {
	const value = "canary-acquired-key-7731"
	chain := fakeSecrets{"theirs": "canary-of-the-person"}
	l := newLab(t, withSecrets(chain))
	l.agentmail(http.StatusOK)
	save := func(name, value string) string {
		return "printf %s " + value + " | showhow-save-credential " + name
	}
	r := l.perform(client.SandboxRunRequest{Command: l.agentScript(research + save("agentmail_api_key", value) + "\necho it is " + value +
		"\n! " + save("theirs", "x") + "\n! " + save("ANTHROPIC_API_KEY", "x") + "\n! " + save("PATH", "x") + "\n"),
		Domains: []string{"docs.agentmail.test"}})
	if r.State != "succeeded" || len(r.Skills) != 1 {
		t.Fatalf("%+v", r)
	}
	if e := l.evidence(r.RunID); !slices.Equal(e.SavedCredentials, []string{"agentmail_api_key"}) {
		t.Errorf("%+v", e)
	}
	if o := got(l.c.SandboxRunOutput(t.Context(), r.RunID, 0))(t); strings.Contains(o.Text, value) {
		t.Errorf("it printed %q", o.Text)
	}
	id := r.Skills[0].AbilityID
	if chain["agentmail_api_key"] != "" || chain["pending/"+id+"/agentmail_api_key"] != value || chain["theirs"] != "canary-of-the-person" {
		t.Errorf("the keychain holds %v", chain)
	}
	d := got(l.c.Difference(t.Context(), id))(t)
	if len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "agentmail_api_key") {
		t.Errorf("%v", d.Warnings)
	}
	a := got(l.c.Ability(t.Context(), id))(t)
	p := a.Permissions
	p.Domains, p.Credentials = []string{"api.agentmail.test"}, []string{"agentmail_api_key"}
	got(l.c.ApproveAbility(t.Context(), id, client.AbilityApproval{ContentHash: a.ContentHash, Permissions: &p}))(t)
	if chain["agentmail_api_key"] != value || len(chain) != 2 {
		t.Errorf("the keychain holds %v", chain)
	}
	r = l.perform(client.SandboxRunRequest{Command: l.agentScript("test \"$AGENTMAIL_API_KEY\" = " + value + "\n! " +
		save("agentmail_api_key", "other") + "\n"), Skill: id})
	if r.State != "succeeded" || !slices.Equal(r.Credentials, []string{"agentmail_api_key"}) {
		t.Errorf("%+v", r)
	}
	l.searched("a credential that a run obtained", value)
}

// What waits for a skill goes with it, and a run that fails leaves nothing.
func TestLifecycleScenario1_PendingCredentialGoes(t *testing.T) {
	chain := fakeSecrets{}
	l := newLab(t, withSecrets(chain))
	l.agentmail(http.StatusOK)
	run := func(end string) client.SandboxRun {
		return l.perform(client.SandboxRunRequest{Command: l.agentScript(research +
			"printf secret-value | showhow-save-credential agentmail_api_key\n" + end), Domains: []string{"docs.agentmail.test"}})
	}
	if r := run("exit 3\n"); r.State != "failed" || len(chain) != 0 {
		t.Errorf("%+v, %v", r, chain)
	}
	r := run("")
	if len(r.Skills) != 1 || len(chain) != 1 {
		t.Fatalf("%+v, %v", r, chain)
	}
	list := got(l.c.Credentials(t.Context()))(t).Credentials
	if len(list) != 1 || list[0].Name != "agentmail_api_key" || !slices.Equal(list[0].Pending, []string{r.Skills[0].AbilityID}) {
		t.Errorf("%+v", list)
	}
	got(l.c.RejectAbility(t.Context(), r.Skills[0].AbilityID, "no"))(t)
	if len(chain) != 0 {
		t.Errorf("%v", chain)
	}
}

// What a shell did cannot all be seen: whoever reviews the skill is told that there was one.
func TestLifecycleScenario1_ShellIsAWarning(t *testing.T) {
	l := newLab(t)
	l.agentmail(http.StatusOK)
	said := `printf '{"tool":"Bash","command":"curl x","outcome":"ok"}' | showhow hook generic --agent "$(ls ~/.local/state/showhow/receipts)"
`
	r := l.perform(client.SandboxRunRequest{Command: l.agentScript(research + said), Domains: []string{"docs.agentmail.test"}})
	if r.State != "succeeded" || len(r.Skills) != 1 {
		t.Fatalf("%+v", r)
	}
	if e := l.evidence(r.RunID); !e.BashUsed {
		t.Errorf("%+v", e)
	}
	d := got(l.c.Difference(t.Context(), r.Skills[0].AbilityID))(t)
	if len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "shell") {
		t.Errorf("%+v", d.Warnings)
	}
}

// Scenario 2: an approved skill is used; nothing of it changes.
func TestLifecycleScenario2_UseASkill(t *testing.T) {
	l := newLab(t)
	sent := l.agentmail(http.StatusOK)
	a := l.learned("api.agentmail.test")
	r := l.perform(client.SandboxRunRequest{
		Command: append(l.agentScript(`grep -o 'http://[^ ]*' SKILL.md | head -1 | xargs curl -sf -d "to=$1"
`), "john@example.com"), Skill: "agentmail"})
	if r.State != "succeeded" || len(r.Skills) != 1 || r.Skills[0].Outcome != "unchanged" || len(sent()) != 1 {
		t.Fatalf("%+v %v", r, sent())
	}
	if b := got(l.c.Ability(t.Context(), a.AbilityID))(t); b.Trust != "approved" || b.Revision != a.Revision {
		t.Errorf("trust churned: %+v", b)
	}
}

// Scenario 3: the service is down. The run fails and can be repeated; the skill is not at fault.
func TestLifecycleScenario3_TransientFailure(t *testing.T) {
	l := newLab(t)
	l.agentmail(http.StatusServiceUnavailable)
	a := l.learned("api.agentmail.test")
	before := l.installed()
	r := l.perform(client.SandboxRunRequest{
		Command: l.agentScript(
			"echo scribbled >> SKILL.md\nfor i in 1 2 3; do curl -sf -d to=john http://api.agentmail.test/v1/send && exit 0; done; exit 22\n"),
		Skill: a.AbilityID})
	if r.State != "failed" || !r.Retryable || r.ReasonCode != "agent_failed" || *r.ExitCode != 22 || len(r.Skills) != 0 {
		t.Fatalf("%+v", r)
	}
	if b := got(l.c.Ability(t.Context(), a.AbilityID))(t); b.Trust != "approved" || l.installed() != before {
		t.Errorf("%+v", b)
	}
}

const mend = `curl -sf http://docs.agentmail.test/ | grep -q /v2/messages
sed -i 's|api.agentmail.test/v1/send|api.agentmail.test/v2/messages|' SKILL.md
rm scripts/send.sh
`

// Scenario 3, repeated: the service is down for a moment. The second attempt begins in a fresh workspace and is told
// what happened; there is no third.
func TestLifecycleScenario3_OneRetry(t *testing.T) {
	l := newLab(t)
	var calls atomic.Int64
	l.net.host(t, "api.agentmail.test", func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) == 1 {
			http.Error(w, "down", http.StatusServiceUnavailable)
		}
	})
	flaky := l.agentScript("test ! -e left\ntouch left\ncurl -sf http://api.agentmail.test/ && grep -q 'second attempt' .showhow/brief.md\n")
	r := l.perform(client.SandboxRunRequest{Command: flaky, Domains: []string{"api.agentmail.test"}, Retry: true})
	if r.State != "succeeded" || r.Attempts != 2 || r.Retryable || r.ReasonCode != "" || calls.Load() != 2 {
		t.Fatalf("%+v, %d calls", r, calls.Load())
	}
	if e := l.evidence(r.RunID); !slices.Equal(e.HostsReached, []string{"api.agentmail.test:80"}) {
		t.Errorf("%+v", e)
	}
	never := l.agentScript("curl -s http://first.test/ || true\nexit 22\n")
	r = l.perform(client.SandboxRunRequest{Command: never, Retry: true})
	if r.State != "failed" || r.Attempts != 2 || !r.Retryable || *r.ExitCode != 22 {
		t.Errorf("%+v", r)
	}
	if e := l.evidence(r.RunID); !slices.Equal(e.HostsRefused, []string{"first.test:80"}) {
		t.Errorf("%+v", e)
	}
}

// Several skills from one run: each is taken whole, and one that is refused takes no other with it.
func TestSeveralSkillsInOneRun(t *testing.T) {
	l := newLab(t)
	r := l.perform(client.SandboxRunRequest{Command: l.agentScript(`for n in read-mail send-mail; do
mkdir -p skills/$n
printf -- '---\nname: %s\ndescription: Use it to %s.\n---\n\n# It\n\nDo it.\n' $n $n > skills/$n/SKILL.md
done
mkdir -p skills/broken skills/nothing
echo 'no head' > skills/broken/SKILL.md
`)})
	if r.State != "succeeded" || len(r.Skills) != 3 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []string{"refused", "created", "created"} {
		if got := r.Skills[i]; got.Outcome != want || (want == "refused") != (len(got.Problems) > 0) {
			t.Errorf("%+v", got)
		}
	}
	if a := got(l.c.Ability(t.Context(), "send-mail"))(t); a.Trust != "pending_review" {
		t.Errorf("%+v", a)
	}
}

// Scenario 4, case A: the agent mends the skill within the approved hosts; the mended skill waits for the person again.
func TestLifecycleScenario4_BrokenSkillWithinItsHosts(t *testing.T) {
	l := newLab(t)
	sent := l.agentmail(http.StatusNotFound)
	a := l.learned("api.agentmail.test", "docs.agentmail.test")
	r := l.perform(client.SandboxRunRequest{
		Command: l.agentScript("curl -sf -d to=john http://api.agentmail.test/v1/send && exit 9\n" + mend +
			"curl -sf -d to=john http://api.agentmail.test/v2/messages\n"), Skill: "agentmail"})
	if r.State != "succeeded" || len(sent()) != 1 || len(r.Skills) != 1 {
		t.Fatalf("%+v %v", r, sent())
	}
	s := r.Skills[0]
	if s.Outcome != "updated" || s.Trust != "pending_review" || !slices.Equal(s.Changed, []string{"SKILL.md"}) ||
		!slices.Equal(s.Deleted, []string{"scripts/send.sh"}) || len(s.Added) != 0 {
		t.Errorf("%+v", s)
	}
	b := got(l.c.Ability(t.Context(), a.AbilityID))(t)
	if b.UsableNow || b.Trust != "pending_review" || l.projected() || !slices.Equal(b.Permissions.Domains, a.Permissions.Domains) {
		t.Errorf("%+v", b)
	}
	if !strings.Contains(l.installed(), "/v2/messages") {
		t.Error("the mended text is not there")
	}
	if b = l.approved(a.AbilityID, a.Permissions.Domains); !b.UsableNow || !l.projected() {
		t.Errorf("%+v", b)
	}
}

// Scenario 4, case B: the mend needs a further host. The run stands still until the person allows it, for this run.
func TestLifecycleScenario4_BrokenSkillNeedsAnotherHost(t *testing.T) {
	l := newLab(t)
	sent := l.agentmail(http.StatusMovedPermanently)
	a := l.learned("api.agentmail.test")
	cmd := l.agentScript(`curl -sfL -d to=john http://api.agentmail.test/v1/send && exit 9
showhow-ask --domain api-v2.agentmail.test "The API moved there"
sed -i 's|api.agentmail.test/v1/send|api-v2.agentmail.test/v2/messages|' SKILL.md
name=$(showhow-ask "Who is the mail for?")
curl -sf -d "to=$name" http://api-v2.agentmail.test/v2/messages
`)
	id := l.start(client.SandboxRunRequest{Command: cmd, Skill: "agentmail"}).RunID
	r := l.state(id, func(r client.SandboxRun) bool { return r.Question != nil || r.State.Ended() })
	if r.State != "waiting" || r.Question == nil || r.Question.Kind != "domain" || r.Question.Host != "api-v2.agentmail.test" ||
		r.Question.Text != "The API moved there" {
		t.Fatalf("%+v", r)
	}
	// An agent's word is no person's; neither is a guess, or an answer to something else.
	_, err := l.agent("scout").AnswerSandboxRun(t.Context(), id, client.SandboxRunAnswer{QuestionID: r.Question.QuestionID, Allow: true})
	refused(t, err, fault.Forbidden)
	_, err = client.Unix(l.o.Roots.Socket()).AnswerSandboxRun(t.Context(), id,
		client.SandboxRunAnswer{QuestionID: r.Question.QuestionID, Allow: true})
	refused(t, err, fault.PresenceRequired)
	_, err = l.c.AnswerSandboxRun(t.Context(), id, client.SandboxRunAnswer{QuestionID: r.Question.QuestionID, Allow: true},
		client.IfMatch(r.Revision+7))
	refused(t, err, fault.RevisionConflict)
	_, err = l.c.AnswerSandboxRun(t.Context(), id, client.SandboxRunAnswer{QuestionID: id, Allow: true})
	refused(t, err, fault.InvalidLearnStateTransition)
	_, err = l.c.StartSandboxRun(t.Context(), client.SandboxRunRequest{Command: []string{"true"}})
	refused(t, err, fault.AgentRunActive)
	got(l.c.AnswerSandboxRun(t.Context(), id, client.SandboxRunAnswer{QuestionID: r.Question.QuestionID, Allow: true},
		client.IfMatch(r.Revision)))(t)
	first := r.Question.QuestionID
	r = l.state(id, func(r client.SandboxRun) bool {
		return r.Question != nil && r.Question.QuestionID != first || r.State.Ended()
	})
	if r.Question == nil || r.Question.Kind != "input" {
		t.Fatalf("%+v", r)
	}
	got(l.c.AnswerSandboxRun(t.Context(), id, client.SandboxRunAnswer{QuestionID: r.Question.QuestionID, Allow: true, Text: "canary-jane"}))(t)
	r = l.ends(id)
	if r.State != "succeeded" || len(r.Skills) != 1 || r.Skills[0].Outcome != "updated" ||
		!slices.Equal(r.GrantedHosts, []string{"api-v2.agentmail.test"}) {
		t.Fatalf("%+v", r)
	}
	if m := sent(); len(m) != 1 || !strings.Contains(m[0], "to=canary-jane") {
		t.Errorf("%v", m)
	}
	e := l.evidence(id)
	if len(e.Questions) != 2 || e.Questions[0].Outcome != "allowed" || e.Questions[1].Outcome != "answered" ||
		!slices.Contains(e.HostsRefused, "api-v2.agentmail.test:80") {
		t.Errorf("%+v", e)
	}
	if b := got(l.c.Ability(t.Context(), a.AbilityID))(t); !slices.Equal(b.Permissions.Domains, []string{"api.agentmail.test"}) {
		t.Errorf("what was allowed for a run became a permission: %v", b.Permissions)
	}
	l.searched("an answer", "canary-jane")
}

// Scenario 4, the end of it: the agent cannot mend it and says so; a run of its own researches, with hosts that the person names.
func TestLifecycleScenario4_ResearchRun(t *testing.T) {
	l := newLab(t)
	l.agentmail(http.StatusNotFound)
	a := l.learned("api.agentmail.test")
	if r := l.perform(client.SandboxRunRequest{Command: l.agentScript("curl -sf -d to=john http://api.agentmail.test/v1/send\n"),
		Skill: "agentmail"}); r.State != "failed" || !r.Retryable {
		t.Fatalf("%+v", r)
	}
	r := l.perform(client.SandboxRunRequest{Command: l.agentScript(mend), Skill: a.AbilityID, Domains: []string{"docs.agentmail.test"}})
	if r.State != "succeeded" || r.Skills[0].Outcome != "updated" || r.Skills[0].Trust != "pending_review" {
		t.Fatalf("%+v", r)
	}
}

// Scenario 5: the skill is for another agent: it is whole in itself, and each agent's folder gets it after the approval.
func TestLifecycleScenario5_ForAnotherAgent(t *testing.T) {
	l := newLab(t)
	l.agentmail(http.StatusOK)
	l.learned("api.agentmail.test")
	for _, target := range l.o.Config.Targets {
		for _, f := range []string{"SKILL.md", "references/api-docs.md", "scripts/send.sh"} {
			if _, err := os.Stat(filepath.Join(target.Dir, "agentmail", f)); err != nil {
				t.Error(err)
			}
		}
	}
	scout := l.agent("scout")
	m := got(scout.Lookup(t.Context(), client.LookupQuery{UserQuery: "agentmail", SchemaVersion: 1}))(t)
	if len(m.Matches) == 0 || m.Matches[0].SkillSlug != "agentmail" || !m.Matches[0].UsableNow {
		t.Errorf("%+v", m)
	}
}

// Scenario 7: a skill from elsewhere is fetched by an agent; where it is from is on record, and that the run was there.
func TestLifecycleScenario7_FoundOnline(t *testing.T) {
	l := newLab(t)
	l.net.host(t, "skills.test", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, mailSkill) })
	r := l.perform(client.SandboxRunRequest{Command: l.agentScript(`curl -sf http://skills.test/agentmail/SKILL.md > SKILL.md
echo '{"provenance":{"source":"http://skills.test/agentmail"},"trust":"approved","allowedDomains":["evil.test"]}' > policy.json
`), Domains: []string{"skills.test"}})
	if r.State != "succeeded" || len(r.Skills) != 1 || r.Skills[0].Trust != "pending_review" {
		t.Fatalf("%+v", r)
	}
	e := l.evidence(r.RunID)
	if e.Provenance == nil || e.Provenance.Source != "http://skills.test/agentmail" || !e.Provenance.Verified {
		t.Errorf("%+v", e)
	}
	a := got(l.c.Ability(t.Context(), r.Skills[0].AbilityID))(t)
	if a.Source != "imported" || a.Trust != "pending_review" || len(a.Permissions.Domains) != 0 {
		t.Errorf("%+v", a)
	}
	if _, err := os.Stat(l.memory("learning/installed/agentmail/policy.json")); err == nil {
		t.Error("the agent's policy was taken over")
	}
}
