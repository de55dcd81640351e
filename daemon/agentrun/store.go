package agentrun

import (
	"context"

	"showhow/daemon/credential"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
)

// Store stores runs.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer

	PutAgentRun(Run) error
	AgentRun(id string) (Run, bool, error)
	AgentRuns(page, pageSize int) ([]Run, int, error) // newest first
	OpenAgentRuns() ([]Run, error)
	PutRunEvidence(Evidence) error
	RunEvidence(id string) (Evidence, bool, error)
}

// Skill is an installed skill as a run gets it.
type Skill struct {
	AbilityID   string
	Slug        string
	Title       string
	Trust       string // ability.TrustApproved and so on
	Usable      bool
	Reason      string // why it is not
	Code        string // the same, stable
	Domains     []string
	Credentials []string
	Agents      []string // that it is approved for; none: every agent
	Bundle      skill.Bundle
}

// Extraction is a run's result on a skill, to be installed for review.
type Extraction struct {
	RunID    string
	Replaces string // an ability's id; "": a new skill
	Bundle   skill.Bundle
	Evidence Evidence
}

// Skills is the collection of installed skills.
type Skills interface {
	Skill(ctx context.Context, name string) (Skill, error)
	// Extract installs a bundle whole or not at all, pending a person's review, with its previous permissions.
	Extract(ctx context.Context, x Extraction) (abilityID, trust string, err error)
}

// Secrets are a person's credentials by name.
type Secrets interface {
	Get(ctx context.Context, name string) (string, error)
	Set(ctx context.Context, name, value string, rev *int) (credential.Credential, error)
	// Pend keeps a value until a person approves the skill with this credential.
	Pend(ctx context.Context, abilityID, name, value string) error
}
