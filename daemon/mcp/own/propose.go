package own

import (
	"bytes"
	"context"
	"strings"

	"showhow/daemon/imports"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Bounds of a proposal, and of how many wait at once.
const (
	maxProposed     = 50
	maxProposedFile = 200_000
	mostProposals   = 10

	mostFromElsewhere = 4
)

type proposeArgs struct {
	Name    string         `json:"name" jsonschema:"lower-case letters, digits and hyphens; the frontmatter of SKILL.md has the same"`
	SkillMD string         `json:"skill_md" jsonschema:"SKILL.md with its frontmatter (name, description)"`
	Files   []proposedFile `json:"files,omitempty" jsonschema:"what SKILL.md refers to, below references/, scripts/ or assets/"`
	Why     string         `json:"why" jsonschema:"what you did, for the person who decides"`
}

type proposedFile struct {
	Path       string `json:"path"`
	Text       string `json:"text"`
	Executable bool   `json:"executable,omitempty"`
}

type proposed struct {
	ImportID string   `json:"import_id"`
	State    string   `json:"state" jsonschema:"ready_for_review: it waits for the person"`
	Verdict  string   `json:"verdict" jsonschema:"of the scanner: clean, review or blocked"`
	Findings []string `json:"findings" jsonschema:"what the scanner found, worst first"`
	Next     string   `json:"next"`
}

// propose brings an agent's skill in as an import, up to the point where a person decides.
func (h *House) propose(ctx context.Context, c call, in proposeArgs) (proposed, error) {
	files := []skill.File{{Path: skill.Entry, Mode: 0o644, Data: []byte(in.SkillMD)}}
	total := len(in.SkillMD)
	for _, f := range in.Files {
		mode := uint32(0o644)
		if f.Executable {
			mode = 0o755
		}
		if !skill.Allowed(f.Path) {
			return proposed{}, fault.New(fault.InvalidRequest, "a file's path is not one that a skill may have").
				WithHint("put files below references/, scripts/ or assets/")
		}
		files, total = append(files, skill.File{Path: f.Path, Mode: mode, Data: []byte(f.Text)}), total+len(f.Text)
	}
	if total > 5*maxProposedFile {
		return proposed{}, fault.New(fault.TooLarge, "the proposal is larger than 1 MB").WithHint("leave out what the person can do without")
	}
	b, err := skill.New(in.Name, files)
	if err != nil {
		return proposed{}, err
	}
	doc, err := skill.Parse(b)
	if err != nil {
		return proposed{}, err
	}
	if doc.Name != in.Name || doc.Description == "" {
		return proposed{}, fault.New(fault.InvalidRequest, "the frontmatter of SKILL.md does not have the proposal's name, or has no description")
	}
	h.proposing.Lock() // one at a time: two would both take the last place
	defer h.proposing.Unlock()
	if err := h.mayPropose(ctx, c.Agent); err != nil {
		return proposed{}, err
	}
	return h.bringIn(ctx, c, b, in.Why)
}

// mayPropose bounds the proposals that wait for the person's decision. One that failed waits for none. Those from other
// computers have a bound of their own, so that they leave the agents here theirs.
func (h *House) mayPropose(ctx context.Context, agent string) error {
	all, err := h.o.Imports.Proposers(ctx)
	if err != nil {
		return err
	}
	afar := func(who string) bool { return wire.FromElsewhere([]string{strings.TrimPrefix(who, principal)}) }
	most, waiting := mostProposals, 0
	if afar(agent) {
		most = mostFromElsewhere
	}
	for _, who := range all {
		if afar(who) == afar(agent) {
			waiting++
		}
	}
	if waiting >= most {
		return fault.New(fault.TooManyRequests, "many proposals wait for the person").WithHint("propose it when they have decided about some")
	}
	return nil
}

// principal precedes an agent's name where imports say whose they are.
const principal = "agent "

func (h *House) bringIn(ctx context.Context, c call, b skill.Bundle, why string) (proposed, error) {
	inside := make([]skill.File, len(b.Files))
	for i, f := range b.Files {
		f.Path = b.Name + "/" + f.Path
		inside[i] = f
	}
	packed, err := archive.Pack(inside)
	if err != nil {
		return proposed{}, fault.Wrap(err, fault.Internal, "the skill could not be packed")
	}
	if h.o.Redact != nil {
		why = h.o.Redact(why)
	}
	m := imports.Meta{Principal: principal + c.Agent}
	file := imports.Bundle{Filename: b.Name + ".zip", ContentType: "application/zip", Body: bytes.NewReader(packed)}
	notes := plain.Cut("Proposed by "+c.Agent+": "+why, 1000)
	up, err := h.o.Imports.Upload(ctx, m, file, func() (imports.UploadMetadata, error) {
		return imports.UploadMetadata{Source: imports.OwnGenerated, Notes: notes, SchemaVersion: 1}, nil
	})
	if err != nil {
		return proposed{}, err
	}
	scanned, err := h.o.Imports.Scan(ctx, m, imports.ScanRequest{Source: imports.OwnGenerated,
		TempArtifactRef: up.TempArtifact.TempArtifactRef, SchemaVersion: 1})
	if err != nil {
		return proposed{}, err
	}
	out := proposed{ImportID: scanned.ImportRecord.ImportID, State: string(scanned.ImportRecord.StageState),
		Verdict: scanned.ImportRecord.Verdict, Findings: findings(scanned.ScanReport)}
	if out.Verdict == "blocked" {
		out.Next = "The scanner blocks it; the person sees it with the findings and will hardly approve it."
		return out, nil
	}
	staged, err := h.o.Imports.Stage(ctx, m, imports.StageRequest{ImportID: out.ImportID, SchemaVersion: 1})
	if err != nil {
		return out, err
	}
	out.State = string(staged.ImportRecord.StageState)
	out.Next = "It waits for the person, who decides in Showhow; the scanner had " + plural(len(out.Findings), "finding") + "."
	return out, nil
}

// findings are the titles of what the scanner found, without what is only told.
func findings(r *wire.ScanReport) []string {
	out := []string{}
	if r == nil {
		return out
	}
	for _, f := range r.Findings {
		if len(out) < 10 && f.Severity != wire.SeverityInfo {
			out = append(out, strings.TrimSpace(string(f.Severity)+": "+f.Title))
		}
	}
	return out
}
