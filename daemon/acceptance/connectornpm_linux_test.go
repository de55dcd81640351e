//go:build !race

package acceptance_test

//lint:file-ignore SA1019 services of revision 2025-11-25 still ask by it

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Servers from npm that nobody here wrote, each in its sandbox and behind the door.

// npm connects one, with the environment and folders that it needs.
func (w *world) npm(name string, b client.LocalBridge) client.Connector {
	w.t.Helper()
	modules, script := npmServer(w.t, name)
	b.Command = append([]string{"node", script}, b.Command...)
	b.ReadFolders = append(b.ReadFolders, modules)
	return got(w.c.RegisterConnector(w.t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: name,
		Transport: "local_bridge", LocalBridge: &b}))(w.t).Server
}

// said calls a tool, and returns all of its answer's text.
func said(t *testing.T, cs *mcp.ClientSession, tool string, args map[string]any) string {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	must(t, err)
	if res.IsError {
		t.Errorf("%s: %+v", tool, res.Content)
	}
	var b strings.Builder
	for _, c := range res.Content {
		if x, ok := c.(*mcp.TextContent); ok {
			b.WriteString(x.Text)
		}
	}
	return b.String()
}

// server-memory: writing waits for the person, reading does not, and what was written outlives its process.
func TestConnector_MemoryServer(t *testing.T) {
	t.Parallel()
	w := begin(t)
	dir, err := os.MkdirTemp("", "memory")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o777))
	_, script := npmServer(t, "server-memory")
	// Its file is named by its environment, which only secrets fill here; a shell names it. As root, each process has an owner of its own.
	modules := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(script))))
	command := "umask 0; MEMORY_FILE_PATH=" + filepath.Join(dir, "memory.jsonl") + " exec node " + script
	x := got(w.c.RegisterConnector(t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: "memory",
		Transport: "local_bridge", LocalBridge: &client.LocalBridge{Command: []string{"sh", "-c", command}, Folders: []string{dir},
			ReadFolders: []string{modules}}}))(t).Server
	if len(x.Tools) < 9 {
		t.Fatalf("%+v", x)
	}
	cs := w.atDoor("codex")
	done := make(chan string, 1)
	go func() {
		done <- said(t, cs, "memory__create_entities", map[string]any{"entities": []any{map[string]any{"name": "Ann", "entityType": "person",
			"observations": []string{"likes tea"}}}})
	}()
	d := w.asked()
	if d.ToolName != "create_entities" || d.ActionClass != "write" && d.ActionClass != "create" {
		t.Errorf("%+v", d)
	}
	got(w.c.DecideCall(t.Context(), d.DispatchID, client.CallDecision{Decision: "approve_once"}))(t)
	<-done
	for _, on := range []bool{false, true} { // its process ends and another begins
		got(w.c.PatchConnector(t.Context(), "memory", client.ConnectorPatch{Enabled: new(on)}))(t)
	}
	if graph := said(t, cs, "memory__read_graph", nil); !strings.Contains(graph, "likes tea") {
		t.Error(graph)
	}
}

// server-sequential-thinking: structured answers pass, and its one tool, whose name reveals no effect, asks first.
func TestConnector_SequentialThinkingServer(t *testing.T) {
	t.Parallel()
	w := begin(t)
	x := w.npm("server-sequential-thinking", client.LocalBridge{})
	id := x.Registry.ServerID
	if len(x.Tools) != 1 || x.Tools[0].Mode != "ask_first" {
		t.Fatalf("%+v", x.Tools)
	}
	got(w.c.SetConnectorPolicy(t.Context(), client.ConnectorTarget{TargetKind: "tool", ServerID: id, ToolName: x.Tools[0].Name}, "enabled"))(t)
	cs := w.atDoor("codex")
	l, err := cs.ListTools(t.Context(), nil)
	must(t, err)
	i := slices.IndexFunc(l.Tools, func(x *mcp.Tool) bool { return strings.HasSuffix(x.Name, "__sequentialthinking") })
	if i < 0 {
		t.Fatal(toolNames(t, cs))
	}
	for n := 1; n <= 2; n++ {
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: l.Tools[i].Name, Arguments: map[string]any{"thought": "One.",
			"nextThoughtNeeded": n < 2, "thoughtNumber": n, "totalThoughts": 2}})
		must(t, err)
		var out struct {
			Length int `json:"thoughtHistoryLength"`
		}
		b, err := json.Marshal(res.StructuredContent)
		must(t, err)
		must(t, json.Unmarshal(b, &out))
		if res.IsError || out.Length != n { // one process served both
			t.Errorf("%s %+v", b, res.Content)
		}
	}
}

// server-everything asks in return: its tools for that appear once the person allows it, and ask through the agent's program.
func TestConnector_EverythingServerAsksInReturn(t *testing.T) {
	t.Parallel()
	w := begin(t)
	x := w.npm("server-everything", client.LocalBridge{})
	id := x.Registry.ServerID
	has := func(x client.Connector, part string) bool {
		for _, tool := range x.Tools {
			if strings.Contains(tool.Name, part) {
				return true
			}
		}
		return false
	}
	if len(x.Tools) < 8 || has(x, "elicitation") || has(x, "sampling") {
		t.Fatalf("%+v", x.Tools)
	}
	got(w.c.PatchConnector(t.Context(), id, client.ConnectorPatch{AllowSampling: new(true),
		AllowElicitation: new(true), AllowRoots: new(true)}))(t)
	got(w.c.TestConnector(t.Context(), client.ConnectorTest{ServerID: id}))(t)
	w.until("its tools that ask", func() bool { x = w.connector(id); return has(x, "elicitation") && has(x, "sampling") })
	got(w.c.PatchConnector(t.Context(), id, client.ConnectorPatch{AcceptTools: true}))(t)
	got(w.c.SetConnectorPolicy(t.Context(), client.ConnectorTarget{TargetKind: "server", ServerID: id}, "enabled"))(t)

	var asked, sampled atomic.Int32
	in, say := io.Pipe()
	hear, out := io.Pipe()
	agent := w.agent("codex")
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = agent.Door(t.Context(), "", in, out)
		out.Close()
	}()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "codex"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked.Add(1)
			if !strings.HasPrefix(r.Params.Message, "The connector "+id+" asks: ") {
				t.Error(r.Params.Message)
			}
			return &mcp.ElicitResult{Action: "decline"}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			sampled.Add(1)
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "sampled-here"}}, nil
		}}).Connect(t.Context(), &mcp.IOTransport{Reader: hear, Writer: say}, nil)
	must(t, err)
	t.Cleanup(func() { cs.Close(); in.Close(); w.stop(); <-done })
	for _, tool := range toolNames(t, cs) {
		switch {
		case strings.HasSuffix(tool, "trigger-elicitation-request"):
			if got := said(t, cs, tool, nil); !strings.Contains(got, "decline") {
				t.Error(got)
			}
		case strings.HasSuffix(tool, "trigger-sampling-request"):
			if got := said(t, cs, tool, map[string]any{"prompt": "Say it.", "maxTokens": 10}); !strings.Contains(got, "sampled-here") {
				t.Error(got)
			}
		}
	}
	if asked.Load() != 1 || sampled.Load() != 1 {
		t.Errorf("asked %d times, sampled %d times; of %v", asked.Load(), sampled.Load(), toolNames(t, cs))
	}
}

// Skills that another Showhow offers are listed, and come in as an import like any other: scanned, and installed by nobody
// before a person approves.
func TestConnector_SkillsOfAnotherShowhow(t *testing.T) {
	t.Parallel()
	far, w := begin(t), begin(t)
	a, _ := far.installed()
	got(w.c.RegisterConnector(t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: "far", Transport: "remote_http",
		EndpointURL: far.overTCP("neighbour", "/mcp")}))(t)
	l := got(w.c.OfferedSkills(t.Context(), "far"))(t)
	i := slices.IndexFunc(l.Skills, func(s wire.MCPOfferedSkill) bool { return s.Name == a.SkillSlug })
	if i < 0 || l.Skills[i].Refused != "" || l.Skills[i].Files < 1 {
		t.Fatalf("%+v", l)
	}
	up := got(w.c.ImportSource(t.Context(), client.SkillSource{Kind: "connector", ConnectorID: "far", Reference: l.Skills[i].URI,
		Digest: l.Skills[i].Digest}))(t)
	s := got(w.c.ScanSkillImport(t.Context(), up.TempArtifact.TempArtifactRef))(t)
	r := s.ImportRecord
	if r.SkillName != a.SkillSlug || r.Provenance.Kind != "connector" || r.Provenance.ConnectorID != "far" ||
		r.Provenance.Digest != l.Skills[i].Digest || s.ScanReport == nil {
		t.Errorf("%+v", r)
	}
	got(w.c.StageSkillImport(t.Context(), r.ImportID, client.IfMatch(r.Revision)))(t)
	if n := w.there(a.SkillSlug); n != 0 {
		t.Errorf("it is in %d agents' folders, and nobody has approved it", n)
	}
	d := got(w.c.SkillImport(t.Context(), r.ImportID))(t)
	got(w.c.ApproveSkillImport(t.Context(), client.ImportDecision{ImportID: r.ImportID, ContentHash: d.ImportRecord.ContentHash,
		AcceptFindings: true}))(t)
	if w.there(a.SkillSlug) == 0 {
		t.Error("it was approved, and is in no agent's folder")
	}
	_, err := w.c.ImportSource(t.Context(), client.SkillSource{Kind: "connector", ConnectorID: "far", Reference: "skill://nothing/SKILL.md"})
	refused(t, err, fault.NotFound)
}
