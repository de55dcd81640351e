package wire

import "strconv"

// SkillFinding is one thing that a validator would reject or that a reader should know.
type SkillFinding struct {
	Rule     string `json:"rule"` // SKILL-NAME, SKILL-DESCRIPTION, ...
	Severity string `json:"severity" enum:"error,warn,info"`
	Subject  string `json:"subject,omitempty"` // file, key or checkpoint
	Message  string `json:"message" maxLength:"300"`
	Fix      string `json:"fix,omitempty" maxLength:"240"`
}

// Severity is how grave a finding is.
type Severity string

// The severities, mildest first.
const (
	SeverityInfo     Severity = "info"
	SeverityLow      Severity = "low"
	SeverityMedium   Severity = "medium"
	SeverityHigh     Severity = "high"
	SeverityCritical Severity = "critical"
)

// ScanConclusion is the verdict of a report.
type ScanConclusion string

// The conclusions, mildest first.
const (
	ScanClean   ScanConclusion = "clean"
	ScanReview  ScanConclusion = "review"
	ScanBlocked ScanConclusion = "blocked"
)

// ScanFinding is one thing that a person should know before trusting the skill.
type ScanFinding struct {
	RuleID   string   `json:"rule_id" maxLength:"80"`
	Severity Severity `json:"severity" enum:"info,low,medium,high,critical"`
	File     string   `json:"file" maxLength:"240"`
	Line     int      `json:"line" minimum:"0" doc:"1 is the first line, 0 the file as a whole"`
	Title    string   `json:"title" maxLength:"160"`
	Meaning  string   `json:"meaning" maxLength:"500" doc:"what was found here"`
	Why      string   `json:"why" maxLength:"500" doc:"why it matters"`
	Excerpt  string   `json:"excerpt,omitempty" maxLength:"420" doc:"the place, shortened and without secrets"`
}

// ScanPermissions is what the skill's text and scripts use; approval binds to it. All three lists are sorted and never
// null.
type ScanPermissions struct {
	Tools       []string `json:"tools"`
	Domains     []string `json:"domains"`
	Credentials []string `json:"credentials" doc:"names of variables and keys, never values"`
}

// SkillCompatibilityFinding is one reason why agents could not read the skill or tell it from others.
type SkillCompatibilityFinding struct {
	Code     string `json:"code" maxLength:"120"`
	Severity string `json:"severity" enum:"info,warning,error"`
	Message  string `json:"message" maxLength:"1000"`
	PathHint string `json:"path_hint,omitempty" maxLength:"240"`
}

// SkillCompatibilityReport is the SkillCompatibilityReport: whether the skill can be installed beside the others as it
// is.
type SkillCompatibilityReport struct {
	Compatible         bool                        `json:"compatible"`
	RequiresAdapter    bool                        `json:"requires_adapter"`
	RuleVersion        string                      `json:"rule_version" maxLength:"80"`
	SuggestedPackID    string                      `json:"suggested_pack_id,omitempty" maxLength:"64"`
	PortabilityGrade   string                      `json:"portability_grade" enum:"direct,adapter_needed,not_portable"`
	ToolShadowingCheck string                      `json:"tool_shadowing_check" enum:"clear,collision_detected"`
	Findings           []SkillCompatibilityFinding `json:"findings"`
	RecommendedFixes   []string                    `json:"recommended_fixes"`
	SchemaVersion      int                         `json:"schema_version" enum:"1"`
}

// ScanReport is the result of a scan. Findings are sorted: gravest first, then by file, line and rule.
type ScanReport struct {
	Verdict       ScanConclusion           `json:"verdict" enum:"clean,review,blocked"`
	Findings      []ScanFinding            `json:"findings"`
	Permissions   ScanPermissions          `json:"permissions"`
	Compatibility SkillCompatibilityReport `json:"compatibility"`
	FilesScanned  int                      `json:"files_scanned"`
	Bytes         int64                    `json:"bytes"`
}

// ID names a finding in one content; a person acknowledges having read it by this id.
func (f ScanFinding) ID() string { return f.RuleID + " " + f.File + ":" + strconv.Itoa(f.Line) }
