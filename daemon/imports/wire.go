package imports

import "showhow/daemon/wire"

// The API's records that this package uses.
type (
	Action                = wire.ImportAction
	ActionResponse        = wire.SkillImportTerminalActionResponse
	Artifact              = wire.TempArtifactRef
	Comparison            = wire.ImportComparison
	Detail                = wire.SkillImportDetailResponse
	Failure               = wire.ImportFailure
	FileInfo              = wire.ImportFileInfo
	Filter                = wire.ImportFilter
	List                  = wire.SkillImportListResponse
	Pack                  = wire.SkillPackMetadata
	PackList              = wire.SkillPacksListResponse
	PartialDeployment     = wire.LearnPartialDeploymentState
	Provenance            = wire.ImportProvenance
	Record                = wire.ImportedSkillRecord
	ScanResponse          = wire.SkillImportScanResponse
	SourceRequest         = wire.SkillImportSourceRequest
	StageResponse         = wire.SkillImportStageResponse
	State                 = wire.ImportState
	TriggerTestRequest    = wire.SkillTriggerTestRequest
	TriggerTestResponse   = wire.SkillTriggerTestResponse
	UploadList            = wire.SkillImportUploadsListResponse
	UploadMetadata        = wire.SkillImportUploadMetadata
	UploadResponse        = wire.SkillImportUploadResponse
	ApproveRequest        = wire.SkillImportApproveRequest
	Coverage              = wire.TriggerCoverage
	DeleteUploadResponse  = wire.SkillImportDeleteUploadResponse
	DiscardRequest        = wire.SkillImportDiscardRequest
	InstallPrivateRequest = wire.SkillImportInstallPrivateRequest
	RejectRequest         = wire.SkillImportRejectRequest
	RetryRequest          = wire.SkillImportRetryRequest
	ScanRequest           = wire.SkillImportScanRequest
	StageRequest          = wire.SkillImportStageRequest
)
