package acceptance_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// What was demonstrated on one machine is used on another: pushed whole, pulled and approved with the same trust hash, found
// by its sentence, read byte for byte, run in the sandbox, and reported checkpoint by checkpoint. What the reports say stays there.
func TestASkillTravels_AndIsUsed(t *testing.T) {
	t.Parallel()
	host := skillRegistry(t, nil)
	one, two := begin(t, withSecrets(fakeSecrets{})), newLab(t)
	ctx := t.Context()
	a, _ := one.installed()
	ref := host + "/team/" + a.SkillSlug + ":1.0"
	q := client.SkillPush{AbilityID: a.AbilityID, Reference: ref, WithExamples: true}
	q.Seal = got(one.c.PreviewSkillPush(ctx, q))(t).Seal
	if asks := got(one.c.PreviewSkillPush(ctx, q))(t).Asks; !slices.Equal(asks.Tools, a.Permissions.Tools) || len(asks.Tools) == 0 {
		t.Errorf("it may use %v here, and asks for %v there", a.Permissions.Tools, asks.Tools)
	}
	sent := got(one.c.PushSkill(ctx, q))(t)

	// The author's computer compares what was pushed as the others compare what they pulled. Pushing it again needs nobody.
	k := got(one.c.OutdatedSkills(ctx, ""))(t).Items
	if len(k) != 1 || k[0].State != "current" || k[0].Reference != ref || k[0].Digest != sent.Digest || k[0].Signer != sent.Signer ||
		sent.Signer == "" || k[0].ChangedHere {
		t.Errorf("%+v", k)
	}
	q.Seal = got(one.c.PreviewSkillPush(ctx, q))(t).Seal
	if again := got(client.Unix(one.o.Roots.Socket()).PushSkill(ctx, q))(t); !again.AlreadyThere || again.ReceiptID != "" {
		t.Errorf("%+v", again)
	}
	_, err := one.c.ImportSource(ctx, client.SkillSource{Kind: "registry", Reference: ref})
	refused(t, err, fault.SkillImportInstalled)

	d := two.pull(ref)
	if d.ImportRecord.Verdict == "blocked" {
		t.Fatalf("the scan blocks what was learned: %s", toJSON(t, d))
	}
	out := got(two.c.ApproveSkillImport(ctx, client.ImportDecision{ImportID: d.ImportRecord.ImportID,
		ContentHash: d.ImportRecord.ContentHash, FindingsRead: d.FindingsToRead}))(t).ImportRecord
	b := got(two.c.Ability(ctx, out.AbilityID))(t)
	if b.ApprovedHash != a.ApprovedHash || b.ApprovedHash == "" || !b.UsableNow {
		t.Fatalf("%s there, %s here, usable %v: %s", a.ApprovedHash, b.ApprovedHash, b.UsableNow, b.ReasonUnusable)
	}
	if len(a.Checkpoints) == 0 || !slices.Equal(a.Checkpoints, b.Checkpoints) {
		t.Fatalf("checkpoints %v there, %v here", a.Checkpoints, b.Checkpoints)
	}

	cs := two.atDoor("helper")
	use := func(tool string, args map[string]any, into any) {
		t.Helper()
		res := got(cs.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args}))(t)
		raw := got(json.Marshal(res.StructuredContent))(t)
		if res.IsError {
			t.Fatalf("%s: %s", tool, toJSON(t, res.Content))
		}
		must(t, json.Unmarshal(raw, into))
	}
	var seen client.LookupResult
	use("lookup_skills", map[string]any{"task": a.TriggerPhrases[0]}, &seen)
	if len(seen.Matches) == 0 || seen.Matches[0].AbilityID != b.AbilityID {
		t.Fatalf("%+v", seen)
	}
	there := string(got(os.ReadFile(one.memory("learning/installed/" + a.SkillSlug + "/SKILL.md")))(t))
	md := got(cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "skill://" + b.SkillSlug + "/SKILL.md"}))(t)
	if md.Contents[0].Text != there {
		t.Errorf("the agent reads %q", md.Contents[0].Text)
	}
	r := two.perform(client.SandboxRunRequest{Command: two.agentScript("grep -q '" + a.Checkpoints[0] + "' SKILL.md\n"), Skill: b.SkillSlug,
		Goal: "do it once"})
	if r.State != "succeeded" || len(r.Skills) != 1 || r.Skills[0].Outcome != "unchanged" {
		t.Fatalf("%+v", r)
	}
	for _, cp := range b.Checkpoints {
		var v struct{ Receipt client.CheckpointReceipt }
		use("verify_checkpoint", map[string]any{"skill": b.SkillSlug, "checkpoint": cp, "status": "reached"}, &v)
		if v.Receipt.ReceiptID == "" || v.Receipt.AbilityID != b.AbilityID {
			t.Errorf("%s: %+v", cp, v)
		}
	}
	var p client.DispatchProgress
	use("run_progress", map[string]any{"skill": b.SkillSlug}, &p)
	if p.Open != 0 || len(p.Checkpoints) != len(b.Checkpoints) {
		t.Errorf("%+v", p)
	}
	l := got(two.c.AbilityCheckpointReceipts(ctx, b.AbilityID, client.PageQuery{}))(t)
	if l.Total != len(b.Checkpoints) {
		t.Errorf("%d receipts of %d checkpoints", l.Total, len(b.Checkpoints))
	}
	if l := got(one.c.AbilityCheckpointReceipts(ctx, a.AbilityID, client.PageQuery{}))(t); l.Total != 0 {
		t.Errorf("the machine that pushed it was told %d times", l.Total)
	}
}

// BenchmarkLookupOverMCP measures one look-up as an agent asks for it: over MCP, through the bridge of `showhow mcp`, and over
// the API, in turn on one daemon. The figures are medians.
func BenchmarkLookupOverMCP(b *testing.B) {
	c, socket := benchDaemonAt(b)
	a, err := c.AddAgent(b.Context(), "helper")
	check(b, err)
	agent := client.Unix(socket, client.WithToken(a.Token))
	in, say := io.Pipe()
	hear, out := io.Pipe()
	done := make(chan error, 1)
	ctx, stop := context.WithCancel(b.Context())
	go func() { done <- agent.Door(ctx, "", in, out) }()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "helper"}, nil).Connect(ctx, &mcp.IOTransport{Reader: hear, Writer: say}, nil)
	check(b, err)
	b.Cleanup(func() {
		cs.Close()
		stop()
		in.Close()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, io.ErrClosedPipe) {
			b.Log(err)
		}
	})
	const ask = "extract the tables of a PDF report"
	overAPI := func() {
		l, err := agent.Lookup(b.Context(), client.LookupQuery{UserQuery: ask})
		check(b, err)
		if len(l.Matches) == 0 {
			b.Fatal("nothing is found")
		}
	}
	overMCP := func() {
		r, err := cs.CallTool(b.Context(), &mcp.CallToolParams{Name: "lookup_skills", Arguments: map[string]any{"task": ask}})
		check(b, err)
		if r.IsError {
			b.Fatalf("%+v", r.Content)
		}
	}
	for range 10 {
		overAPI()
		overMCP()
	}
	var api, door []time.Duration
	timed := func(into *[]time.Duration, f func()) {
		begun := time.Now()
		f()
		*into = append(*into, time.Since(begun))
	}
	for b.Loop() {
		timed(&api, overAPI)
		timed(&door, overMCP)
	}
	ms := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2].Microseconds()) / 1000
	}
	b.ReportMetric(ms(api), "lookup_api_ms")
	b.ReportMetric(ms(door), "lookup_mcp_ms")
	b.ReportMetric(ms(door)-ms(api), "lookup_mcp_more_ms")
}
