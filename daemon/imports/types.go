package imports

import (
	"showhow/daemon/ability"
	"showhow/daemon/skill/archive"
	"showhow/daemon/skill/scan"
	"showhow/internal/fault"
)

// Sources of an import (DOC3 0C.20).
const (
	ManualUpload    = "manual_upload"
	AnthropicBundle = "anthropic_bundle"
	OpenClawBundle  = "openclaw_bundle"
	OwnGenerated    = "elnor_generated"
)

// Kinds of an import's source_ref.
const (
	RefTemp         = "temp_artifact"
	RefMaterialized = "materialized_bundle"
	RefGenerated    = "generated_bundle"
	RefLegacy       = "legacy_path"
)

// Item is an import as stored.
type Item struct {
	Record
	Report   *CompatibilityReport `json:"report,omitempty"`
	Scan     *scan.Report         `json:"scan,omitempty"`
	Upload   string               `json:"upload,omitempty"` // the temporary artefact's ref
	Within   string               `json:"within,omitempty"`
	Slug     string               `json:"slug,omitempty"` // under which it is installed
	Lane     string               `json:"lane,omitempty"` // wanted by the installation under way
	Accepted bool                 `json:"accepted,omitempty"`
	Allowed  *ability.Permissions `json:"allowed,omitempty"` // by the person who decided
	Retries  map[string]int       `json:"retries,omitempty"` // failed ones, by kind
	Failure  *Failure             `json:"failure,omitempty"` // that last_error_code names
	Reason   string               `json:"reason,omitempty"`  // of a rejection or discard, in the person's words
	Notes    string               `json:"notes,omitempty"`
	By       string               `json:"by,omitempty"` // whose request brought it in

	Capability string `json:"capability,omitempty"` // of the ability that it replaces

	ProposalID string `json:"proposal_id,omitempty"` // that represents it in the learn session

	Files   []FileInfo `json:"files,omitempty"`
	LeftOut int        `json:"left_out,omitempty"`
	Phrases Phrases    `json:"phrases"`
	Legacy  string     `json:"input_path,omitempty"` // of older versions; never shown
}

// failed records why the last attempt failed.
func (i *Item) failed(err error) {
	f := fault.From(err)
	i.LastErrorCode = reasonOf(err)
	i.Failure = &Failure{Code: i.LastErrorCode, Message: f.Message, Hint: f.Hint}
	if i.Failure.Hint == "" && archive.ReasonOf(err) != "" {
		i.Failure.Hint = "pack the skill's folder anew, without that, and bring it in again"
	}
}

// failure is the last failure, if it still applies.
func (i *Item) failure() *Failure {
	if i.Failure == nil || i.Failure.Code != i.LastErrorCode {
		return nil
	}
	return i.Failure
}

// Phrases are a skill's texts for lookup.
type Phrases struct {
	Title            string   `json:"title"`
	Triggers         []string `json:"triggers"`
	NegativeTriggers []string `json:"negative_triggers"`
	Coverage         Coverage `json:"coverage"`
}

// Stored is an upload as stored.
type Stored struct {
	Artifact
	Source     string     `json:"source"`
	Pack       string     `json:"pack,omitempty"`
	Notes      string     `json:"notes,omitempty"`
	Within     string     `json:"within,omitempty"`
	Request    string     `json:"request,omitempty"` // client_request_id, with whose it is
	Digest     string     `json:"digest,omitempty"`  // of the request, to tell a repeat from another
	Provenance Provenance `json:"provenance"`
	ImportID   string     `json:"import_id,omitempty"`
	SessionID  string     `json:"learn_session_id,omitempty"` // the learn session that shows it
	Gone       bool       `json:"gone,omitempty"`             // the file is deleted; the row answers repeats until it expires
}

// CompatibilityReport is SkillCompatibilityReport.
type CompatibilityReport = scan.Compatibility

// atLimit reports whether three retries of one kind failed.
func (i Item) atLimit() bool {
	for _, n := range i.Retries {
		if n >= retryWarning {
			return true
		}
	}
	return false
}
