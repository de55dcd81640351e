package wire

import (
	"cmp"
	"strings"
	"time"

	"showhow/internal/clock"
)

// ImportState is where an import stands (DOC3 0C.20). It is serialised, so it is a string.
type ImportState string

// The states of an import.
const (
	ImportUploadPending    ImportState = "upload_pending"
	ImportUploaded         ImportState = "uploaded"
	ImportScanning         ImportState = "scanning"
	ImportScanFailed       ImportState = "scan_failed"
	ImportScanComplete     ImportState = "scan_complete"
	ImportStaging          ImportState = "staging"
	ImportStageFailed      ImportState = "stage_failed"
	ImportReadyForReview   ImportState = "ready_for_review"
	ImportInstallQueued    ImportState = "install_queued"
	ImportInstallFailed    ImportState = "install_failed"
	ImportInstalledPrivate ImportState = "installed_private"
	ImportApproved         ImportState = "approved"
	ImportRejected         ImportState = "rejected"
	ImportDiscarded        ImportState = "discarded"
	ImportExpired          ImportState = "expired"
)

// ImportAction is an action that the caller may take next on an import; the UI shows these and computes none itself.
type ImportAction string

// ImportedSkillRecord is ImportedSkillRecord (DOC3 0C.20) with what decisions add: revision, hash, provenance, allowed
// actions.
type ImportedSkillRecord struct {
	ImportID               string      `json:"import_id" format:"uuid"`
	Source                 string      `json:"source" enum:"manual_upload,anthropic_bundle,openclaw_bundle,elnor_generated"`
	SkillName              string      `json:"skill_name" maxLength:"80"`
	SourceRefKind          string      `json:"source_ref_kind" enum:"temp_artifact,materialized_bundle,generated_bundle,legacy_path"`
	SourceRef              string      `json:"source_ref" maxLength:"240"`
	OriginalFilename       string      `json:"original_filename,omitempty" maxLength:"240"`
	CompatibilityReportRef string      `json:"compatibility_report_ref,omitempty" maxLength:"240"`
	StageState             ImportState `json:"stage_state" enum:"upload_pending,uploaded,scanning,scan_failed,scan_complete,staging,stage_failed,ready_for_review,install_queued,install_failed,installed_private,approved,rejected,discarded,expired"`
	RetryCount             int         `json:"retry_count" minimum:"0"`
	LastErrorCode          string      `json:"last_error_code,omitempty" maxLength:"120"`
	LastError              string      `json:"last_error,omitempty" maxLength:"400" doc:"last_error_code in words: what failed, and what to do"`
	SkillPack              string      `json:"skill_pack,omitempty" maxLength:"64"`
	RequiresAdapter        bool        `json:"requires_adapter"`
	CreatedAt              clock.Time  `json:"created_at" format:"date-time"`
	UpdatedAt              clock.Time  `json:"updated_at" format:"date-time"`
	SchemaVersion          int         `json:"schema_version" enum:"1"`

	Revision          int              `json:"revision"`
	ContentHash       string           `json:"content_hash,omitempty" maxLength:"64" doc:"of the skill's files; what a decision is bound to"`
	AssignedNamespace string           `json:"assigned_namespace,omitempty" maxLength:"80" doc:"the name it is installed under, because its own is taken"`
	Verdict           string           `json:"verdict,omitempty" enum:"clean,review,blocked"`
	Dialect           string           `json:"dialect,omitempty" enum:"agentskills,openclaw,claude,baseline"`
	Provenance        ImportProvenance `json:"provenance"`
	AbilityID         string           `json:"ability_id,omitempty" maxLength:"160"`
	Replaces          string           `json:"replaces,omitempty" maxLength:"160" doc:"the ability that it is a new version of"`
	LearnSessionID    string           `json:"learn_session_id,omitempty" format:"uuid" doc:"the learn session that shows it; what is decided is decided here"`
	SagaID            string           `json:"saga_id,omitempty" format:"uuid"`
	ExpiresAt         *clock.Time      `json:"expires_at,omitempty" format:"date-time" doc:"when the upload goes, unless it is staged before"`
	AllowedActions    []ImportAction   `json:"allowed_actions"`
}

// ImportProvenance is where a skill came from.
type ImportProvenance struct {
	Kind      string      `json:"kind" enum:"upload,archive,folder,git,text,registry,connector"`
	URL       string      `json:"url,omitempty" maxLength:"2000" doc:"of the repository, without credentials"`
	Commit    string      `json:"commit,omitempty" maxLength:"64"`
	Within    string      `json:"within,omitempty" maxLength:"240" doc:"the skill's folder in it"`
	FetchedAt *clock.Time `json:"fetched_at,omitempty" format:"date-time"`

	Reference     string `json:"reference,omitempty" maxLength:"400" doc:"in a registry: HOST/PATH:TAG or HOST/PATH@DIGEST; of a connector: the skill's URI"`
	ConnectorID   string `json:"connector_id,omitempty" maxLength:"120" doc:"the connector that offered it"`
	Digest        string `json:"digest,omitempty" maxLength:"80" doc:"of the artifact that the reference named when it was pulled"`
	Version       string `json:"version,omitempty" maxLength:"80" doc:"as whoever pushed it says"`
	TrustHash     string `json:"trust_hash,omitempty" maxLength:"64" doc:"of the files as they were pushed"`
	Origin        string `json:"origin,omitempty" enum:"learned,imported,native,promoted" doc:"what it was on the computer that pushed it"`
	Merged        bool   `json:"merged,omitempty" doc:"changes that were made here are in it"`
	ApprovedThere bool   `json:"approved_there,omitempty" doc:"it was approved on the computer that pushed it, which counts for nothing here"`

	PushedAt *clock.Time `json:"pushed_at,omitempty" format:"date-time" doc:"as whoever pushed it says"`

	Signer string `json:"signer,omitempty" maxLength:"64" doc:"the fingerprint of the key that signed it; absent: nobody did"`

	Pinned   string `json:"pinned,omitempty" maxLength:"64" doc:"of an unsigned one: the accepted key, which must have signed what comes from there later all the same"`
	SetAside string `json:"set_aside,omitempty" maxLength:"64" doc:"the accepted key that did not sign it: the person who brought it in said to take it all the same"`

	HereHash string `json:"here_hash,omitempty" maxLength:"64" doc:"of what was pushed from here: of the files as they were here, with those that were kept back"`

	Updates string `json:"updates,omitempty" maxLength:"64" doc:"of an update: the approved hash that was installed when it was made"`
}

// Pin is the key that must have signed what comes from the same place later: whoever signed it, or the key that was
// accepted before it was taken unsigned; "" for no key. A push from here accepts no key in the place of another one.
func (p ImportProvenance) Pin() string {
	if p.Signer != "" && (p.HereHash == "" || p.Pinned == "") {
		return p.Signer
	}
	return p.Pinned
}

// Here is the hash of the files as they were here when they were pulled, or pushed; "" for another source.
func (p ImportProvenance) Here() string { return cmp.Or(p.HereHash, p.TrustHash) }

// SamePlace reports whether both came from one repository, or are the same skill of one connector.
func (p ImportProvenance) SamePlace(q ImportProvenance) bool {
	return p.Reference != "" && p.ConnectorID == q.ConnectorID && p.Repository() == q.Repository()
}

// Earlier reports whether an artifact with another digest was pushed before this one. One that does not say when counts as
// earlier than one that does: leaving the time out would be the way to bring an old one back.
func (p ImportProvenance) Earlier(digest string, pushed time.Time) bool {
	return digest != p.Digest && p.PushedAt != nil && (pushed.IsZero() || pushed.Before(p.PushedAt.Time.Truncate(time.Second)))
}

// Repository is the name in the registry that it was pulled from, without tag and digest; "" for another source.
func (p ImportProvenance) Repository() string {
	name, _, _ := strings.Cut(p.Reference, "@")
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name = name[:i]
	}
	return name
}

// ImportFailure is the last failure, in words, with what to do about it.
type ImportFailure struct {
	Code    string `json:"code" maxLength:"120"`
	Message string `json:"message" maxLength:"1000"`
	Hint    string `json:"hint,omitempty" maxLength:"1000"`
}

// ImportFileInfo is one file of the skill.
type ImportFileInfo struct {
	Path       string `json:"path" maxLength:"240"`
	Bytes      int    `json:"bytes"`
	SHA256     string `json:"sha256" maxLength:"64"`
	Executable bool   `json:"executable"`
}

// TempArtifactRef is TempArtifactRef.
type TempArtifactRef struct {
	TempArtifactRef  string     `json:"temp_artifact_ref" maxLength:"240"`
	ArtifactKind     string     `json:"artifact_kind" enum:"skill_bundle_zip,skill_bundle_dir,generated_bundle"`
	OriginalFilename string     `json:"original_filename,omitempty" maxLength:"240"`
	ContentHash      string     `json:"content_hash_sha256" pattern:"^[a-f0-9]{64}$"`
	ByteSize         int64      `json:"byte_size" minimum:"1"`
	CreatedAt        clock.Time `json:"created_at" format:"date-time"`
	ExpiresAt        clock.Time `json:"expires_at" format:"date-time"`
	SchemaVersion    int        `json:"schema_version" enum:"1"`
	Warnings         []string   `json:"warnings" maxLength:"240" doc:"upload_expiring_soon in the last two hours"`
}

// SkillImportUploadMetadata is SkillImportUploadMetadata; within is an extension.
type SkillImportUploadMetadata struct {
	Source          string `json:"source,omitempty" enum:"manual_upload,anthropic_bundle,openclaw_bundle,elnor_generated" default:"manual_upload"`
	RequestedPackID string `json:"requested_pack_id,omitempty" maxLength:"64"`
	Notes           string `json:"notes,omitempty" maxLength:"1000"`
	Within          string `json:"within,omitempty" maxLength:"240" doc:"the skill's folder, when the archive holds several"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// SkillImportUploadResponse is SkillImportUploadResponse.
type SkillImportUploadResponse struct {
	TempArtifact  TempArtifactRef `json:"temp_artifact"`
	Accepted      bool            `json:"accepted"`
	SchemaVersion int             `json:"schema_version" enum:"1"`
}

// SkillImportUploadsListResponse lists uploads that are not staged yet.
type SkillImportUploadsListResponse struct {
	Uploads       []TempArtifactRef `json:"uploads"`
	SchemaVersion int               `json:"schema_version" enum:"1"`
}

// SkillImportSourceRequest imports a skill from a source other than a browser upload.
type SkillImportSourceRequest struct {
	Kind            string `json:"kind" enum:"folder,archive,git,text,registry,connector"`
	Path            string `json:"path,omitempty" maxLength:"4096" doc:"of a folder or an archive (.zip, .tar, .tar.gz) on this computer"`
	URL             string `json:"url,omitempty" maxLength:"2000" doc:"of a git repository: https, http on this computer, or file"`
	Ref             string `json:"ref,omitempty" maxLength:"200" doc:"branch, tag or commit; the default branch otherwise"`
	Text            string `json:"text,omitempty" maxLength:"1000000" doc:"the SKILL.md itself"`
	Reference       string `json:"reference,omitempty" maxLength:"400" doc:"of a skill in a registry: HOST/PATH:TAG or HOST/PATH@DIGEST; of one that a connector offers: its URI"`
	ConnectorID     string `json:"connector_id,omitempty" maxLength:"120" doc:"of kind connector: whose skill it is"`
	Digest          string `json:"digest,omitempty" maxLength:"80" doc:"exactly this content, whatever the reference's tag leads to"`
	Updates         string `json:"updates,omitempty" maxLength:"160" doc:"the installed skill that it is a new version of, by id or name; the reference may be left out"`
	Theirs          bool   `json:"theirs,omitempty" doc:"of an update: give up what was changed here"`
	Older           bool   `json:"older,omitempty" doc:"from a registry: also an earlier push than the installed one"`
	Signer          string `json:"signer,omitempty" maxLength:"64" doc:"from a registry: the fingerprint of the key that must have signed it"`
	Unsigned        bool   `json:"unsigned,omitempty" doc:"from a registry: also without a signature, this once; the accepted key stays"`
	Pin             string `json:"pin,omitempty" enum:"keep,forget" doc:"from a registry: keep: signer sets no accepted key aside; forget: no key was accepted, and none will be that did not sign this. Otherwise signer takes the place of the accepted key"`
	Within          string `json:"within,omitempty" maxLength:"240" doc:"the skill's folder in it, when there are several"`
	Source          string `json:"source,omitempty" enum:"manual_upload,anthropic_bundle,openclaw_bundle,elnor_generated" default:"manual_upload"`
	RequestedPackID string `json:"requested_pack_id,omitempty" maxLength:"64"`
	Notes           string `json:"notes,omitempty" maxLength:"1000"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// SkillImportScanResponse is SkillImportScanResponse with the whole report.
type SkillImportScanResponse struct {
	ImportRecord        ImportedSkillRecord      `json:"import_record"`
	CompatibilityReport SkillCompatibilityReport `json:"compatibility_report"`
	ScanReport          *ScanReport              `json:"scan_report,omitempty"`
	ReceiptID           string                   `json:"receipt_id,omitempty" format:"uuid"`
	SchemaVersion       int                      `json:"schema_version" enum:"1"`
}

// SkillImportStageResponse is SkillImportStageResponse.
type SkillImportStageResponse struct {
	ImportRecord          ImportedSkillRecord `json:"import_record"`
	MaterializedBundleRef string              `json:"materialized_bundle_ref,omitempty" maxLength:"240"`
	ReceiptID             string              `json:"receipt_id,omitempty" format:"uuid"`
	SchemaVersion         int                 `json:"schema_version" enum:"1"`
}

// SkillImportTerminalActionResponse is SkillImportTerminalActionResponse.
type SkillImportTerminalActionResponse struct {
	ImportRecord  ImportedSkillRecord `json:"import_record"`
	ReceiptID     string              `json:"receipt_id,omitempty" format:"uuid"`
	SagaID        string              `json:"saga_id,omitempty" format:"uuid"`
	SetAside      string              `json:"set_aside,omitempty" maxLength:"4096" doc:"the folder that keeps the replaced version, because it had changes that are not in this one"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// LearnPartialDeploymentState is LearnPartialDeploymentState (DOC3 0C.28).
type LearnPartialDeploymentState struct {
	State         string     `json:"state" enum:"none,availability_pending,catalog_pending,bridge_pending,receipt_pending,degraded"`
	Blocking      bool       `json:"blocking"`
	ReasonCode    string     `json:"reason_code,omitempty" maxLength:"120"`
	UpdatedAt     clock.Time `json:"updated_at" format:"date-time"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// SkillImportDetailResponse is SkillImportDetailResponse with the whole report and the files.
type SkillImportDetailResponse struct {
	ImportRecord        ImportedSkillRecord          `json:"import_record"`
	CompatibilityReport *SkillCompatibilityReport    `json:"compatibility_report,omitempty"`
	ScanReport          *ScanReport                  `json:"scan_report,omitempty"`
	Files               []ImportFileInfo             `json:"files"`
	FilesLeftOut        int                          `json:"files_left_out"`
	PartialDeployment   *LearnPartialDeploymentState `json:"partial_deployment,omitempty"`
	ProposalID          string                       `json:"proposal_id,omitempty" format:"uuid"`
	Reason              string                       `json:"reason,omitempty" maxLength:"1000"`
	Failure             *ImportFailure               `json:"failure,omitempty" doc:"what last_error_code means, where it is known"`
	FindingsToRead      []string                     `json:"findings_to_read,omitempty" doc:"RULE FILE:LINE of each finding that quotes what the agent is told and is for a person to judge: a tick each before the decision"`
	TriggerCoverage     *TriggerCoverage             `json:"trigger_coverage,omitempty" doc:"once it is scanned"`
	Refused             *ImportFailure               `json:"refused,omitempty" doc:"of one that waits for a decision: why an approval would be refused now"`
	Comparison          *ImportComparison            `json:"comparison,omitempty" doc:"with the installed skill that it is a new version of, or that has its name"`
	Warnings            []string                     `json:"warnings" maxLength:"240"`
	SchemaVersion       int                          `json:"schema_version" enum:"1"`
}

// ImportComparison is how an import differs from what is installed.
type ImportComparison struct {
	AbilityID string `json:"ability_id" maxLength:"160"`
	SkillSlug string `json:"skill_slug" maxLength:"120"`

	ApprovedHash string `json:"approved_hash" maxLength:"64" doc:"of the installed content that a person approved last; part of what a decision is confirmed for when it replaces it"`

	Replaces bool   `json:"replaces" doc:"an approval replaces it: the skill was pulled from the same place; otherwise it only has the same name"`
	Older    bool   `json:"older,omitempty" doc:"it was pushed before the one that it replaces"`
	Signer   string `json:"signer,omitempty" enum:"other,gone,new" doc:"against the key that was accepted: another key signed it, nobody did, or somebody did and no key was accepted yet"`
	Forgets  bool   `json:"forgets_signer,omitempty" doc:"after an approval no key has to have signed what comes from there"`
	Same     bool   `json:"same" doc:"the content is the approved one"`

	ChangedHere bool `json:"changed_here,omitempty" doc:"it replaces what a person changed here and approved, and does not hold it; an approval sets the replaced version aside"`
	Mergeable   bool `json:"mergeable,omitempty" doc:"with changed_here: an update would try to keep what was changed here"`

	From    ImportProvenance    `json:"from" doc:"where the installed one came from"`
	Files   []AbilityFileChange `json:"files"`
	Wider   AbilityPermissions  `json:"wider" doc:"what it asks for and the installed one may not"`
	Granted *AbilityPermissions `json:"granted,omitempty" doc:"what the one that it replaces may use: hosts and credentials of it stay granted if the new one asks for them too"`
}

// TriggerCoverage counts a skill's example sentences: three of each are required (baseline 1.1P).
type TriggerCoverage struct {
	Positives   int `json:"positives" doc:"that should find it"`
	Paraphrases int `json:"paraphrases" doc:"that say the same in other words"`
	Negatives   int `json:"negatives" doc:"that should not find it"`
}

// ImportFilter selects imports in a list.
type ImportFilter struct {
	State    string `query:"state" enum:"upload_pending,uploaded,scanning,scan_failed,scan_complete,staging,stage_failed,ready_for_review,install_queued,install_failed,installed_private,approved,rejected,discarded,expired"`
	Pending  bool   `query:"pending" doc:"only those that nothing has come of yet"`
	Page     int    `query:"page" minimum:"1" default:"1"`
	PageSize int    `query:"page_size" minimum:"1" maximum:"100" default:"50"`
}

// SkillImportListResponse is SkillImportListResponse.
type SkillImportListResponse struct {
	Items         []ImportedSkillRecord `json:"items"`
	Total         int                   `json:"total"`
	Page          int                   `json:"page"`
	PageSize      int                   `json:"page_size"`
	SchemaVersion int                   `json:"schema_version" enum:"1"`
}

// SkillTriggerTestRequest is SkillTriggerTestRequest. Either import_id or ability_id.
type SkillTriggerTestRequest struct {
	ImportID       string `json:"import_id,omitempty" format:"uuid" doc:"import_id or ability_id"`
	AbilityID      string `json:"ability_id,omitempty" maxLength:"160"`
	TriggerText    string `json:"trigger_text" minLength:"1" maxLength:"2000"`
	ProjectID      string `json:"project_id,omitempty" maxLength:"160"`
	ContextExcerpt string `json:"context_excerpt,omitempty" maxLength:"4000" doc:"accepted and not scored: lookup sees the sentence alone"`
	SchemaVersion  int    `json:"schema_version" enum:"1"`
}

// SkillTriggerTestResponse is SkillTriggerTestResponse.
type SkillTriggerTestResponse struct {
	Matched            bool     `json:"matched"`
	CandidateAbilityID string   `json:"candidate_ability_id,omitempty" maxLength:"160"`
	CandidateImportID  string   `json:"candidate_import_id,omitempty" format:"uuid"`
	Score              float64  `json:"score" minimum:"0" maximum:"1"`
	Reasons            []string `json:"reasons" maxLength:"240"`
	RejectionReasons   []string `json:"rejection_reasons" maxLength:"240"`

	Because []MatchBecause `json:"because,omitempty" doc:"the reasons for and against it, as fields"`

	ReceiptID     string `json:"receipt_id,omitempty" format:"uuid"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// SkillPackMetadata is SkillPackMetadata with what the pack's manifest holds (baseline 1.1P).
type SkillPackMetadata struct {
	PackID              string `json:"pack_id" maxLength:"64"`
	Title               string `json:"title" maxLength:"120"`
	Description         string `json:"description,omitempty" maxLength:"500"`
	CompatibilityTarget string `json:"compatibility_target,omitempty" maxLength:"120"`
	ActiveBuildSurface  bool   `json:"active_build_surface"`

	Skills                []string `json:"skills" maxLength:"80" doc:"those that the manifest names, and imported ones that are of the pack"`
	DefaultSupportPacks   []string `json:"default_support_packs" maxLength:"120"`
	RecommendedConnectors []string `json:"recommended_connectors" maxLength:"120"`

	SchemaVersion int `json:"schema_version" enum:"1"`
}

// SkillPacksListResponse is SkillPacksListResponse.
type SkillPacksListResponse struct {
	Packs         []SkillPackMetadata `json:"packs"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// SkillImportDeleteUploadResponse is SkillImportDeleteUploadResponse.
type SkillImportDeleteUploadResponse struct {
	Deleted         bool   `json:"deleted"`
	TempArtifactRef string `json:"temp_artifact_ref" maxLength:"240"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// SkillImportScanRequest is SkillImportScanRequest.
type SkillImportScanRequest struct {
	Source          string `json:"source,omitempty" enum:"manual_upload,anthropic_bundle,openclaw_bundle,elnor_generated" default:"manual_upload"`
	TempArtifactRef string `json:"temp_artifact_ref,omitempty" maxLength:"240"`
	StagedUploadRef string `json:"staged_upload_ref,omitempty" maxLength:"240" doc:"deprecated name of temp_artifact_ref"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// SkillImportStageRequest is SkillImportStageRequest.
type SkillImportStageRequest struct {
	ImportID        string `json:"import_id" format:"uuid"`
	RequestedPackID string `json:"requested_pack_id,omitempty" maxLength:"64"`
	StageNotes      string `json:"stage_notes,omitempty" maxLength:"1000"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// SkillImportApproveRequest is SkillImportApproveRequest; content_hash, permissions, accept_findings and findings_read
// are extensions.
type SkillImportApproveRequest struct {
	ImportID        string              `json:"import_id" format:"uuid"`
	ApprovalNote    string              `json:"approval_note,omitempty" maxLength:"1000"`
	ContentHash     string              `json:"content_hash,omitempty" maxLength:"64" doc:"what was seen; another content is refused"`
	Permissions     *AbilityPermissions `json:"permissions,omitempty" doc:"what it may use; absent: the tools that were found, and the hosts and credentials that were granted to the one that it replaces"`
	AcceptFindings  bool                `json:"accept_findings,omitempty" doc:"install although the scan says it must not be; kept in the receipt"`
	FindingsRead    []string            `json:"findings_read,omitempty" maxItems:"200" doc:"those of findings_to_read that the person ticked; when there are any, all must be"`
	ClientRequestID string              `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int                 `json:"schema_version" enum:"1"`
}

// SkillImportInstallPrivateRequest is SkillImportInstallPrivateRequest; content_hash, permissions, accept_findings and
// findings_read are extensions.
type SkillImportInstallPrivateRequest struct {
	ImportID        string              `json:"import_id" format:"uuid"`
	TargetScope     string              `json:"target_scope,omitempty" enum:"private,workspace" default:"private"`
	ContentHash     string              `json:"content_hash,omitempty" maxLength:"64" doc:"what was seen; another content is refused"`
	Permissions     *AbilityPermissions `json:"permissions,omitempty" doc:"what it may use; absent: the tools that were found, and the hosts and credentials that were granted to the one that it replaces"`
	AcceptFindings  bool                `json:"accept_findings,omitempty" doc:"install although the scan says it must not be; kept in the receipt"`
	FindingsRead    []string            `json:"findings_read,omitempty" maxItems:"200" doc:"those of findings_to_read that the person ticked; when there are any, all must be"`
	ClientRequestID string              `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int                 `json:"schema_version" enum:"1"`
}

// SkillImportRejectRequest is SkillImportRejectRequest.
type SkillImportRejectRequest struct {
	ImportID        string `json:"import_id" format:"uuid"`
	Reason          string `json:"reason" minLength:"1" maxLength:"1000"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// SkillImportDiscardRequest is SkillImportDiscardRequest.
type SkillImportDiscardRequest struct {
	ImportID        string `json:"import_id" format:"uuid"`
	Reason          string `json:"reason,omitempty" maxLength:"1000"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// SkillImportRetryRequest is SkillImportRetryRequest.
type SkillImportRetryRequest struct {
	ImportID        string `json:"import_id" format:"uuid"`
	RetryKind       string `json:"retry_kind" enum:"scan,stage,install"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}
