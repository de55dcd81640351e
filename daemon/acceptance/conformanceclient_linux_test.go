package acceptance_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// lockedSecrets is a keychain in memory that several may use at once.
type lockedSecrets struct {
	mu sync.Mutex
	m  fakeSecrets
}

func (c *lockedSecrets) Get(ctx context.Context, name string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m.Get(ctx, name)
}

func (c *lockedSecrets) Set(ctx context.Context, name, secret string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m.Set(ctx, name, secret)
}

func (c *lockedSecrets) Delete(ctx context.Context, name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m.Delete(ctx, name)
}

// TestConformance_Client: the suite's client scenarios drive the daemon's own client, with its registry, sign-in and door.
func TestConformance_Client(t *testing.T) {
	t.Parallel()
	judge(t, "@modelcontextprotocol/conformance/dist/index.js")
	w := begin(t, func(o *daemon.Options) { o.Test.Secrets = &lockedSecrets{m: fakeSecrets{}} })
	token := got(w.c.AddAgent(t.Context(), "judged"))(t).Token
	var n sync.Mutex
	count := 0
	ts := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		n.Lock()
		count++
		id := fmt.Sprintf("c%d", count)
		n.Unlock()
		if err := w.drive(r.Context(), id, token, r.FormValue("url"), r.FormValue("context")); err != nil {
			rw.WriteHeader(http.StatusBadGateway)
			fmt.Fprintln(rw, err)
		}
	}))
	t.Cleanup(func() { w.stop(); ts.CloseClientConnections(); ts.Close() })
	script := filepath.Join(t.TempDir(), "client.sh")
	must(t, os.WriteFile(script, []byte("#!/bin/sh\nexec curl -fsS --max-time 20 -G "+ts.URL+
		" --data-urlencode \"url=$1\" --data-urlencode \"context=$MCP_CONFORMANCE_CONTEXT\"\n"), 0o700))
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) { judged(t, "client", revision, "--command", script) })
	}
}

// drive does with a connector what a person and an agent do: it is added, signed in to where it asks for that, and every tool is called.
func (w *world) drive(ctx context.Context, id, token, url, about string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	var given struct {
		ClientID     string `json:"client_id"`
		ClientSecret string `json:"client_secret"`
	}
	_ = json.Unmarshal([]byte(about), &given)
	c := client.ConnectorCreate{Provider: "custom_remote", DisplayName: id, EndpointURL: url, Transport: "remote_http"}
	if given.ClientID != "" {
		if _, err := w.c.SetCredential(ctx, id, given.ClientSecret); err != nil {
			return err
		}
		p, err := w.c.AddAuthProfile(ctx, client.ConnectorAuthProfile{Provider: "custom_remote", AuthMode: "oauth2_delegated",
			ClientID: given.ClientID, SecretRef: id})
		if err != nil {
			return err
		}
		c.AuthProfileID = p.AuthProfileID
	}
	if _, err := w.c.RegisterConnector(ctx, c); err != nil {
		return err
	}
	defer func() { _, _ = w.c.RemoveConnector(context.WithoutCancel(ctx), id) }() // the judge waits for its connections to end
	if _, err := w.c.SetConnectorPolicy(ctx, client.ConnectorTarget{TargetKind: "server", ServerID: id}, "enabled"); err != nil {
		return err
	}
	var err error
	for range 4 {
		var again bool
		if again, err = w.callAll(ctx, id, token); !again {
			return err
		}
		if err = w.agrees(ctx, id); err != nil {
			return err
		}
	}
	return err
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
func (w *world) callAll(ctx context.Context, id, token string) (again bool, err error) {
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
	go func() { defer close(done); _ = at.Door(talk, in, out); out.Close() }()
	defer func() { hangUp(); say.Close(); hear.Close(); <-done }()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "judged"}, nil).Connect(ctx, &mcp.IOTransport{Reader: hear, Writer: say}, nil)
	if err != nil {
		return false, err
	}
	defer cs.Close()
	l, err := cs.ListTools(ctx, nil)
	if err != nil {
		return false, err
	}
	for _, x := range l.Tools {
		if len(x.Name) < len(id)+2 || x.Name[:len(id)+2] != id+"__" {
			continue
		}
		res, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: x.Name, Arguments: plausible(x.InputSchema)})
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
