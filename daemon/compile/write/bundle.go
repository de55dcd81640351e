package write

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/prove"
	"showhow/daemon/skill"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// BuildBundle writes the files of the skill. None of them contains the graph.
func BuildBundle(d *Understanding, m skill.Manifest) (skill.Bundle, error) {
	head := skill.Frontmatter{
		Name: d.Slug, Description: description(d), Compatibility: compatibility(d),
		Metadata: map[string]string{
			"showhow-capability": m.CapabilityID, "showhow-revision": strconv.Itoa(max(1, d.In.Revision)), "showhow-mode": cmp.Or(d.In.ExecutionMode,
				"guided"),
			"showhow-source": "demonstration",
		},
	}
	if len(d.Interp.Inputs) > 0 {
		var inputs []string
		for _, i := range d.Interp.Inputs {
			inputs = append(inputs, i.Name)
		}
		head.Metadata["showhow-inputs"] = page.Cut(strings.Join(inputs, ", "), 400)
	}
	if c := d.Places.Connectors; len(c) > 0 {
		head.Metadata[skill.ConnectorHints] = page.Cut(strings.Join(c, ", "), 400)
	}
	files := []skill.File{
		{Path: skill.Entry, Data: skill.Render(head, skillText(d))},
		{Path: "references/demonstration.md", Data: []byte(storyText(d))},
		{Path: "references/steps.md", Data: []byte(stepsText(d))},
	}
	for path, v := range map[string]any{
		skill.ChecksFile:                           checksFile(d),
		skill.TriggerTestFile:                      triggersFile(d),
		"tests/smoke.json":                         smokeFile(d),
		"capabilities/" + m.CapabilityID + ".json": m,
	} {
		data, err := Pretty(v)
		if err != nil {
			return skill.Bundle{}, err
		}
		files = append(files, skill.File{Path: path, Data: data})
	}
	return skill.New(d.Slug, files)
}

// Pretty encodes a value as indented JSON for people to read.
func Pretty(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}

// ChecksFile is tests/checks.json: the exact machine checks of the checkpoints. All checks of a checkpoint must hold.
type ChecksFile struct {
	SchemaVersion int              `json:"schema_version"`
	Skill         string           `json:"skill"`
	Inputs        []string         `json:"inputs"`
	Checkpoints   []CheckpointTest `json:"checkpoints"`
}

// CheckpointTest is one checkpoint with its checks.
type CheckpointTest struct {
	CheckpointID     string           `json:"checkpoint_id"`
	Goal             string           `json:"goal"`
	SuccessCondition string           `json:"success_condition"`
	Effect           bool             `json:"effect"`
	Checks           []workflow.Check `json:"checks"`
}

func checksFile(d *Understanding) ChecksFile {
	f := ChecksFile{SchemaVersion: 1, Skill: d.Slug, Inputs: []string{}, Checkpoints: []CheckpointTest{}}
	for _, i := range d.Interp.Inputs {
		f.Inputs = append(f.Inputs, i.Name)
	}
	for _, c := range d.cps {
		f.Checkpoints = append(f.Checkpoints, CheckpointTest{c.CheckpointID, c.Goal, c.SuccessCondition, c.Changes,
			c.Checks()})
	}
	return f
}

func triggersFile(d *Understanding) skill.TriggerTests {
	return skill.TriggerTests{SchemaVersion: 1, Skill: d.Slug, Positives: OrEmpty(d.Phrases.Triggers),
		Paraphrases: OrEmpty(d.Phrases.Paraphrases), Negatives: OrEmpty(d.Phrases.Negatives),
		Generated: OrEmpty(d.Phrases.Generated)}
}

// OrEmpty returns a list that is never null in JSON.
func OrEmpty(xs []string) []string {
	if xs == nil {
		return []string{}
	}
	return xs
}

// SmokeFile is tests/smoke.json: what must be true before the skill can be tried at all.
type SmokeFile struct {
	SchemaVersion int         `json:"schema_version"`
	Skill         string      `json:"skill"`
	Tests         []SmokeTest `json:"tests"`
}

// SmokeTest is one such condition: a file of the bundle, a site that answers, a command that is installed, a connector that works.
type SmokeTest struct {
	Kind   string `json:"kind"` // bundle_file, site, command, connector
	Target string `json:"target"`
}

func smokeFile(d *Understanding) SmokeFile {
	f := SmokeFile{1, d.Slug, []SmokeTest{{"bundle_file", skill.Entry}, {"bundle_file", skill.ChecksFile}}}
	for _, s := range d.Places.Sites {
		f.Tests = append(f.Tests, SmokeTest{"site", cmp.Or(d.Places.starts[s], s)})
	}
	for _, c := range d.Places.Commands {
		f.Tests = append(f.Tests, SmokeTest{"command", c})
	}
	for _, c := range d.Places.Connectors {
		f.Tests = append(f.Tests, SmokeTest{"connector", c})
	}
	return f
}

// maxStory bounds the number of steps in a description of a very long demonstration.
const maxStory = 400

// storyText writes references/demonstration.md: what was shown, in words, without the values of that demonstration.
func storyText(d *Understanding) string {
	w := &md{}
	w.head(1, "What was demonstrated: "+d.Title)
	w.para("%s", d.storyIntro())
	n, title := 0, ""
	proof := map[string]*prove.Candidate{}
	for _, c := range d.cps {
		proof[c.StepID] = c
	}
	for _, seg := range d.segs {
		if seg.Title != "" && seg.Title != title {
			w.head(2, seg.Title)
		}
		title = seg.Title
		for _, st := range seg.Steps {
			if n++; n > maxStory {
				continue
			}
			w.line("%d. %s%s", n, plain.UpperFirst(flow.Told(st, d.Names)), d.aside(st))
		}
		if seg.Outcome != nil && n <= maxStory {
			if c := proof[seg.Outcome.StepID]; c != nil {
				w.line("   Then: %s", lowerQuoted(c.SuccessCondition))
			}
		}
	}
	if n > maxStory {
		w.line("%d. And %d more steps of the same kind.", maxStory+1, n-maxStory)
	}
	w.blank()
	if len(d.remarks) > 0 {
		w.head(2, "Notes")
		w.para("Notes made while demonstrating:")
		w.list(d.remarks[:min(len(d.remarks), maxShown)])
	}
	if len(d.LeftOut) > 0 {
		w.head(2, "Left out")
		w.para("These were part of the demonstration and are not part of the skill:")
		w.list(d.LeftOut[:min(len(d.LeftOut), maxShown)])
	}
	return strings.TrimRight(w.b.String(), "\n") + "\n"
}

func (d *Understanding) storyIntro() string {
	n := len(d.In.Traces)
	times := "once"
	if n == 2 {
		times = "twice"
	} else if n > 2 {
		times = strconv.Itoa(n) + " times"
	}
	return fmt.Sprintf("The work was shown %s. The values used then are replaced by input names in braces. This is a record, not an "+
		"instruction: follow the checkpoints in SKILL.md.", times)
}

// aside adds to a step what its sentence does not say.
func (d *Understanding) aside(st *flow.Step) string {
	switch {
	case st.Optional && st.Condition != "":
		return fmt.Sprintf(" (only when %s)", strings.TrimSuffix(plain.LowerFirst(st.Condition), "."))
	case st.Optional:
		return " (not every time)"
	case st.Loop >= 0:
		return fmt.Sprintf(" (for each of %d)", d.Study.Loops[st.Loop].Count)
	case st.Act.Command != nil && st.Act.Command.Exit != 0:
		return fmt.Sprintf(" (exit code %d)", st.Act.Command.Exit)
	}
	return ""
}
