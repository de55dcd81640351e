//go:build !race

package acceptance_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// machine lets a program in, and returns its token.
func (w *world) machine(name, resource string, scopes ...string) (caller client.RemoteMachine, token string) {
	w.t.Helper()
	m := got(w.c.AddRemoteMachine(w.t.Context(), client.RemoteMachineAdd{Name: name, Resource: resource, Scopes: scopes}))(w.t)
	base := strings.TrimSuffix(m.TokenURL, "/auth/machine/token")
	res, err := http.PostForm(base+"/oauth/token", url.Values{"grant_type": {"client_credentials"}, "client_id": {m.ClientID},
		"client_secret": {m.ClientSecret}})
	must(w.t, err)
	defer res.Body.Close()
	var t struct {
		AccessToken string `json:"access_token"`
	}
	must(w.t, json.NewDecoder(res.Body).Decode(&t))
	if t.AccessToken == "" {
		w.t.Fatalf("%d", res.StatusCode)
	}
	return m, t.AccessToken
}

// speak sends a message in A2A.
func speak(t *testing.T, base, token, body string) (status int, said string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", base+"/a2a", strings.NewReader(body))
	must(t, err)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	must(t, err)
	defer res.Body.Close()
	return res.StatusCode, string(got(io.ReadAll(res.Body))(t))
}

const askForRun = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"m","role":"user",
	"parts":[{"kind":"text","text":"sort those of July"}],"metadata":{"skill":"sort-receipts"}}}}`

// A client that nobody here wrote reads and verifies the cards, looks a skill up, cancels, and has one run in the sandbox
// that the person allows. Off, nothing of it is there.
func TestTheTypeScriptClientSpeaksA2A(t *testing.T) {
	l := newLab(t)
	ctx := t.Context()
	a := l.owns()
	base := l.remoteOn().URL
	for _, at := range []string{"/.well-known/agent-card.json", "/.well-known/oauth-protected-resource/a2a", "/a2a"} {
		res, err := http.Get(base + at)
		must(t, err)
		res.Body.Close()
		if res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d while it is off", at, res.StatusCode)
		}
	}
	if _, err := l.c.AddRemoteMachine(ctx, client.RemoteMachineAdd{Name: "early", Resource: "a2a",
		Scopes: []string{"showhow.a2a"}}); err == nil {
		t.Error("a machine is let in to what is off")
	}
	program := l.agentScript(`echo "by month: $SHOWHOW_GOAL"; test -f SKILL.md; echo changed >> SKILL.md` + "\n")
	got(l.c.SetRemoteA2A(ctx, client.RemoteA2ASet{RemoteA2A: client.RemoteA2A{On: true, Command: program}}))(t)
	_, token := l.machine("night", "a2a", "showhow.a2a", "showhow.a2a.run")
	if st, said := speak(t, base, token, askForRun); st != http.StatusOK || !strings.Contains(said, "-32602") {
		t.Errorf("%d %s: a skill that is not open to it", st, said)
	}
	may := a.Permissions
	may.Agents = []string{"remote/night"}
	got(l.c.SetPermissions(ctx, a.AbilityID, may))(t)
	before := got(l.c.Ability(ctx, a.AbilityID))(t)

	modules := judges(t)
	if judge(t, "@a2a-js/sdk/dist/client/index.js"); t.Skipped() {
		return
	}
	cmd := exec.CommandContext(ctx, "node", "testdata/a2a.mjs", modules, base, token, "sort-receipts")
	cmd.Stderr = os.Stderr
	out := got(cmd.StdoutPipe())(t)
	must(t, cmd.Start())
	said := map[string]string{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		what, rest, _ := strings.Cut(lines.Text(), " ")
		if said[what] = rest; what == "task" {
			items := got(l.c.Inbox(ctx))(t).Items
			if !slices.ContainsFunc(items, func(i client.InboxItem) bool { return i.Kind == "remote_task" && i.Ref == rest }) {
				t.Errorf("%+v", items)
			}
			got(l.c.DecideRemoteTask(ctx, rest, client.RemoteTaskDecision{Allow: true}))(t)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v %v", err, said)
	}
	for what, want := range map[string]string{"public": "0 true", "own": "showhow.lookup sort-receipts true",
		"asked": "input-required canceled",
		"push":  "PushNotificationNotSupportedJSONRPCError", "states": "input-required working completed"} {
		if said[what] != want {
			t.Errorf("%s: %q, not %q", what, said[what], want)
		}
	}
	if !strings.HasPrefix(said["found"], "completed") || !strings.Contains(said["found"], a.AbilityID) ||
		!strings.Contains(said["result"], "by month: sort those of May") {
		t.Errorf("%v", said)
	}
	if after := got(l.c.Ability(ctx, a.AbilityID))(t); after.ContentHash != before.ContentHash {
		t.Error("what a caller had run changed the skill")
	}
	l.refused(base, token)
}

// refused tries what must not be answered, in the codes of the decision.
func (l *lab) refused(base, token string) {
	t, ctx := l.t, l.t.Context()
	_, reader := l.machine("reader", "a2a", "showhow.a2a")
	_, elsewhere := l.machine("mcp", "mcp", "showhow.mcp")
	part := strings.Split(token, ".")
	for what, bad := range map[string]string{"none": "",
		"forged": part[0] + "." + part[1] + "." + strings.Split(reader, ".")[2], "another's": elsewhere,
		"unsigned": "eyJhbGciOiJub25lIn0." + part[1] + "."} {
		if st, said := speak(t, base, bad, askForRun); st != http.StatusUnauthorized || !strings.Contains(said, `"code":"auth_failed"`) {
			t.Errorf("%s: %d %s", what, st, said)
		}
	}
	if st, said := speak(t, base, reader, askForRun); st != http.StatusOK || !strings.Contains(said, "-32602") {
		t.Errorf("%d %s: a run without its scope", st, said)
	}
	_, said := speak(t, base, token, askForRun)
	tasks := got(l.c.Remote(ctx))(t).Tasks
	if !strings.Contains(said, "input-required") || len(tasks) != 1 {
		t.Fatalf("%s", said)
	}
	_, err := l.agent("night").DecideRemoteTask(ctx, tasks[0].TaskID, client.RemoteTaskDecision{Allow: true})
	if refused(t, err, fault.Forbidden); len(got(l.c.Remote(ctx))(t).Tasks) != 1 {
		t.Error("an agent decides")
	}
	got(l.c.RevokeRemote(ctx, "night"))(t)
	await.Until(t, "no task", func() bool { return len(got(l.c.Remote(ctx))(t).Tasks) == 0 })
	if st, _ := speak(t, base, token, askForRun); st != http.StatusUnauthorized {
		t.Errorf("%d: it was shut out", st)
	}
	got(l.c.SetRemoteA2A(ctx, client.RemoteA2ASet{}))(t)
	if st, _ := speak(t, base, reader, askForRun); st != http.StatusNotFound {
		t.Errorf("%d while it is off", st)
	}
}
