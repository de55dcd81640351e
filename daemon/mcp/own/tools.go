package own

import (
	"context"
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"showhow/daemon/ability"
	"showhow/daemon/mcp/skills"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// allTools makes the tools. What a person decides is none: installing, approving, allowing, answering, changing settings.
func (h *House) allTools() []tool {
	one := func(name string, least, most int) func(map[string]*jsonschema.Schema) {
		return func(p map[string]*jsonschema.Schema) { within(p[name], least, most) }
	}
	return []tool{
		newTool[lookupArgs, wire.AbilityLookupResult]("lookup_skills",
			"Find the skills that fit a task, best first, and whether they are usable now. Ask this before you work out how to do a task.",
			hints("Look up skills", true, true), one("task", 1, 500), h.lookup),
		newTool[explainArgs, wire.AbilityExplainMatchResponse]("explain_match",
			"Say why a skill fits a task or not: every reason with its weight.", hints("Explain a match", true, true),
			func(p map[string]*jsonschema.Schema) { within(p["task"], 1, 500); within(p["skill"], 1, 160) }, h.explain),
		newTool[availabilityArgs, availability]("skill_availability",
			"Say which skills are usable now, and why the others are not. With a skill: only that one.",
			hints("Availability of skills", true, true), nil, h.availability),
		newTool[showArgs, shown]("show_skill",
			"Show a skill that you may use: its files with their digests, and the text of SKILL.md or of another of its files.",
			hints("Show a skill", true, true), one("skill", 1, 160), h.show),
		newTool[verifyArgs, wire.CheckpointVerified]("verify_checkpoint",
			"Report what you saw at a checkpoint that the skill you follow declares. The same report twice counts once.",
			hints("Report a checkpoint", false, true), func(p map[string]*jsonschema.Schema) {
				within(p["skill"], 1, 160)
				within(p["checkpoint"], 1, 160)
				within(p["evidence"], 0, 1000)
				within(p["reason"], 0, 1000)
				within(p["dispatch"], 0, 160)
				p["status"].Enum, p["surface"].Enum = choices("Status"), choices("Surface")
				n := 10
				p["renamed"].MaxItems = &n
				within(p["renamed"].Items.Properties["was"], 1, 240)
				within(p["renamed"].Items.Properties["now"], 1, 240)
			}, h.verify),
		newTool[progressArgs, wire.DispatchProgress]("run_progress",
			"Say how far you are with a skill: the checkpoints that you reported, and those that are open.",
			hints("Progress of a run", true, true), nil, h.progress),
		newTool[proposeArgs, proposed]("propose_skill",
			"Propose a skill made of your own work. It is scanned and waits for the person; nobody can use it before they approve it.",
			hints("Propose a skill", false, false), func(p map[string]*jsonschema.Schema) {
				within(p["name"], 1, 64)
				within(p["skill_md"], 1, maxProposedFile)
				within(p["why"], 1, 500)
				n := maxProposed
				p["files"].MaxItems = &n
				within(p["files"].Items.Properties["text"], 0, maxProposedFile)
			}, h.propose),
		newTool[askArgs, asked]("ask_person",
			"Ask the person something that you cannot know, and wait: it can take minutes, and no is an answer. Never ask for secrets.",
			hints("Ask the person", false, false), one("question", 1, 1000), h.ask),
	}
}

type lookupArgs struct {
	Task    string `json:"task" jsonschema:"what is to be done, in a sentence"`
	Project string `json:"project,omitempty" jsonschema:"the project that it is for"`
}

func (h *House) lookup(ctx context.Context, c call, in lookupArgs) (wire.AbilityLookupResult, error) {
	found, err := h.o.Abilities.Lookup(ctx, ability.LookupQuery{UserQuery: in.Task, ProjectID: in.Project, Agent: c.Names, SchemaVersion: 1})
	if err == nil {
		h.o.Abilities.NoteLookup(reporterOf(c.Guest), found.Matches)
	}
	return found, err
}

type explainArgs struct {
	Task  string `json:"task" jsonschema:"what is to be done, in a sentence"`
	Skill string `json:"skill" jsonschema:"name or ability id"`
}

func (h *House) explain(ctx context.Context, c call, in explainArgs) (wire.AbilityExplainMatchResponse, error) {
	e, err := h.seen(ctx, c.Guest, in.Skill)
	if err != nil {
		return wire.AbilityExplainMatchResponse{}, err
	}
	return h.o.Abilities.ExplainMatch(ctx, ability.ExplainMatchRequest{UserQuery: in.Task, AbilityID: e.AbilityID, Agent: c.Names})
}

type availabilityArgs struct {
	Skill string `json:"skill,omitempty" jsonschema:"name or ability id; all when left out"`
}

type availability struct {
	Skills []availableSkill `json:"skills"`
}

type availableSkill struct {
	Skill       string         `json:"skill"`
	AbilityID   string         `json:"ability_id"`
	Title       string         `json:"title"`
	UsableNow   bool           `json:"usable_now"`
	Reason      string         `json:"reason_unusable,omitempty"`
	ReasonCode  string         `json:"reason_code,omitempty"`
	URI         string         `json:"uri,omitempty" jsonschema:"of its SKILL.md, for resources/read"`
	Checkpoints []string       `json:"checkpoint_ids"`
	Configured  map[string]any `json:"configured,omitempty" jsonschema:"configured values of its inputs"`
}

func (h *House) availability(ctx context.Context, c call, in availabilityArgs) (availability, error) {
	out := availability{Skills: []availableSkill{}}
	var all []ability.AvailabilityEntry
	if in.Skill != "" {
		e, err := h.seen(ctx, c.Guest, in.Skill)
		if err != nil {
			return out, err
		}
		all = append(all, e)
	} else {
		snap, err := h.o.Abilities.Availability(ctx)
		if err != nil {
			return out, err
		}
		for _, e := range snap.Abilities {
			if e, there := e.For(c.Names); there {
				all = append(all, e)
			}
		}
	}
	for _, e := range all {
		a := availableSkill{Skill: e.SkillSlug, AbilityID: e.AbilityID, Title: e.Title, UsableNow: e.UsableNow, Reason: e.ReasonUnusable,
			ReasonCode: e.ReasonCode, Checkpoints: slices.Clone(e.Checkpoints), Configured: e.Configured}
		if e.UsableNow {
			a.URI = skills.URI(e.SkillSlug, skill.Entry)
		}
		out.Skills = append(out.Skills, a)
	}
	return out, nil
}

type showArgs struct {
	Skill string `json:"skill" jsonschema:"name or ability id"`
	File  string `json:"file,omitempty" jsonschema:"which of its files; SKILL.md when left out"`
}

type shown struct {
	Skill       string        `json:"skill"`
	ContentHash string        `json:"content_hash" jsonschema:"of the whole skill, as a person approved it"`
	File        string        `json:"file"`
	Text        string        `json:"text,omitempty"`
	Base64      string        `json:"base64,omitempty" jsonschema:"of a file that is no text"`
	Files       []skills.File `json:"files"`
}

func (h *House) show(ctx context.Context, c call, in showArgs) (shown, error) {
	b, e, err := h.o.Abilities.Open(ctx, in.Skill, c.Names)
	if err != nil {
		return shown{}, err
	}
	if in.File == "" {
		in.File = skill.Entry
	}
	f := b.File(in.File)
	if f == nil || f.Path == skill.HostManaged {
		return shown{}, fault.New(fault.NotFound, "the skill has no such file").WithHint("files names those that it has")
	}
	if err := h.o.Abilities.NoteOpened(ctx, reporterOf(c.Guest), e.AbilityID); err != nil {
		return shown{}, err
	}
	out := shown{Skill: e.SkillSlug, ContentHash: e.ApprovedHash, File: f.Path, Files: skills.FilesOf(b)}
	if utf8.Valid(f.Data) {
		out.Text = string(f.Data)
	} else {
		out.Base64 = base64.StdEncoding.EncodeToString(f.Data)
	}
	return out, nil
}

type verifyArgs struct {
	Skill      string `json:"skill" jsonschema:"name or ability id"`
	Checkpoint string `json:"checkpoint" jsonschema:"id, as SKILL.md has it"`
	Status     string `json:"status"`
	Evidence   string `json:"evidence,omitempty" jsonschema:"what you saw"`
	Reason     string `json:"reason,omitempty" jsonschema:"why it was skipped or failed"`
	Dispatch   string `json:"dispatch,omitempty" jsonschema:"your id of this run, if you follow the skill several times at once"`
	Surface    string `json:"surface,omitempty" jsonschema:"the way that you went, where it was not the preferred one; SKILL.md names them"`

	Renamed []wire.RenamedReport `json:"renamed,omitempty" jsonschema:"controls that the page calls otherwise than the skill does"`
}

func (h *House) verify(ctx context.Context, c call, in verifyArgs) (wire.CheckpointVerified, error) {
	r, err := h.o.Abilities.VerifyCheckpoint(ctx, ability.VerifyCheckpointRequest{AbilityID: in.Skill, CheckpointID: in.Checkpoint,
		Status: in.Status, Evidence: in.Evidence, Reason: in.Reason, DispatchID: in.Dispatch, Surface: in.Surface,
		Renamed: in.Renamed}, reporterOf(c.Guest))
	return wire.CheckpointVerified{Receipt: r}, err
}

// choices are the values that the API takes for a field of a checkpoint report.
func choices(field string) (out []any) {
	f, _ := reflect.TypeFor[ability.VerifyCheckpointRequest]().FieldByName(field)
	for _, v := range strings.Split(f.Tag.Get("enum"), ",") {
		out = append(out, v)
	}
	return out
}

type progressArgs struct {
	Skill    string `json:"skill,omitempty" jsonschema:"for your current run of it"`
	Dispatch string `json:"dispatch,omitempty" jsonschema:"for the run with this id"`
}

func (h *House) progress(ctx context.Context, c call, in progressArgs) (wire.DispatchProgress, error) {
	return h.o.Abilities.Progress(ctx, c.Reporter, wire.ProgressRequest{DispatchID: in.Dispatch, AbilityID: in.Skill})
}

// plural is a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
