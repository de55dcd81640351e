package report

import (
	"cmp"
	"slices"
	"strconv"
)

// Severity says how grave a finding is.
type Severity string

// The severities. High and critical block; medium wants a person's eyes; low and info are told.
const (
	Info     Severity = "info"
	Low      Severity = "low"
	Medium   Severity = "medium"
	High     Severity = "high"
	Critical Severity = "critical"
)

var Ranks = map[Severity]int{Info: 0, Low: 1, Medium: 2, High: 3, Critical: 4}

// AtLeast reports whether s is as grave as t.
func (s Severity) AtLeast(t Severity) bool { return Ranks[s] >= Ranks[t] }

// Verdict is what a report comes to.
type Verdict string

// The verdicts, mildest first.
const (
	Clean   Verdict = "clean"
	Review  Verdict = "review"
	Blocked Verdict = "blocked"
)

// Finding is one thing that a person should know before trusting the skill.
type Finding struct {
	RuleID   string   `json:"rule_id" maxLength:"80"`
	Severity Severity `json:"severity" enum:"info,low,medium,high,critical"`
	File     string   `json:"file" maxLength:"240"`
	Line     int      `json:"line" minimum:"0" doc:"1 is the first line, 0 the file as a whole"`
	Title    string   `json:"title" maxLength:"160"`
	Meaning  string   `json:"meaning" maxLength:"500" doc:"what was found here"`
	Why      string   `json:"why" maxLength:"500" doc:"why it matters"`
	Excerpt  string   `json:"excerpt,omitempty" maxLength:"420" doc:"the place, shortened and without secrets"`
}

// ID names the finding within the reports of one content.
func (f Finding) ID() string { return f.RuleID + " " + f.File + ":" + strconv.Itoa(f.Line) }

// Instructs reports whether the finding is for review and quotes something that the agent is told: whether that is harmless
// only who reads it can say.
func (f Finding) Instructs() bool {
	return f.Severity == Medium && ByID[f.RuleID] != nil && ByID[f.RuleID].Family == "instructions"
}

// Permission reports whether the finding says what the skill does at all, which is confirmed once; others ask for judgement.
func (f Finding) Permission() bool {
	return ByID[f.RuleID] != nil && ByID[f.RuleID].Family == "permissions"
}

// AsksJudgement reports whether there is something that a person has to weigh, beyond confirming what the skill does.
func (r Report) AsksJudgement() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity.AtLeast(Medium) && !f.Permission() })
}

// Permissions is what the skill's text and scripts use; approval binds to it. All three are sorted, and never null.
type Permissions struct {
	Tools       []string `json:"tools"`
	Domains     []string `json:"domains"`
	Credentials []string `json:"credentials" doc:"names of variables and keys, never values"`
}

// CompatibilityFinding is one thing that keeps agents from reading or telling apart the skill.
type CompatibilityFinding struct {
	Code     string `json:"code" maxLength:"120"`
	Severity string `json:"severity" enum:"info,warning,error"`
	Message  string `json:"message" maxLength:"1000"`
	PathHint string `json:"path_hint,omitempty" maxLength:"240"`
}

// Compatibility is the SkillCompatibilityReport: whether the skill can be installed beside the others as it is.
type Compatibility struct {
	Compatible         bool                   `json:"compatible"`
	RequiresAdapter    bool                   `json:"requires_adapter"`
	RuleVersion        string                 `json:"rule_version" maxLength:"80"`
	SuggestedPackID    string                 `json:"suggested_pack_id,omitempty" maxLength:"64"`
	PortabilityGrade   string                 `json:"portability_grade" enum:"direct,adapter_needed,not_portable"`
	ToolShadowingCheck string                 `json:"tool_shadowing_check" enum:"clear,collision_detected"`
	Findings           []CompatibilityFinding `json:"findings"`
	RecommendedFixes   []string               `json:"recommended_fixes"`
	SchemaVersion      int                    `json:"schema_version" enum:"1"`
}

// Report is what a scan found. Findings are sorted: gravest first, then by file, line and rule.
type Report struct {
	Verdict       Verdict       `json:"verdict" enum:"clean,review,blocked"`
	Findings      []Finding     `json:"findings"`
	Permissions   Permissions   `json:"permissions"`
	Compatibility Compatibility `json:"compatibility"`
	FilesScanned  int           `json:"files_scanned"`
	Bytes         int64         `json:"bytes"`
}

// Finish puts the findings in order, drops repetitions and draws the verdict.
func (r *Report) Finish() {
	slices.SortFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(Ranks[b.Severity], Ranks[a.Severity]), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.RuleID, b.RuleID), cmp.Compare(a.Meaning, b.Meaning), cmp.Compare(a.Excerpt, b.Excerpt))
	})
	same := func(a, b Finding) bool { return a.RuleID == b.RuleID && a.File == b.File && a.Line == b.Line }
	r.Findings = slices.CompactFunc(r.Findings, same)
	r.Verdict = Clean
	if len(r.Findings) > 0 {
		switch worst := r.Findings[0].Severity; {
		case worst.AtLeast(High):
			r.Verdict = Blocked
		case worst.AtLeast(Medium):
			r.Verdict = Review
		}
	}
}
