//go:build !race

package acceptance_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.yaml.in/yaml/v3"

	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// clientScenarios run in every test; SHOWHOW_CONFORMANCE=all runs all that the two revisions require.
var clientScenarios = map[string][]string{
	"2025-11-25": {"auth/basic-cimd", "auth/metadata-var2", "auth/token-endpoint-auth-post", "elicitation-sep1034-client-defaults"},
	"2026-07-28": {"auth/scope-step-up", "auth/iss-wrong-issuer", "http-custom-headers", "sep-2322-client-request-state"},
}

// clientDocument is where a person who has a client id metadata document has it, in the scenario that wants one.
var clientDocument = map[string]string{"auth/basic-cimd": "https://conformance-test.local/client-metadata.json"}

// The suite's client scenarios drive the daemon's own client, with its registry, its sign-in and its door.
func TestConformance_Client(t *testing.T) {
	t.Parallel()
	cmd := judge(t, "@modelcontextprotocol/conformance/dist/index.js")
	w := begin(t, func(o *daemon.Options) { o.Test.Secrets = &lockedSecrets{m: fakeSecrets{}} })
	token := got(w.c.AddAgent(t.Context(), "judged"))(t).Token
	var count atomic.Int32
	ts := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		id := fmt.Sprintf("c%d", count.Add(1))
		document := clientDocument[r.FormValue("scenario")]
		if err := w.drive(r.Context(), id, token, r.FormValue("url"), r.FormValue("context"), document); err != nil {
			rw.WriteHeader(http.StatusBadGateway) // some scenarios want that
			fmt.Fprintln(rw, err)
		}
	}))
	t.Cleanup(func() { w.stop(); ts.CloseClientConnections(); ts.Close() })
	script := filepath.Join(t.TempDir(), "client.sh")
	must(t, os.WriteFile(script, []byte("#!/bin/sh\nexec curl -sS --fail-with-body --max-time 20 -G "+ts.URL+
		" --data-urlencode \"url=$1\" --data-urlencode \"context=$MCP_CONFORMANCE_CONTEXT\""+
		" --data-urlencode \"scenario=$MCP_CONFORMANCE_SCENARIO\"\n"), 0o700))
	for revision, scenarios := range clientScenarios {
		if os.Getenv("SHOWHOW_CONFORMANCE") == "all" {
			scenarios = required(t, revision)
		}
		for _, name := range scenarios {
			t.Run(revision+"/"+name, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				defer cancel()
				c := exec.CommandContext(ctx, cmd[0], cmd[1], "client", "--scenario", name, "--spec-version", revision, "--command", script)
				c.Dir = t.TempDir()
				out, err := c.CombinedOutput()
				if err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}

// required are the client scenarios of a revision.
func required(t *testing.T, revision string) (out []string) {
	t.Helper()
	at := judge(t, "@modelcontextprotocol/conformance/requirements/"+revision+".yaml")[1]
	b, err := os.ReadFile(at)
	must(t, err)
	var r struct {
		Client []string `yaml:"client"`
	}
	must(t, yaml.Unmarshal(b, &r))
	return r.Client
}

// drive does with a connector what a person and an agent do: it is added, signed in to where it asks for that, and every tool is called.
func (w *world) drive(ctx context.Context, id, token, url, about, document string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	var given struct {
		ClientID     string   `json:"client_id"`
		ClientSecret string   `json:"client_secret"`
		ToolCalls    []wanted `json:"toolCalls"`
	}
	_ = json.Unmarshal([]byte(about), &given)
	c := client.ConnectorCreate{Provider: "custom_remote", DisplayName: id, EndpointURL: url, Transport: "remote_http"}
	if given.ClientID = cmp.Or(given.ClientID, document); given.ClientID != "" {
		q := client.ConnectorAuthProfile{Provider: "custom_remote", AuthMode: "oauth2_delegated", ClientID: given.ClientID}
		if given.ClientSecret != "" {
			if _, err := w.c.SetCredential(ctx, id, given.ClientSecret); err != nil {
				return err
			}
			q.SecretRef = id
		}
		p, err := w.c.AddAuthProfile(ctx, q)
		if err != nil {
			return err
		}
		c.AuthProfileID = p.AuthProfileID
	}
	if _, err := w.c.RegisterConnector(ctx, c); err != nil {
		return err
	}
	defer func() { _, _ = w.c.RemoveConnector(context.WithoutCancel(ctx), id) }() // the judge waits for its connections to end
	may := client.ConnectorPatch{AllowSampling: new(true), AllowElicitation: new(true), AllowRoots: new(true)}
	if _, err := w.c.PatchConnector(ctx, id, may); err != nil {
		return err
	}
	if _, err := w.c.SetConnectorPolicy(ctx, client.ConnectorTarget{TargetKind: "server", ServerID: id}, "enabled"); err != nil {
		return err
	}
	var err error
	whole := 0 // how often every tool was called: a service may ask for a sign-in again
	for range 5 {
		var again bool
		if again, err = w.callAll(ctx, id, token, given.ToolCalls); !again {
			if whole++; err != nil || whole == 2 || len(given.ToolCalls) > 0 {
				return err
			}
			continue
		}
		if err = w.agrees(ctx, id); err != nil {
			return err
		}
	}
	return err
}

// wanted is a call that a scenario names.
type wanted struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// agrees is the person at the authorization server: theirs says yes to everything.
func (w *world) agrees(ctx context.Context, id string) error {
	q := client.ConnectorAuthStart{ServerID: id}
	r, err := w.c.StartConnectorAuth(ctx, q)
	if at, ok := fault.From(err).Details["issuer"].(string); ok && err != nil {
		q.ConfirmIssuer = at
		r, err = w.c.StartConnectorAuth(ctx, q)
	}
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.AuthURL, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		b, _ := io.ReadAll(res.Body)
		return fmt.Errorf("the sign-in ended with %d: %s", res.StatusCode, b)
	}
	return nil
}

// callAll calls every tool once; again says that the service wants a sign-in first.
func (w *world) callAll(ctx context.Context, id, token string, named []wanted) (again bool, err error) {
	if _, err := w.c.TestConnector(ctx, client.ConnectorTest{ServerID: id, IncludeToolDiscovery: new(true)}); err != nil {
		return false, err
	}
	if s, err := w.c.ConnectorAuth(ctx, id); err != nil || s.ChallengeID != "" {
		return err == nil, err
	}
	at := client.Unix(w.o.Roots.Socket(), client.WithToken(token))
	in, say := io.Pipe()
	hear, out := io.Pipe()
	done := make(chan struct{})
	talk, hangUp := context.WithCancel(ctx)
	go func() { defer close(done); _ = at.Door(talk, "", in, out); out.Close() }()
	defer func() { hangUp(); say.Close(); hear.Close(); <-done }()
	agrees := &mcp.ClientOptions{ // the person at the agent, who leaves every field as it is proposed
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
		},
	}
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "judged"}, agrees).Connect(ctx, &mcp.IOTransport{Reader: hear, Writer: say}, nil)
	if err != nil {
		return false, err
	}
	defer cs.Close()
	l, err := cs.ListTools(ctx, nil)
	if err != nil {
		return false, err
	}
	calls := slices.Clone(named)
	for i := range calls {
		calls[i].Name = id + "__" + calls[i].Name
	}
	for _, x := range l.Tools {
		if strings.HasPrefix(x.Name, id+"__") && len(named) == 0 {
			calls = append(calls, wanted{x.Name, plausible(x.InputSchema)})
		}
	}
	for _, x := range calls {
		res, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: x.Name, Arguments: x.Arguments})
		switch {
		case err != nil:
			return false, err
		case res.IsError:
			b, _ := json.Marshal(res.StructuredContent)
			if s, err := w.c.ConnectorAuth(ctx, id); err == nil && s.ChallengeID != "" {
				return true, errors.New(string(b))
			}
		}
	}
	return false, nil
}

// plausible are arguments that a schema takes.
func plausible(schema any) map[string]any {
	b, _ := json.Marshal(schema)
	var s struct {
		Properties map[string]struct {
			Type any   `json:"type"`
			Enum []any `json:"enum"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(b, &s)
	out := map[string]any{}
	for name, p := range s.Properties {
		switch {
		case len(p.Enum) > 0:
			out[name] = p.Enum[0]
		case p.Type == "number" || p.Type == "integer":
			out[name] = map[bool]int{true: 5, false: 3}[name == "a"]
		case p.Type == "boolean":
			out[name] = true
		case p.Type == "string":
			out[name] = "value"
		}
	}
	return out
}
