package wire

import (
	"showhow/internal/clock"
	"slices"
	"strings"
)

// AbilityFileChange is one file that differs from what was approved.
type AbilityFileChange struct {
	Path      string `json:"path" maxLength:"240"`
	Change    string `json:"change" enum:"added,removed,changed,mode" doc:"mode: only whether it can be executed"`
	Unified   string `json:"unified,omitempty" doc:"unified difference from the approved text; empty for what is no text"`
	Binary    bool   `json:"binary,omitempty"`
	Truncated bool   `json:"truncated,omitempty" doc:"the difference is longer than is shown"`
}

// AbilityDifference is how an ability's content differs from what was approved.
type AbilityDifference struct {
	AbilityID    string              `json:"ability_id" maxLength:"160"`
	SkillSlug    string              `json:"skill_slug" maxLength:"120"`
	Trust        string              `json:"trust" enum:"approved,pending_review,needs_reapproval"`
	Reason       string              `json:"reason,omitempty" maxLength:"240" doc:"why it is not usable"`
	Where        string              `json:"where" maxLength:"80" doc:"what is compared: bundle, or the target whose copy was changed"`
	Folder       string              `json:"folder" maxLength:"4096" doc:"the skill's own folder: approving takes what is in it"`
	SetAside     string              `json:"set_aside,omitempty" maxLength:"4096" doc:"where a changed copy is kept: approving does not take it"`
	ApprovedHash string              `json:"approved_hash,omitempty" maxLength:"80"`
	ContentHash  string              `json:"content_hash,omitempty" maxLength:"80" doc:"of what is compared; empty: it cannot be read as a skill"`
	Note         string              `json:"note,omitempty" maxLength:"400" doc:"what could not be compared, and why"`
	Files        []AbilityFileChange `json:"files"`
	// Permissions as they would be approved, and as they are approved now.
	Permissions AbilityPermissions  `json:"permissions"`
	Granted     *AbilityPermissions `json:"granted_permissions,omitempty"`
	Warnings    []string            `json:"warnings,omitempty" maxLength:"240" doc:"what to know of the run that wrote it before approving"`
	// What the scanner finds in what would be approved and not in what is approved, medium and above, gravest first.
	Findings       []ScanFinding `json:"findings,omitempty"`
	FindingsToRead []string      `json:"findings_to_read,omitempty" doc:"ids of those that a person must have read: rule, file and line"`
	Blocked        bool          `json:"blocked,omitempty" doc:"a finding is high or critical: an approval must accept the findings"`
	CanRestore     bool          `json:"can_restore" doc:"the approved content is kept and can be put back"`
	Revision       int           `json:"revision"`
	SchemaVersion  int           `json:"schema_version" enum:"1"`
}

// InstallResult names what an installation made.
type InstallResult struct {
	AbilityID     string   `json:"ability_id"`
	CapabilityID  string   `json:"capability_id"`
	Slug          string   `json:"slug"`
	CanonicalPath string   `json:"canonical_path"` // the bundle's folder under the memory root, absolute
	Projected     []string `json:"projected"`      // its copies in the targets, absolute
	FilesWritten  []string `json:"files_written"`
	SetAside      string   `json:"set_aside,omitempty"` // where the replaced version is kept, absolute, if it was
}

// AbilityPermissions is what an ability may use, and which agents may use it. The lists are sorted and unique; all but
// agents are never null.
type AbilityPermissions struct {
	Tools       []string `json:"tools" maxLength:"160" maxItems:"200"`
	Domains     []string `json:"domains" maxLength:"253" maxItems:"200" doc:"hosts that its runs may reach; *. for subdomains"`
	Credentials []string `json:"credentials" maxLength:"160" maxItems:"100" doc:"names, never values"`
	Agents      []string `json:"agents,omitempty" maxLength:"64" maxItems:"50" doc:"the agents that it is approved for: names of agents' skill folders in the settings, or of agents with a token; none of these: every agent of this computer; and remote/NAME or remote/* for callers from elsewhere, of whom none is admitted otherwise"`
}

// AbilityHealth is the lasting health of an ability; usable_now is momentary.
type AbilityHealth struct {
	Status         string      `json:"status" enum:"healthy,degraded,quarantined,unknown"`
	ReasonCode     string      `json:"reason_code,omitempty" maxLength:"80" doc:"matching_failures or critical_safety_failure"`
	StepID         string      `json:"step_id,omitempty" maxLength:"160" doc:"the step or checkpoint that failed"`
	Code           string      `json:"code,omitempty" maxLength:"80" doc:"how it failed"`
	Since          *clock.Time `json:"since,omitempty" format:"date-time"`
	GoodCanaries   int         `json:"good_canaries,omitempty" minimum:"0" doc:"in a row since it was quarantined; five heal it"`
	LastVerifiedAt *clock.Time `json:"last_verified_at,omitempty" format:"date-time" doc:"when Showhow itself last saw it work"`
	Suspect        bool        `json:"suspect,omitempty" doc:"something failed, and nobody has seen since that it works"`
	Renamed        int         `json:"renamed,omitempty" minimum:"0" doc:"controls that have another name now; a repair would adopt it"`
}

// AbilityAvailabilityEntry is an ability as agents see it (DOC3 0C.11A with decisions C3, C7, C13).
type AbilityAvailabilityEntry struct {
	AbilityID                string             `json:"ability_id" maxLength:"160"`
	Title                    string             `json:"title" maxLength:"200"`
	Family                   string             `json:"family" maxLength:"80"`
	Source                   string             `json:"source" enum:"learned,imported,native,promoted"`
	SkillSlug                string             `json:"skill_slug,omitempty" maxLength:"120"`
	PrimaryCapabilityID      string             `json:"primary_capability_id,omitempty" maxLength:"160"`
	BuiltIn                  bool               `json:"built_in,omitempty" doc:"it comes with Showhow: its files are the program's own"`
	InstallLane              string             `json:"install_lane" enum:"experimental_private,approved_workspace,shared_promoted,quarantined"`
	Enabled                  bool               `json:"enabled"`
	UsableNow                bool               `json:"usable_now"`
	ReasonUnusable           string             `json:"reason_unusable,omitempty" maxLength:"240"`
	ReasonCode               string             `json:"reason_code,omitempty" maxLength:"80" doc:"stable: disabled, quarantined, not_approved, rejected, drifted, permissions_changed, missing, command_missing, adapter_missing, site_unreachable, connector_missing, connector_sign_in, connector_unavailable, connector_denied, support_pack_missing, projection_missing, other_agents"`
	TriggerPhrases           []string           `json:"trigger_phrases" maxLength:"120"`
	NegativeTriggers         []string           `json:"negative_triggers" maxLength:"120"`
	Aliases                  []string           `json:"aliases" maxLength:"120"`
	ProjectScopes            []string           `json:"project_scopes" maxLength:"160"`
	PreferredControlSurfaces []string           `json:"preferred_control_surfaces"`
	SupportPackRefs          []string           `json:"support_pack_refs" maxLength:"240"`
	SupportPacks             map[string]string  `json:"support_packs,omitempty" doc:"where the packs are kept that are bound to a place, by name"`
	Configured               map[string]any     `json:"configured,omitempty" doc:"configured values of its inputs, by name; what the caller was asked for wins"`
	CheckpointHealth         string             `json:"checkpoint_health,omitempty" enum:"strong,moderate,weak,no_data,quarantined"`
	Health                   *AbilityHealth     `json:"health,omitempty" doc:"how it fares by its uses and trials; absent while nothing is known"`
	Trust                    string             `json:"trust" enum:"approved,pending_review,needs_reapproval"`
	ContentHash              string             `json:"content_hash,omitempty" maxLength:"80" doc:"what a person who looks now would approve"`
	ApprovedHash             string             `json:"approved_hash,omitempty" maxLength:"80" doc:"what a person approved last"`
	ChangedIn                string             `json:"changed_in,omitempty" maxLength:"80" doc:"where a change ended the trust: bundle, permissions, or a target's name"`
	RejectReason             string             `json:"reject_reason,omitempty" maxLength:"1000"`
	Permissions              AbilityPermissions `json:"permissions" doc:"what it asks for, and once it is approved what it may use"`
	Checkpoints              []string           `json:"checkpoint_ids" maxLength:"160"`
	LastValidatedAt          *clock.Time        `json:"last_validated_at,omitempty" format:"date-time"`
	LastUsedAt               *clock.Time        `json:"last_used_at,omitempty" format:"date-time"`
	Revision                 int                `json:"revision" doc:"for If-Match"`
	SchemaVersion            int                `json:"schema_version" enum:"1"`
}

// AbilityAvailabilitySnapshot holds every ability at one moment. Stale means that something has happened since that
// should have refreshed it.
type AbilityAvailabilitySnapshot struct {
	Abilities     []AbilityAvailabilityEntry `json:"abilities"`
	SnapshotAsOf  clock.Time                 `json:"snapshot_as_of" format:"date-time"`
	Stale         bool                       `json:"stale"`
	StaleSince    *clock.Time                `json:"stale_since,omitempty" format:"date-time"`
	SchemaVersion int                        `json:"schema_version" enum:"1"`
}

// SkillCatalogEntry is one line of the skills catalog (DOC3 0C.11A). Native skills are read-only until adopted (decisions C5).
type SkillCatalogEntry struct {
	AbilityID      string              `json:"ability_id" maxLength:"160"`
	Title          string              `json:"title" maxLength:"200"`
	Description    string              `json:"description,omitempty" maxLength:"1024"`
	Family         string              `json:"family" maxLength:"80"`
	Source         string              `json:"source" enum:"learned,imported,native,promoted"`
	SkillSlug      string              `json:"skill_slug,omitempty" maxLength:"120"`
	BuiltIn        bool                `json:"built_in,omitempty" doc:"it comes with Showhow: its files are the program's own"`
	InstallLane    string              `json:"install_lane" enum:"experimental_private,approved_workspace,shared_promoted,quarantined"`
	Enabled        bool                `json:"enabled"`
	UsableNow      bool                `json:"usable_now"`
	ReasonUnusable string              `json:"reason_unusable,omitempty" maxLength:"240"`
	Trust          string              `json:"trust,omitempty" enum:"approved,pending_review,needs_reapproval"`
	ReadOnly       bool                `json:"read_only" doc:"somebody else's: adopt it to review, approve and look after it"`
	Scan           *AbilityScanVerdict `json:"scan,omitempty" doc:"what the scanner says of a native skill, or of the content that was installed; absent: it was not scanned"`
	FoundIn        []string            `json:"found_in" doc:"names of the targets that hold it"`
	Tags           []string            `json:"tags" maxLength:"80"`
	CategoryIDs    []string            `json:"category_ids"`
	CreatedAt      clock.Time          `json:"created_at" format:"date-time"`
	UpdatedAt      clock.Time          `json:"updated_at" format:"date-time"`
	SchemaVersion  int                 `json:"schema_version" enum:"1"`
}

// SkillCatalogCurrent lists every skill, Showhow's and native ones.
type SkillCatalogCurrent struct {
	Items         []SkillCatalogEntry `json:"items"`
	RefreshedAt   clock.Time          `json:"refreshed_at" format:"date-time"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// CapabilityBridgeEntry is a capability as a router sees it (baseline 1.1C).
type CapabilityBridgeEntry struct {
	CapabilityID        string     `json:"capability_id" maxLength:"160"`
	Family              string     `json:"family" maxLength:"80"`
	Title               string     `json:"title" maxLength:"200"`
	Aliases             []string   `json:"aliases" maxItems:"20"`
	ActionVerbs         []string   `json:"action_verbs" maxItems:"20"`
	RouteTier           int        `json:"route_tier" minimum:"1" maximum:"5"`
	RequiresSupervision bool       `json:"requires_supervision"`
	DryRunSupported     bool       `json:"dry_run_supported"`
	RoutingEligible     bool       `json:"routing_eligible"`
	HealthStatus        string     `json:"health_status" enum:"healthy,degraded,quarantined,disabled,unknown"`
	HealthReasonCode    string     `json:"health_reason_code,omitempty" maxLength:"120"`
	OriginOwner         string     `json:"origin_owner" enum:"doc3,doc4_bridge,openclaw_native,provisional_scanner"`
	BuiltInOpenclaw     bool       `json:"built_in_openclaw"`
	MetadataRef         string     `json:"metadata_ref" maxLength:"240"`
	UpdatedAt           clock.Time `json:"updated_at" format:"date-time"`
	SchemaVersion       int        `json:"schema_version" enum:"1"`
}

// CapabilityBridge is the compact registry that routers read. After a failed rebuild the last good entries stay, and
// the state says so.
type CapabilityBridge struct {
	Entries       []CapabilityBridgeEntry `json:"entries"`
	State         string                  `json:"bridge_state" enum:"current,stale"`
	StateReason   string                  `json:"state_reason,omitempty" maxLength:"240"`
	UpdatedAt     clock.Time              `json:"updated_at" format:"date-time"`
	SchemaVersion int                     `json:"schema_version" enum:"1"`
}

// AbilityLookup asks which abilities fit a sentence (DOC3 0C.11).
type AbilityLookup struct {
	UserQuery                 string   `json:"user_query" maxLength:"500"`
	ProjectID                 string   `json:"project_id,omitempty" maxLength:"120"`
	RoomID                    string   `json:"room_id,omitempty" maxLength:"160"`
	InstallLanesAllowed       []string `json:"install_lanes_allowed,omitempty" enum:"experimental_private,approved_workspace,shared_promoted" doc:"absent means approved_workspace and shared_promoted"`
	IncludePrivateOwnedByUser *bool    `json:"include_private_owned_by_user,omitempty" default:"true"`
	SchemaVersion             int      `json:"schema_version" enum:"1"`

	Agent []string `json:"-"` // names of the agent that asks, as far as they are known; nil when a person asks
}

// AbilityLookupMatch is one ability that fits.
type AbilityLookupMatch struct {
	AbilityID      string   `json:"ability_id" maxLength:"160"`
	Title          string   `json:"title" maxLength:"200"`
	SkillSlug      string   `json:"skill_slug,omitempty" maxLength:"120"`
	Score          float64  `json:"score" minimum:"0" maximum:"1"`
	InstallLane    string   `json:"install_lane"`
	UsableNow      bool     `json:"usable_now"`
	ReasonUnusable string   `json:"reason_unusable,omitempty"`
	MatchReasons   []string `json:"match_reasons" maxLength:"240"`
}

// AbilityLookupResult is at most ten matches, best first.
type AbilityLookupResult struct {
	Matches       []AbilityLookupMatch `json:"matches" maxItems:"10"`
	AskWhich      []string             `json:"ask_which,omitempty" maxItems:"10" doc:"ability ids of the first matches that are too close to choose: ask which is meant"`
	Closest       *AbilityLookupMatch  `json:"closest,omitempty" doc:"when nothing matches: what came closest, and was not close enough"`
	CreatedAt     clock.Time           `json:"created_at" format:"date-time"`
	SchemaVersion int                  `json:"schema_version" enum:"1"`
}

// ExplainMatchRequest asks why an ability fits a sentence or not. With proposal_id it is asked of a draft.
type ExplainMatchRequest struct {
	UserQuery  string `json:"user_query" maxLength:"500"`
	AbilityID  string `json:"ability_id,omitempty" maxLength:"160" doc:"ability_id or proposal_id"`
	ProposalID string `json:"proposal_id,omitempty" format:"uuid"`
	ProjectID  string `json:"project_id,omitempty" maxLength:"120"`

	Agent []string `json:"-"` // as in AbilityLookup
}

// AbilityExplainMatchResponse lists exactly what scored.
type AbilityExplainMatchResponse struct {
	AbilityID        string   `json:"ability_id" maxLength:"160"`
	Matched          bool     `json:"matched"`
	Score            float64  `json:"score" minimum:"0" maximum:"1"`
	MatchReasons     []string `json:"match_reasons" maxLength:"240"`
	RejectionReasons []string `json:"rejection_reasons" maxLength:"240"`

	Because []MatchBecause `json:"because,omitempty" doc:"the reasons for and against it, as fields"`
}

// MatchBecause is one reason why a sentence fits an ability, or why it does not.
type MatchBecause struct {
	Code    string `json:"code" maxLength:"60" doc:"what the reason in words begins with: trigger_phrase_match, word_match, no_hit, ..."`
	Phrase  string `json:"phrase,omitempty" maxLength:"240" doc:"the trigger phrase that it is about"`
	Against bool   `json:"against,omitempty" doc:"it speaks against the match"`
}

// VerifyCheckpointRequest reports, voluntarily, what an agent saw at a checkpoint. At most one of learn_session_id and
// dispatch_id is given (decisions C7); without either, the report belongs to the caller's current run of the ability,
// which the receipt names.
type VerifyCheckpointRequest struct {
	AbilityID       string `json:"ability_id,omitempty" maxLength:"160"`
	CheckpointID    string `json:"checkpoint_id" minLength:"1" maxLength:"160" doc:"one of the ability's checkpoint_ids; any other is refused"`
	Status          string `json:"status" enum:"reached,skipped,failed"`
	Evidence        string `json:"evidence" maxLength:"1000"`
	Reason          string `json:"reason,omitempty" maxLength:"1000"`
	LearnSessionID  string `json:"learn_session_id,omitempty" format:"uuid"`
	DispatchID      string `json:"dispatch_id,omitempty" maxLength:"160"`
	Surface         string `json:"surface,omitempty" enum:"native_openclaw_tool,native_openclaw_browser,bridge_tool,mcp_connector,mcp_server,app_api,wrapper_script,applescript,python_wrapper,keyboard_shortcut,midi_binding,page_knowledge_ui,raw_ui" doc:"the way that was gone, where it was not the preferred one"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`

	Renamed []RenamedReport `json:"renamed,omitempty" maxItems:"10" doc:"controls that the page calls otherwise than the skill does"`
}

// RenamedReport says that a control has another name. It changes nothing until a person has accepted a repair.
type RenamedReport struct {
	Was string `json:"was" minLength:"1" maxLength:"240" doc:"what the skill calls it"`
	Now string `json:"now" minLength:"1" maxLength:"240" doc:"what the page calls it"`
}

// ConfigIntent asks for a change of configuration instead of writing a file (baseline 0.2G).
type ConfigIntent struct {
	IntentID      string         `json:"intent_id" format:"uuid"`
	Target        string         `json:"target" enum:"skill_config,user_preference,support_pack_binding,connector_policy"`
	CapabilityID  string         `json:"capability_id,omitempty" maxLength:"160"`
	Payload       map[string]any `json:"payload"`
	RequestedBy   string         `json:"requested_by" enum:"wrapper,ui,repair,promotion,skill_mining"`
	CorrelationID string         `json:"correlation_id" maxLength:"200"`
	CreatedAt     clock.Time     `json:"created_at" format:"date-time"`
	SchemaVersion int            `json:"schema_version" enum:"1"`
}

// ConfigDocument is the file that an intent writes under system/skills/config.
type ConfigDocument struct {
	Target        string         `json:"target" enum:"skill_config,user_preference,support_pack_binding,connector_policy"`
	CapabilityID  string         `json:"capability_id,omitempty" maxLength:"160"`
	Config        map[string]any `json:"config"`
	Path          string         `json:"path" doc:"under the memory root"`
	IntentID      string         `json:"intent_id" format:"uuid" doc:"the last intent that was applied"`
	Revision      int            `json:"revision"`
	UpdatedAt     clock.Time     `json:"updated_at" format:"date-time"`
	SchemaVersion int            `json:"schema_version" enum:"1"`
}

// AbilityConfiguration is the effective configuration of one ability, the more specific over the more general: the
// user's preferences for all, what was configured for the skill, the user's preferences for the skill. Without an
// ability it is the general part.
type AbilityConfiguration struct {
	AbilityID     string            `json:"ability_id,omitempty" maxLength:"160"`
	CapabilityID  string            `json:"capability_id,omitempty" maxLength:"160"`
	Values        map[string]any    `json:"values" doc:"values of inputs, by name"`
	SupportPacks  map[string]string `json:"support_packs" doc:"where packs are kept, by name"`
	Connectors    map[string]string `json:"connectors" doc:"allow or deny, by the connector's name"`
	Documents     []ConfigDocument  `json:"documents" doc:"what it is made of, the more particular ones last"`
	SchemaVersion int               `json:"schema_version" enum:"1"`
}

// SagaOutcome is the state of an installation; after a crash the caller asks for it by saga id.
type SagaOutcome struct {
	SagaID         string        `json:"saga_id"`
	State          string        `json:"state" enum:"running,completed,compensated" doc:"running with a failed step: it is being taken back"`
	Step           string        `json:"step" doc:"the last one that was begun"`
	LearnSessionID string        `json:"learn_session_id,omitempty"`
	ProposalID     string        `json:"proposal_id,omitempty"`
	FailedStep     string        `json:"failed_step,omitempty"`
	FailedCode     string        `json:"failed_code,omitempty"` // fault.Code
	FailedMessage  string        `json:"failed_message,omitempty" doc:"what went wrong, for people"`
	FailedHint     string        `json:"failed_hint,omitempty" doc:"what to do"`
	Result         InstallResult `json:"result"`
}

// AbilityScanVerdict summarises what the scanner says of a skill.
type AbilityScanVerdict struct {
	Verdict  string `json:"verdict" enum:"pending,clean,review,blocked,unreadable"`
	Findings int    `json:"findings" doc:"all, as a scan counts them"`
	Worst    string `json:"worst,omitempty" maxLength:"160" doc:"the gravest one's title"`
}

// Normalized sorts each list and removes duplicates; no list is null.
func (p AbilityPermissions) Normalized() AbilityPermissions {
	tidy := func(s []string) []string {
		s = append([]string{}, s...)
		slices.Sort(s)
		return slices.Compact(s)
	}
	out := AbilityPermissions{Tools: tidy(p.Tools), Domains: tidy(p.Domains), Credentials: tidy(p.Credentials)}
	if len(p.Agents) > 0 {
		out.Agents = tidy(p.Agents)
	}
	return out
}

// Names of agents on other computers begin with Elsewhere; EverybodyElsewhere in a list of agents is all of them.
const (
	Elsewhere          = "remote/"
	EverybodyElsewhere = Elsewhere + "*"
)

// FromElsewhere reports whether these are the names of an agent on another computer.
func FromElsewhere(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, Elsewhere) })
}

// AgentsHere and AgentsElsewhere are the two parts of the list of agents. Where the first is empty, every agent of this
// computer is meant; where the second is empty, nobody elsewhere is.
func (p AbilityPermissions) AgentsHere() []string {
	return slices.DeleteFunc(slices.Clone(p.Agents), func(n string) bool { return strings.HasPrefix(n, Elsewhere) })
}

func (p AbilityPermissions) AgentsElsewhere() []string {
	return slices.DeleteFunc(slices.Clone(p.Agents), func(n string) bool { return !strings.HasPrefix(n, Elsewhere) })
}

// Admits reports whether an agent of one of these names may use the ability.
func (p AbilityPermissions) Admits(names ...string) bool {
	if FromElsewhere(names) {
		return slices.ContainsFunc(p.AgentsElsewhere(), func(n string) bool { return n == EverybodyElsewhere || slices.Contains(names, n) })
	}
	here := p.AgentsHere()
	return len(here) == 0 || slices.ContainsFunc(names, func(n string) bool {
		return slices.Contains(here, n) || n == "claude-code" && slices.Contains(here, "claude") // the folder is named like the program
	})
}

// Why an agent that the approval does not name may not use the ability, in words and as reason_code.
const (
	ForOtherAgents     = "it is approved for other agents"
	ForOtherAgentsCode = "other_agents"
)

// For is the ability as an agent with these names sees it: one that is approved only for other agents is not usable, and
// what the person configured, where packs are, how a run is checked and the phrases by which it is found stay hidden. Each
// agent needs a person's approval of its own. An agent on another computer does not learn that there is an ability that it
// may not use: there is false. What the person configured and where packs are it never has.
func (e AbilityAvailabilityEntry) For(names []string) (seen AbilityAvailabilityEntry, there bool) {
	admitted, elsewhere := e.Permissions.Admits(names...), FromElsewhere(names)
	switch {
	case elsewhere && !admitted:
		return AbilityAvailabilityEntry{}, false
	case elsewhere:
		e.Configured, e.SupportPacks = nil, nil
	case !admitted:
		if e.UsableNow {
			e.UsableNow, e.ReasonUnusable, e.ReasonCode = false, ForOtherAgents, ForOtherAgentsCode
		}
		e.Configured, e.SupportPacks, e.Checkpoints = nil, nil, []string{}
		e.TriggerPhrases, e.NegativeTriggers, e.Aliases = []string{}, []string{}, []string{}
	}
	return e, true
}

// DefaultGrant is what an approval that names no permissions grants: all requested tools, which go with the content, and
// those hosts and credentials that a person granted before, for the agents that they chose before. What a scanner
// found or a run did grants nothing (decisions D5).
func (p AbilityPermissions) DefaultGrant(granted *AbilityPermissions) AbilityPermissions {
	var had AbilityPermissions
	if granted != nil {
		had = *granted
	}
	both := func(x, y []string) []string {
		return slices.DeleteFunc(slices.Clone(x), func(s string) bool { return !slices.Contains(y, s) })
	}
	return AbilityPermissions{Tools: p.Tools, Domains: both(p.Domains, had.Domains),
		Credentials: both(p.Credentials, had.Credentials), Agents: had.Agents}.Normalized()
}

// ProgressRequest asks how far the caller's own run of an ability is.
type ProgressRequest struct {
	DispatchID string `json:"dispatch_id,omitempty" maxLength:"160"`
	AbilityID  string `json:"ability_id,omitempty" maxLength:"160" doc:"ability id or slug; without dispatch_id: the caller's current run of it"`
}

// DispatchProgress is how far a run is, by its reporter's own reports.
type DispatchProgress struct {
	DispatchID    string               `json:"dispatch_id" maxLength:"160"`
	AbilityID     string               `json:"ability_id" maxLength:"160"`
	SkillSlug     string               `json:"skill_slug" maxLength:"120"`
	Checkpoints   []CheckpointProgress `json:"checkpoints"`
	Open          int                  `json:"open" minimum:"0" doc:"checkpoints that were not reported yet"`
	SchemaVersion int                  `json:"schema_version" enum:"1"`
}

// CheckpointProgress is a checkpoint of a run.
type CheckpointProgress struct {
	CheckpointID string      `json:"checkpoint_id" maxLength:"160"`
	Status       string      `json:"status" enum:"open,reached,skipped,failed"`
	At           *clock.Time `json:"at,omitempty" format:"date-time"`
}
