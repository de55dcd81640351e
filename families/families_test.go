package families_test

import (
	_ "embed"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/canonical"
	"showhow/daemon/m365"
	"showhow/daemon/shelf"
	"showhow/daemon/skill"
	"showhow/families"
	"showhow/store"
)

func all(t *testing.T) []ability.BuiltIn {
	t.Helper()
	out, err := families.All()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every folder here is a skill that comes with the program, and none is left out of families.json.
func TestEveryFolderIsASkill(t *testing.T) {
	dirs, err := fs.Glob(os.DirFS("."), "*/"+skill.Entry)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, d := range dirs {
		want = append(want, path.Dir(d))
	}
	for _, b := range all(t) {
		got = append(got, b.Bundle.Name)
		onDisk, err := skill.ReadDir(b.Bundle.Name)
		if err != nil || onDisk.Hash() != b.Bundle.Hash() {
			t.Errorf("%s: what is compiled in is not what the folder holds (%v)", b.Bundle.Name, err)
		}
	}
	slices.Sort(got)
	if !slices.Equal(want, got) || len(got) == 0 {
		t.Errorf("folders %v, skills %v", want, got)
	}
}

// isTrue is what the scanner is right about: a message in Teams and an invitation go to other people. It finds nothing else.
var isTrue = map[string]string{"showhow-m365": "Uses the network"}

// They are as strictly in order as what Showhow writes itself, and the scanner finds nothing in them that is not so.
func TestCleanAndValid(t *testing.T) {
	for _, b := range all(t) {
		for _, f := range skill.Validate(b.Bundle, true) {
			t.Errorf("%s: %s %s: %s", b.Bundle.Name, f.Rule, f.Subject, f.Message)
		}
		s, err := shelf.Scan(t.Context(), b.Bundle)
		if err != nil {
			t.Fatal(err)
		}
		want := ability.ScanVerdict{Verdict: "clean"}
		if w := isTrue[b.Bundle.Name]; w != "" {
			want = ability.ScanVerdict{Verdict: "review", Findings: 1, Worst: w}
		}
		if s.Verdict != want {
			t.Errorf("%s: the scanner says %s: %s", b.Bundle.Name, s.Verdict.Verdict, s.Verdict.Worst)
		}
	}
}

// The text names each checkpoint, and the trigger phrases fit the bounds of what agents see.
func TestTextsAgree(t *testing.T) {
	for _, b := range all(t) {
		text := string(b.Bundle.File(skill.Entry).Data)
		for _, id := range b.Checkpoints {
			if !strings.Contains(text, "("+id+")") {
				t.Errorf("%s has no checkpoint %s", b.Bundle.Name, id)
			}
		}
		if n := strings.Count(text, "(cp-"); n != len(b.Checkpoints) {
			t.Errorf("%s: the text has %d checkpoints, families.json %d", b.Bundle.Name, n, len(b.Checkpoints))
		}
		tests, ok := skill.TriggerTestsOf(b.Bundle)
		if !ok || len(tests.Positives) < 5 || tests.Skill != b.Bundle.Name {
			t.Errorf("%s: %+v", b.Bundle.Name, tests)
		}
		for _, m := range b.Manifests {
			if m.OriginSkill != b.Bundle.Name || m.Family != b.Family || b.Bundle.File("capabilities/"+strings.TrimPrefix(m.CapabilityID,
				b.Family+".")+".json") == nil {
				t.Errorf("%s: the manifest %s stands in another file, or is of another skill", b.Bundle.Name, m.CapabilityID)
			}
		}
	}
}

// R9 2.1A and 3.1A: the capability manifests that Outlook and Word have at least, and the order of their control surfaces.
func TestManifestsR9(t *testing.T) {
	for family, names := range map[string]string{
		"outlook": "email_search email_read email_draft email_send email_list_accounts email_save_attachments calendar_read calendar_create " +
			"calendar_update calendar_delete calendar_list_calendars",
		"word": "read_document read_structure read_track_changes read_comments edit_working_copy compare_documents accept_reject_changes " +
			"format_document open_in_app",
	} {
		i := slices.IndexFunc(all(t), func(b ability.BuiltIn) bool { return b.Family == family })
		if i < 0 {
			t.Fatalf("there is no %s", family)
		}
		b := all(t)[i]
		for _, want := range strings.Fields(names) {
			if b.Bundle.File("capabilities/"+want+".json") == nil {
				t.Errorf("%s: the manifest of %s is missing", family, want)
			}
		}
		var order struct {
			Order map[string][]string `json:"surface_order"`
		}
		if err := json.Unmarshal(b.Bundle.File("references/control-surface.json").Data, &order); err != nil {
			t.Fatal(err)
		}
		for _, m := range b.Manifests {
			if !slices.Equal(order.Order[m.CapabilityID], m.SurfaceOrder) {
				t.Errorf("%s: %v, and %v in control-surface.json", m.CapabilityID, m.SurfaceOrder, order.Order[m.CapabilityID])
			}
		}
	}
}

// R9 2.7: Outlook's manifests have the form of its example; each names its tool, and a person supervises what writes or sends,
// whatever R9 2.1A says of autonomy. The text says when to use each tool.
func TestManifestsOfOutlookR9_2_7(t *testing.T) {
	i := slices.IndexFunc(all(t), func(b ability.BuiltIn) bool { return b.Family == "outlook" })
	b := all(t)[i]
	text := string(b.Bundle.File(skill.Entry).Data)
	reads := []string{"email_search", "email_read", "email_list_accounts", "calendar_read", "calendar_list_calendars"}
	for _, m := range b.Manifests {
		name := strings.TrimPrefix(m.CapabilityID, "outlook.")
		if m.Kind != "wrapper_script" || m.RuntimeBinding.Target != "outlook_"+name || m.Permissions[0] != "automation:Microsoft Outlook" ||
			!slices.Contains(m.RequiredRuntimeCaps, "outlook_running") || !m.RoutingEligible || m.HealthProbe.Target != "osascript" ||
			m.HealthProbe.TimeoutMS != 5000 || m.SurfaceOrder[len(m.SurfaceOrder)-1] != "applescript" ||
			m.RequiresSupervision == slices.Contains(reads, name) || m.LearningPolicy != (skill.LearningPolicy{TeachModeAllowed: true,
			AutoCaptureTrace: true, ProposalRequiredForMutation: true}) {
			t.Errorf("%s: %+v", name, m)
		}
		if !strings.Contains(text, "`outlook_"+name+"`") {
			t.Errorf("the text does not say when to use %s", name)
		}
	}
}

// DOC3 0C.18A: each operation of Microsoft 365 has a manifest, with the scopes that it needs, and a person supervises what
// is not read. The text names each, and what each takes is what its tool takes.
func TestManifestsOfMicrosoft365(t *testing.T) {
	i := slices.IndexFunc(all(t), func(b ability.BuiltIn) bool { return b.Family == "m365" })
	if i < 0 {
		t.Fatal("there is no Microsoft 365")
	}
	b := all(t)[i]
	list := string(b.Bundle.File("references/operations.md").Data)
	ops := m365.Operations().Operations
	if len(b.Manifests) != len(ops) || !slices.Equal(b.RequiredProviders, []string{"m365"}) {
		t.Errorf("%d manifests of %d operations; needs %v", len(b.Manifests), len(ops), b.RequiredProviders)
	}
	for _, o := range ops {
		j := slices.IndexFunc(b.Manifests, func(m skill.Manifest) bool { return m.CapabilityID == "m365."+o.OperationFamily })
		if j < 0 {
			t.Errorf("the manifest of %s is missing", o.OperationFamily)
			continue
		}
		m, asks := b.Manifests[j], o.ActionClass != "read"
		tool := m365.Tools([]string{o.OperationFamily})[0]
		if !slices.Equal(m.Permissions, o.MinimumDelegatedScopes) || m.RequiresSupervision != asks || m.Title != tool.Title ||
			m.RuntimeBinding.Target != "m365__"+o.OperationFamily {
			t.Errorf("%s: %+v", o.OperationFamily, m)
		}
		if !strings.Contains(string(b.Bundle.File(skill.Entry).Data), "`"+o.OperationFamily+"`") {
			t.Errorf("the text does not say when to use %s", o.OperationFamily)
		}
		_, row, _ := strings.Cut(list, "| `"+o.OperationFamily+"`")
		row, _, _ = strings.Cut(row, "\n")
		if strings.Contains(row, "(asks)") != asks {
			t.Errorf("%s: what is asked first: %q", o.OperationFamily, row)
		}
		for _, name := range tool.InputSchema.(map[string]any)["required"].([]string) {
			if !strings.Contains(row, "`"+name+"`") {
				t.Errorf("%s takes %s, which the list does not say: %q", o.OperationFamily, name, row)
			}
		}
	}
}

//go:embed testdata/requests.json
var requests []byte

// acts is the score from which a router may act on a usable ability (docs/lookup.md).
const acts = 0.30

// Requests in people's words find their family. The first set, 20 for each, was written before the trigger phrases; the
// second, 10 for each, after they were settled. 30 more are for no family, and none may be acted on.
func TestFoundByPeoplesWords(t *testing.T) {
	var sets struct {
		First, Second map[string][]string
		None          []string
	}
	if err := json.Unmarshal(requests, &sets); err != nil {
		t.Fatal(err)
	}
	s := house(t)
	ask := func(q string) (string, float64) {
		r, err := s.Lookup(t.Context(), ability.LookupQuery{UserQuery: q, SchemaVersion: 1})
		if err != nil || len(r.Matches) == 0 {
			return "", 0
		}
		return r.Matches[0].SkillSlug, r.Matches[0].Score
	}
	for _, x := range []struct {
		name        string
		of          map[string][]string
		first, acts int // at least
	}{{"first", sets.First, 91, 79}, {"second", sets.Second, 32, 12}} {
		n, first, act := 0, 0, 0
		for skill, all := range x.of {
			for _, q := range all {
				found, score := ask(q)
				n++
				if found == skill {
					first++
				}
				if found == skill && score >= acts {
					act++
				} else {
					t.Logf("%.2f %q finds %s instead of %s", score, q, found, skill)
				}
			}
		}
		t.Logf("%s set: %d of %d are found first, %d so that a router may act", x.name, first, n, act)
		if first < x.first || act < x.acts {
			t.Errorf("%s set: people's words do not find the families", x.name)
		}
	}
	for _, q := range sets.None {
		found, score := ask(q)
		if q == "what is the weather tomorrow" && found != "" { // make demo says that nothing is found
			t.Errorf("%.2f %q lists %s", score, q, found)
		}
		if score >= acts {
			t.Errorf("%.2f %q is for no family and finds %s", score, q, found)
		}
	}
}

// house is the service over a real store, with the families and nothing else.
func house(t *testing.T) *ability.Service {
	t.Helper()
	dir := t.TempDir()
	db, err := store.Open(t.Context(), store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	memory := filepath.Join(dir, "memory")
	t.Cleanup(func() { canonical.Must(t, memory) })
	s := ability.New(ability.Options{Store: db.Abilities(), MemoryRoot: memory, BuiltIns: families.All})
	if _, err := s.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}
