package wire

import "showhow/internal/clock"

// MiningMode is what happens when the same work was done repeatedly (baseline 0.4D).
type MiningMode string

// MiningSources are what may be searched: each is a consent of its own, off until a person gives it.
type MiningSources struct {
	Runs         bool `json:"runs" doc:"agents' runs that are kept by consent"`
	Receipts     bool `json:"receipts" doc:"receipts of agents' calls to connectors"`
	Sessions     bool `json:"sessions" doc:"the person's own demonstrations that have ended"`
	Fingerprints bool `json:"fingerprints" doc:"keep for 60 days which steps were done, never with which values: runs are gone after a day"`
}

// SkillMiningSettings configures the search for routines (baseline 0.2F, decisions I4).
type SkillMiningSettings struct {
	Mode                 MiningMode    `json:"mode" enum:"off,ask_before_build,build_then_review,auto_install_private" default:"build_then_review"`
	ObserveInsideAgent   bool          `json:"observe_inside_agent" doc:"agents' work may be looked at: sources.runs or sources.receipts"`
	ObserveOutsideAgent  bool          `json:"observe_outside_agent" doc:"the person's own work may be looked at: sources.sessions"`
	MinSuccessfulTraces  int           `json:"min_successful_traces" minimum:"1" maximum:"50" default:"3"`
	AskWhenAmbiguous     bool          `json:"require_user_feedback_before_build_when_ambiguous" default:"true"`
	RequireTests         bool          `json:"require_tests_before_proposal" default:"true"`
	MaxVariation         float64       `json:"max_variation" minimum:"0" maximum:"1" default:"0.4"`
	MinVerificationCover float64       `json:"min_verification_coverage" minimum:"0" maximum:"1" default:"0.5"`
	Sources              MiningSources `json:"sources"`
	SchemaVersion        int           `json:"schema_version" enum:"1"`
}

// SkillMiningSettingsChange changes the settings that it names; the rest stay.
type SkillMiningSettingsChange struct {
	Post
	Mode                 *MiningMode          `json:"mode,omitempty" enum:"off,ask_before_build,build_then_review,auto_install_private"`
	MinSuccessfulTraces  *int                 `json:"min_successful_traces,omitempty" minimum:"1" maximum:"50"`
	AskWhenAmbiguous     *bool                `json:"require_user_feedback_before_build_when_ambiguous,omitempty"`
	RequireTests         *bool                `json:"require_tests_before_proposal,omitempty"`
	MaxVariation         *float64             `json:"max_variation,omitempty" minimum:"0" maximum:"1"`
	MinVerificationCover *float64             `json:"min_verification_coverage,omitempty" minimum:"0" maximum:"1"`
	Sources              *MiningSourcesChange `json:"sources,omitempty"`
	SchemaVersion        int                  `json:"schema_version,omitempty" enum:"1"`
}

// MiningSourcesChange gives consents (true) or withdraws them (false); those it does not name stay.
type MiningSourcesChange struct {
	Runs         *bool `json:"runs,omitempty"`
	Receipts     *bool `json:"receipts,omitempty"`
	Sessions     *bool `json:"sessions,omitempty"`
	Fingerprints *bool `json:"fingerprints,omitempty"`
}

// WorkflowTraceCluster is work that was done repeatedly (baseline 0.2F).
type WorkflowTraceCluster struct {
	ClusterID                 string     `json:"cluster_id" format:"uuid"`
	NormalizedGoal            string     `json:"normalized_goal" maxLength:"240"`
	AppFamily                 string     `json:"app_family" maxLength:"80"`
	SourceMode                string     `json:"source_mode" enum:"agent_observed,user_guided" doc:"agent_observed: an agent did it at least once; user_guided: only the person did"`
	SuccessfulTraceIDs        []string   `json:"successful_trace_ids" format:"uuid" doc:"runs, sessions or receipts in which it worked"`
	FailedTraceIDs            []string   `json:"failed_trace_ids" format:"uuid"`
	DominantControlSurfaces   []string   `json:"dominant_control_surfaces"`
	VariationScore            float64    `json:"variation_score" minimum:"0" maximum:"1"`
	VerificationCoverageScore float64    `json:"verification_coverage_score" minimum:"0" maximum:"1"`
	ProjectSpecificity        string     `json:"project_specificity" enum:"global,project_scoped,unclear"`
	CreatedAt                 clock.Time `json:"created_at" format:"date-time"`
	UpdatedAt                 clock.Time `json:"updated_at" format:"date-time"`
	SchemaVersion             int        `json:"schema_version" enum:"1"`
}

// MiningGate is one condition for offering a routine (baseline 0.4F).
type MiningGate struct {
	Gate   string `json:"gate" enum:"successful_traces,variation,verification_coverage,no_critical_failure,no_friction_block,specific_enough"`
	Passed bool   `json:"passed"`
	Reason string `json:"reason" maxLength:"240" doc:"in words, with the figures"`
}

// MiningQuestion is asked before something is built (baseline 0.4G).
type MiningQuestion struct {
	Question  string `json:"question" enum:"name,when,when_not,scope,approval"`
	Text      string `json:"text" maxLength:"240"`
	Suggested string `json:"suggested,omitempty" maxLength:"240" doc:"what holds when it is left unanswered"`
	Required  bool   `json:"required"`
}

// MinedStep is one step of a routine in words, with how it varied.
type MinedStep struct {
	Text   string `json:"text" maxLength:"240"`
	App    string `json:"app" maxLength:"160"`
	Times  int    `json:"times" minimum:"1" doc:"in how many of the occurrences"`
	Varied string `json:"varied,omitempty" maxLength:"240" doc:"what was not the same each time, in words"`
}

// MinedRoutine is work done repeatedly, described for a person.
type MinedRoutine struct {
	Cluster        WorkflowTraceCluster `json:"cluster"`
	State          string               `json:"state" enum:"waiting,held_back,not_now,never,learned"`
	Summary        string               `json:"summary" maxLength:"400" doc:"You did this 3 times: ..."`
	Own            bool                 `json:"own" doc:"the person did it, no agent"`
	Times          int                  `json:"times" minimum:"1" doc:"how often, in all sources"`
	Agents         []string             `json:"agents,omitempty" maxLength:"60"`
	Steps          []MinedStep          `json:"steps"`
	Varied         []string             `json:"varied" maxLength:"240" doc:"what varied, in words; never a value"`
	Gates          []MiningGate         `json:"gates"`
	Indicators     []string             `json:"indicators" maxLength:"120" doc:"what speaks for it"`
	Concerns       []string             `json:"concerns" maxLength:"120" doc:"what speaks against it"`
	Ambiguous      bool                 `json:"ambiguous" doc:"its questions must be answered before it is built, if the settings say so"`
	Questions      []MiningQuestion     `json:"questions" maxItems:"5"`
	Learnable      bool                 `json:"learnable" doc:"at least one occurrence is still kept in full; else it has to be shown once"`
	Until          *clock.Time          `json:"until,omitempty" format:"date-time" doc:"not_now: when it is offered again"`
	LearnSessionID string               `json:"learn_session_id,omitempty" format:"uuid"`
	ProposalID     string               `json:"proposal_id,omitempty" format:"uuid"`
	AbilityID      string               `json:"ability_id,omitempty" maxLength:"160" doc:"what was installed from it; removing it takes that back"`
	LastAt         clock.Time           `json:"last_at" format:"date-time" doc:"when it was last done"`
	SchemaVersion  int                  `json:"schema_version" enum:"1"`
}

// MinedRoutines lists routines, those that wait first.
type MinedRoutines struct {
	Routines      []MinedRoutine `json:"routines"`
	SchemaVersion int            `json:"schema_version" enum:"1"`
}

// MiningScan is the result of searching the sources.
type MiningScan struct {
	Looked        []string       `json:"looked" doc:"the sources that were looked at, by consent"`
	Works         int            `json:"works" minimum:"0" doc:"runs, sessions and receipts"`
	Steps         int            `json:"steps" minimum:"0"`
	Routines      []MinedRoutine `json:"routines"`
	ScannedAt     clock.Time     `json:"scanned_at" format:"date-time"`
	SchemaVersion int            `json:"schema_version" enum:"1"`
}

// MiningAnswer answers one of the questions.
type MiningAnswer struct {
	Question string `json:"question" enum:"name,when,when_not,scope,approval"`
	Text     string `json:"text" maxLength:"400" doc:"scope: global or project_scoped; approval: yes or no"`
}

// LearnMinedRequest asks to learn a routine from what is still kept of it.
type LearnMinedRequest struct {
	Post
	Answers []MiningAnswer `json:"answers,omitempty" maxItems:"5"`
}

// LearnMinedResponse is the result of learning a routine.
type LearnMinedResponse struct {
	Routine        MinedRoutine `json:"routine"`
	LearnSessionID string       `json:"learn_session_id" format:"uuid"`
	ProposalID     string       `json:"proposal_id,omitempty" format:"uuid"`
	NextAction     string       `json:"next_action" enum:"review"`
	SchemaVersion  int          `json:"schema_version" enum:"1"`
}

// LaterMinedRequest postpones a routine.
type LaterMinedRequest struct {
	Post
	Days int `json:"days,omitempty" minimum:"1" maximum:"365" default:"14"`
}
