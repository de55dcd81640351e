package fault

import "net/http"

// Exit codes of the CLI (docs/cli.md): 0 done, 1 failed, 2 usage, 3 not running or not reachable, 4 refused by policy or state, 5 not
// found.
const (
	ExitFailed      = 1
	ExitUsage       = 2
	ExitUnreachable = 3
	ExitRefused     = 4
	ExitNotFound    = 5
)

// The codes. The first block is from DOC3 0C.16B and 0C.28; the rest are ours.
const (
	LearnSessionAlreadyActive   Code = "LEARN_SESSION_ALREADY_ACTIVE"
	InvalidLearnStateTransition Code = "INVALID_LEARN_STATE_TRANSITION"
	LearnSessionNotFound        Code = "LEARN_SESSION_NOT_FOUND"
	ProposalNotFound            Code = "PROPOSAL_NOT_FOUND"
	AbilityNotFound             Code = "ABILITY_NOT_FOUND"
	ValidationInProgress        Code = "VALIDATION_IN_PROGRESS"
	InsufficientTraces          Code = "INSUFFICIENT_TRACES"
	AdapterUnavailable          Code = "ADAPTER_UNAVAILABLE"
	InstallLaneDenied           Code = "INSTALL_LANE_DENIED"
	BridgeRebuildFailed         Code = "BRIDGE_REBUILD_FAILED"
	TestPolicyViolation         Code = "TEST_POLICY_VIOLATION"
	CheckpointLintFailed        Code = "CHECKPOINT_LINT_FAILED"
	SessionTimeout              Code = "SESSION_TIMEOUT"
	CaptureAlreadyStopped       Code = "CAPTURE_ALREADY_STOPPED"

	InvalidRequest      Code = "INVALID_REQUEST"       // a bound of a schema is violated; details.violations lists all
	MalformedJSON       Code = "MALFORMED_JSON"        // not JSON, duplicate keys, or the wrong media type
	Unauthorized        Code = "UNAUTHORIZED"          // no token, a wrong one, or an expired one
	Forbidden           Code = "FORBIDDEN"             // this principal may not do this
	OriginRefused       Code = "ORIGIN_REFUSED"        // Host, Origin or Sec-Fetch-Site is not ours
	PresenceRequired    Code = "PRESENCE_REQUIRED"     // a person must confirm; details say what
	PresenceRejected    Code = "PRESENCE_REJECTED"     // the confirmation is wrong, used, too old or for other content
	RouteNotFound       Code = "ROUTE_NOT_FOUND"       //
	MethodNotAllowed    Code = "METHOD_NOT_ALLOWED"    //
	NameTaken           Code = "NAME_TAKEN"            // something of this kind has the name already
	TooLarge            Code = "REQUEST_TOO_LARGE"     // the body is larger than the route takes
	RemoteOff           Code = "REMOTE_OFF"            // callers from elsewhere are not let in
	TooManyRequests     Code = "TOO_MANY_REQUESTS"     // slow down; for example too many confirmations are open
	RouteGone           Code = "ROUTE_GONE"            // a deprecated route with no session to redirect to
	NotFound            Code = "NOT_FOUND"             // any other resource
	RevisionConflict    Code = "REVISION_CONFLICT"     // If-Match names another revision; details.current_revision
	IdempotencyMismatch Code = "IDEMPOTENCY_MISMATCH"  // the same client_request_id with another body
	NotValidated        Code = "NOT_VALIDATED"         // no passed validation run on this revision
	QuestionsOpen       Code = "QUESTIONS_OPEN"        // required questions have no answer yet; details.open_questions
	ContentHashMismatch Code = "CONTENT_HASH_MISMATCH" // what was seen is not what would be installed
	SlugTaken           Code = "SLUG_TAKEN"            // the folder exists and is not ours; details.suggested_slug
	TrustRequired       Code = "TRUST_REQUIRED"        // the ability is not approved for this content
	NoScope             Code = "NO_SCOPE"              //
	StoreFull           Code = "STORE_FULL"            // the disk is full: nothing was written
	StoreReadOnly       Code = "STORE_READ_ONLY"       //
	StoreCorrupt        Code = "STORE_CORRUPT"         //
	StoreNewer          Code = "STORE_NEWER"           // written by a newer version: no downgrade
	DataDirLocked       Code = "DATA_DIR_LOCKED"       // another daemon owns the data directory
	DataDirForeign      Code = "DATA_DIR_FOREIGN"      // the data directory belongs to another user
	DaemonUnreachable   Code = "DAEMON_UNREACHABLE"    //
	VersionMismatch     Code = "VERSION_MISMATCH"      //
	UnsupportedInBuild  Code = "UNSUPPORTED_IN_BUILD"  //
	Usage               Code = "USAGE"                 // the CLI's flags or arguments
	OutputFailed        Code = "OUTPUT_FAILED"         // the CLI's output cannot be written, as on a full disk
	OutputExists        Code = "OUTPUT_EXISTS"         // the file that a command would write is there already
	Cancelled           Code = "CANCELLED"             // the caller went away
	// programs or packages that a skill declares are missing; the hint says how to install them
	DependenciesMissing Code = "DEPENDENCIES_MISSING"
	SandboxUnavailable  Code = "SANDBOX_UNAVAILABLE"    // commands cannot be sandboxed here; the hint says what is missing
	ModelNotConfigured  Code = "MODEL_NOT_CONFIGURED"   // config.toml names no model; nothing needs one
	ModelConsent        Code = "MODEL_CONSENT_REQUIRED" // the model is on another machine and the person has not agreed; details.endpoint
	ModelUnavailable    Code = "MODEL_UNAVAILABLE"      // it gave no answer; the draft is as it was
	ModelAnswerRefused  Code = "MODEL_ANSWER_REFUSED"   // its answer was thrown away; the message says why
	DemoFailed          Code = "DEMO_FAILED"            // a step of `showhow demo` failed; the message says which and why
	Internal            Code = "INTERNAL"               //

	SkillImportFileTooLarge         Code = "SKILL_IMPORT_FILE_TOO_LARGE"        // DOC3 0C.20; details.reason says what of it
	SkillImportUnsupportedMIME      Code = "SKILL_IMPORT_UNSUPPORTED_MIME"      // DOC3 0C.20
	SkillImportUnsupportedExtension Code = "SKILL_IMPORT_UNSUPPORTED_EXTENSION" // DOC3 0C.20
	SkillImportArchiveRequired      Code = "SKILL_IMPORT_ARCHIVE_REQUIRED"      // DOC3 0C.20
	SkillImportUploadExpired        Code = "SKILL_IMPORT_UPLOAD_EXPIRED"        // DOC3 0C.20
	// an upload is not safe to unpack; details.reason says why
	SkillArchiveRefused     Code = "SKILL_ARCHIVE_REFUSED"
	SkillImportNotFound     Code = "SKILL_IMPORT_NOT_FOUND"          //
	InvalidImportTransition Code = "INVALID_SKILL_IMPORT_TRANSITION" // the import's state does not allow this
	SkillImportBlocked      Code = "SKILL_IMPORT_BLOCKED"            // the scan found what must not be installed
	DecidedOnImport         Code = "DECIDED_ON_IMPORT"               // a session or draft shows an import, which is what can be acted on
	SkillImportUploadInUse  Code = "SKILL_IMPORT_UPLOAD_IN_USE"      // an import at work holds the upload
	SkillImportWaiting      Code = "SKILL_IMPORT_WAITING"            // the same pull waits for a decision; details.import_id
	SkillImportInstalled    Code = "SKILL_IMPORT_INSTALLED"          // exactly what would be pulled is installed; details.skill_slug
	SkillImportSourceFailed Code = "SKILL_IMPORT_SOURCE_FAILED"      // a folder or repository could not be read

	CategoryLimitReached Code = "CATEGORY_LIMIT_REACHED" // there are as many categories as there may be (DOC3 0C.28); details.limit
	SkillRefused         Code = "SKILL_REFUSED"          // a kind of agent does not take the skill that was judged (`showhow skill validate`)
	SkillScanBlocked     Code = "SKILL_SCAN_BLOCKED"     // the scanner found what blocks the skill, or what a person has to read first
	AgentRunActive       Code = "AGENT_RUN_ACTIVE"       // one run at a time; details.run_id
	AgentRunFailed       Code = "AGENT_RUN_FAILED"       // `showhow run` waited for a run that did not succeed; details.reason_code

	EventConflict Code = "EVENT_CONFLICT" // an event with this id and other content was kept before

	// Notes, tasks and captured items.
	NotesConflict   Code = "NOTES_CONFLICT"        // what a change was made for is another by now; details.files
	NotesInvalid    Code = "NOTES_INVALID"         // an action's payload breaks a rule; details.field
	NotesNoUndo     Code = "NOTES_NOTHING_TO_UNDO" // the last change is an undo, or there is none
	NotesFolder     Code = "NOTES_FOLDER_REFUSED"  // the folder or its repository cannot be used
	NotesBusy       Code = "NOTES_BUSY"            // git is at work there
	NotesTooMany    Code = "NOTES_TOO_MANY"        // an agent has as much waiting as it may
	NotesNotPending Code = "NOTES_NOT_PENDING"     // the change set was decided on already; details.status

	// Documents and PDF (DOC3 0.2F).
	DocumentsFull       Code = "DOCUMENTS_FULL"                           // as many documents are kept as may be
	AcrobatUnavailable  Code = "ACROBAT_UNAVAILABLE"                      // a program is not installed; details.programs, details.install
	AcrobatNotFound     Code = "ACROBAT_SOURCE_NOT_FOUND"                 // the reference leads to no document of the caller's
	AcrobatOCR          Code = "ACROBAT_OCR_UNSUPPORTED"                  // tesseract or a language is missing, or the pages are too large
	AcrobatIncomplete   Code = "ACROBAT_SEARCH_INCOMPLETE"                // more pages had to be recognised than are at once (CLI)
	AcrobatFailed       Code = "ACROBAT_EXTRACTION_FAILED"                // the document cannot be read; details.reason
	AcrobatNeedsConsent Code = "ACROBAT_REDACTION_PREP_REQUIRES_APPROVAL" // a person must allow exactly this; details.approval_id
	// Word documents.
	WordUnreadable Code = "WORD_UNREADABLE"     // no .docx, or a damaged or unusual one
	WordEncrypted  Code = "WORD_ENCRYPTED"      // it has a password, or the format before .docx
	WordTooLarge   Code = "WORD_TOO_LARGE"      // a bound of what is read of a document
	WordNoMatch    Code = "WORD_NO_MATCH"       // the text, paragraph, change or placeholder is not there
	WordRefused    Code = "WORD_EDIT_REFUSED"   // it cannot be changed there with a tracked change
	WordValues     Code = "WORD_VALUES_INVALID" // values of a template are missing or unknown; details

	// Connectors (DOC3 0.2D).
	MCPAuthChallengeRequired Code = "MCP_AUTH_CHALLENGE_REQUIRED"     // the service wants a person to sign in
	MCPAuthProfileInUse      Code = "MCP_AUTH_PROFILE_IN_USE"         // a connector uses it; details.blocked_by_server_ids
	MCPServerNotActive       Code = "MCP_SERVER_NOT_ACTIVE_IN_BUILD"  // it is recorded and not reached from here
	MCPServerDeleteBlocked   Code = "MCP_SERVER_DELETE_BLOCKED"       // a call of it is under way
	MCPOAuthStateInvalid     Code = "MCP_OAUTH_STATE_INVALID"         // the answer belongs to no sign-in that is open
	MCPOAuthCallbackExpired  Code = "MCP_OAUTH_CALLBACK_EXPIRED"      // the sign-in took too long
	MCPOAuthRefreshNotOK     Code = "MCP_OAUTH_REFRESH_NOT_ALLOWED"   // the auth profile's refresh_policy, or no refresh token
	MCPOAuthExchangeFailed   Code = "MCP_OAUTH_TOKEN_EXCHANGE_FAILED" // the authorization server gave no tokens; details.reason
	MCPAskFirstRequired      Code = "MCP_ASK_FIRST_REQUIRED"          // a person must allow exactly this call
	MCPAskFirstExpired       Code = "MCP_ASK_FIRST_EXPIRED"           // nobody answered in time
	MCPSmokeTestFailed       Code = "MCP_SMOKE_TEST_FAILED"           // the connector does not work; details.failure_reason_code
	ConnectorUnreachable     Code = "CONNECTOR_UNREACHABLE"           // the service is silent, fails or does not speak MCP; details.reason
	ConnectorThrottled       Code = "CONNECTOR_THROTTLED"             // the service asked to wait; details.retry_after_ms
	ConnectorOff             Code = "CONNECTOR_OFF"                   // it is turned off, by a policy or a switch
	ConnectorAddress         Code = "CONNECTOR_ADDRESS_REFUSED"       // an address that Showhow does not connect to; details.reason
	ConnectorToolChanged     Code = "CONNECTOR_TOOL_CHANGED"          // its definition is not the one that a person saw
	ConnectorNameReserved    Code = "CONNECTOR_NAME_RESERVED"         // the name is that of Showhow's own tools
	ConnectorAlwaysAsks      Code = "CONNECTOR_ALWAYS_ASKS"           // no policy allows a tool of Showhow's own that writes

	// Microsoft 365 (DOC3 0C.18A).
	M365ForbiddenAuthMode Code = "M365_FORBIDDEN_AUTH_MODE"               // the auth mode does not fit how the connector is used
	M365ScopeMissing      Code = "M365_SCOPE_MISSING"                     // an operation needs more than was granted; details.missing_scopes
	M365OBOUnverified     Code = "M365_OBO_CHAIN_UNVERIFIED"              // on-behalf-of without a verified chain
	M365RedirectRequired  Code = "M365_INTERACTIVE_REDIRECT_URI_REQUIRED" // a sign-in needs an address to come back to
	M365AuthExpired       Code = "M365_AUTH_EXPIRED"                      // the sign-in is over and could not be renewed
	M365DelegatedOnly     Code = "M365_DELEGATED_ONLY_OPERATION"          // only a signed-in person can do it
	M365BackgroundOnly    Code = "M365_BACKGROUND_ONLY_OPERATION"         // the connector runs in the background, and nobody is signed in

	// Outlook for macOS (R9 2); details.operation has the error in the form of R9 2.5.
	OutlookMissing      Code = "OUTLOOK_MISSING"              // no macOS, or Outlook is not installed
	OutlookNotRunning   Code = "OUTLOOK_NOT_RUNNING"          // a person has to open it
	OutlookNotAllowed   Code = "OUTLOOK_AUTOMATION_DENIED"    // macOS lets Showhow not automate Outlook (-1743)
	OutlookTimeout      Code = "OUTLOOK_TIMEOUT"              // Outlook did not answer; details.reason is outcome_unknown after a write
	OutlookFailed       Code = "OUTLOOK_FAILED"               // the script failed, or its answer is none; details.applescript_error
	OutlookNoAccount    Code = "OUTLOOK_ACCOUNT_NOT_FOUND"    //
	OutlookNoFolder     Code = "OUTLOOK_FOLDER_NOT_FOUND"     //
	OutlookNoMessage    Code = "OUTLOOK_MESSAGE_NOT_FOUND"    // it was moved or deleted
	OutlookNoCalendar   Code = "OUTLOOK_CALENDAR_NOT_FOUND"   //
	OutlookNoEvent      Code = "OUTLOOK_EVENT_NOT_FOUND"      //
	OutlookSwitchedOff  Code = "OUTLOOK_WRITE_SWITCHED_OFF"   // config.toml switches it off for the account; details.switch
	OutlookTooBroad     Code = "OUTLOOK_QUERY_TOO_BROAD"      // a search needs a sender, a subject or shorter time
	OutlookNotAsAllowed Code = "OUTLOOK_CHANGED_WHILE_ASKING" // what the write is about is not what a person saw

	// Registries that skills are pushed to and pulled from; details.registry.
	RegistryUnreachable Code = "REGISTRY_UNREACHABLE"         // it does not answer, or not as a registry does
	RegistrySignIn      Code = "REGISTRY_SIGN_IN_REQUIRED"    // the docker credential store has nothing that it accepts
	RegistryNotFound    Code = "REGISTRY_SKILL_NOT_FOUND"     // it has no such skill
	RegistryAddress     Code = "REGISTRY_ADDRESS_REFUSED"     // it leads to an address that Showhow does not connect to
	RegistryContent     Code = "REGISTRY_CONTENT_REFUSED"     // what it has there is no skill, or not what it is said to be; details.reason
	RegistryNoList      Code = "REGISTRY_CANNOT_LIST"         // it does not say what it has
	RegistryOlder       Code = "REGISTRY_OLDER_VERSION"       // it leads to an earlier push than the installed one; details.digest
	RegistryUnsigned    Code = "REGISTRY_SIGNATURE_MISSING"   // nobody signed it, and somebody must have
	RegistryOtherSigner Code = "REGISTRY_OTHER_SIGNER"        // it is signed by somebody else; details.expected, details.signers
	RegistrySignature   Code = "REGISTRY_SIGNATURE_REFUSED"   // its signature does not hold, or is for another tag; details.reason
	RegistryTooMany     Code = "REGISTRY_TOO_MANY_SIGNATURES" // more than are read, and none of these decided
	UpdateConflict      Code = "SKILL_UPDATE_CONFLICT"        // changed here and there in the same place; details.files
	SkillPushRefused    Code = "SKILL_PUSH_REFUSED"           // what would leave holds a secret
)

// Spec is what a code means for HTTP, for the CLI and for a client that may retry.
type Spec struct {
	HTTP      int
	Exit      int
	Retryable bool
}

var specs = map[Code]Spec{
	LearnSessionAlreadyActive:   {http.StatusConflict, ExitRefused, false},
	InvalidLearnStateTransition: {http.StatusBadRequest, ExitRefused, false},
	LearnSessionNotFound:        {http.StatusNotFound, ExitNotFound, false},
	ProposalNotFound:            {http.StatusNotFound, ExitNotFound, false},
	AbilityNotFound:             {http.StatusNotFound, ExitNotFound, false},
	ValidationInProgress:        {http.StatusConflict, ExitRefused, true},
	InsufficientTraces:          {http.StatusBadRequest, ExitRefused, false},
	AdapterUnavailable:          {http.StatusServiceUnavailable, ExitRefused, true},
	InstallLaneDenied:           {http.StatusForbidden, ExitRefused, false},
	BridgeRebuildFailed:         {http.StatusInternalServerError, ExitFailed, true},
	TestPolicyViolation:         {http.StatusBadRequest, ExitRefused, false},
	CheckpointLintFailed:        {http.StatusBadRequest, ExitRefused, false},
	SessionTimeout:              {http.StatusRequestTimeout, ExitRefused, false},
	CaptureAlreadyStopped:       {http.StatusConflict, ExitRefused, false},

	InvalidRequest:      {http.StatusUnprocessableEntity, ExitUsage, false},
	MalformedJSON:       {http.StatusBadRequest, ExitUsage, false},
	Unauthorized:        {http.StatusUnauthorized, ExitRefused, false},
	Forbidden:           {http.StatusForbidden, ExitRefused, false},
	OriginRefused:       {http.StatusForbidden, ExitRefused, false},
	PresenceRequired:    {http.StatusForbidden, ExitRefused, false},
	PresenceRejected:    {http.StatusForbidden, ExitRefused, false},
	RouteNotFound:       {http.StatusNotFound, ExitNotFound, false},
	MethodNotAllowed:    {http.StatusMethodNotAllowed, ExitUsage, false},
	NameTaken:           {http.StatusConflict, ExitRefused, false},
	TooLarge:            {http.StatusRequestEntityTooLarge, ExitUsage, false},
	RemoteOff:           {http.StatusConflict, ExitRefused, false},
	TooManyRequests:     {http.StatusTooManyRequests, ExitRefused, true},
	RouteGone:           {http.StatusGone, ExitNotFound, false},
	NotFound:            {http.StatusNotFound, ExitNotFound, false},
	RevisionConflict:    {http.StatusConflict, ExitRefused, false},
	IdempotencyMismatch: {http.StatusConflict, ExitRefused, false},
	NotValidated:        {http.StatusConflict, ExitRefused, false},
	QuestionsOpen:       {http.StatusConflict, ExitRefused, false},
	ContentHashMismatch: {http.StatusConflict, ExitRefused, false},
	SlugTaken:           {http.StatusConflict, ExitRefused, false},
	TrustRequired:       {http.StatusForbidden, ExitRefused, false},
	NoScope:             {http.StatusBadRequest, ExitRefused, false},
	StoreFull:           {http.StatusInsufficientStorage, ExitFailed, true},
	StoreReadOnly:       {http.StatusInsufficientStorage, ExitFailed, false},
	StoreCorrupt:        {http.StatusInternalServerError, ExitFailed, false},
	StoreNewer:          {http.StatusInternalServerError, ExitFailed, false},
	DataDirLocked:       {http.StatusConflict, ExitRefused, true},
	DataDirForeign:      {http.StatusForbidden, ExitRefused, false},
	DaemonUnreachable:   {http.StatusServiceUnavailable, ExitUnreachable, true},
	VersionMismatch:     {http.StatusConflict, ExitRefused, false},
	UnsupportedInBuild:  {http.StatusNotImplemented, ExitRefused, false},
	Usage:               {http.StatusBadRequest, ExitUsage, false},
	OutputFailed:        {http.StatusInsufficientStorage, ExitFailed, false},
	OutputExists:        {http.StatusConflict, ExitRefused, false},
	Cancelled:           {499, ExitFailed, true},
	DependenciesMissing: {http.StatusConflict, ExitRefused, false},
	SandboxUnavailable:  {http.StatusServiceUnavailable, ExitRefused, false},
	ModelNotConfigured:  {http.StatusConflict, ExitRefused, false},
	ModelConsent:        {http.StatusForbidden, ExitRefused, false},
	ModelUnavailable:    {http.StatusServiceUnavailable, ExitFailed, true},
	ModelAnswerRefused:  {http.StatusBadGateway, ExitFailed, true},
	NotesConflict:       {http.StatusConflict, ExitRefused, false},
	NotesInvalid:        {http.StatusUnprocessableEntity, ExitUsage, false},
	NotesNoUndo:         {http.StatusConflict, ExitRefused, false},
	NotesFolder:         {http.StatusConflict, ExitRefused, false},
	NotesBusy:           {http.StatusConflict, ExitRefused, true},
	NotesTooMany:        {http.StatusTooManyRequests, ExitRefused, true},
	NotesNotPending:     {http.StatusConflict, ExitRefused, false},
	WordUnreadable:      {http.StatusUnprocessableEntity, ExitFailed, false},
	WordEncrypted:       {http.StatusUnprocessableEntity, ExitFailed, false},
	WordTooLarge:        {http.StatusRequestEntityTooLarge, ExitRefused, false},
	WordNoMatch:         {http.StatusNotFound, ExitNotFound, false},
	WordRefused:         {http.StatusConflict, ExitRefused, false},
	WordValues:          {http.StatusUnprocessableEntity, ExitUsage, false},
	DemoFailed:          {http.StatusInternalServerError, ExitFailed, false},
	Internal:            {http.StatusInternalServerError, ExitFailed, false},

	SkillImportFileTooLarge:         {http.StatusRequestEntityTooLarge, ExitRefused, false},
	SkillImportUnsupportedMIME:      {http.StatusUnsupportedMediaType, ExitUsage, false},
	SkillImportUnsupportedExtension: {http.StatusUnsupportedMediaType, ExitUsage, false},
	SkillImportArchiveRequired:      {http.StatusBadRequest, ExitUsage, false},
	SkillImportUploadExpired:        {http.StatusGone, ExitRefused, false},
	SkillArchiveRefused:             {http.StatusBadRequest, ExitRefused, false},
	SkillImportNotFound:             {http.StatusNotFound, ExitNotFound, false},
	InvalidImportTransition:         {http.StatusConflict, ExitRefused, false},
	SkillImportBlocked:              {http.StatusForbidden, ExitRefused, false},
	DecidedOnImport:                 {http.StatusConflict, ExitRefused, false},
	SkillImportUploadInUse:          {http.StatusConflict, ExitRefused, true},
	SkillImportWaiting:              {http.StatusConflict, ExitRefused, false},
	SkillImportInstalled:            {http.StatusConflict, ExitRefused, false},
	SkillImportSourceFailed:         {http.StatusBadGateway, ExitFailed, true},

	CategoryLimitReached: {http.StatusConflict, ExitRefused, false},
	SkillRefused:         {http.StatusConflict, ExitRefused, false},
	SkillScanBlocked:     {http.StatusConflict, ExitRefused, false},
	AgentRunActive:       {http.StatusConflict, ExitRefused, true},
	AgentRunFailed:       {http.StatusConflict, ExitRefused, true},
	EventConflict:        {http.StatusConflict, ExitRefused, false},

	MCPAuthChallengeRequired: {http.StatusConflict, ExitRefused, false},
	MCPAuthProfileInUse:      {http.StatusConflict, ExitRefused, false},
	MCPServerNotActive:       {http.StatusConflict, ExitRefused, false},
	MCPServerDeleteBlocked:   {http.StatusConflict, ExitRefused, true},
	MCPOAuthStateInvalid:     {http.StatusBadRequest, ExitRefused, false},
	MCPOAuthCallbackExpired:  {http.StatusGone, ExitRefused, false},
	MCPOAuthRefreshNotOK:     {http.StatusConflict, ExitRefused, false},
	MCPOAuthExchangeFailed:   {http.StatusBadGateway, ExitFailed, false},
	MCPAskFirstRequired:      {http.StatusConflict, ExitRefused, false},
	MCPAskFirstExpired:       {http.StatusGone, ExitRefused, false},
	MCPSmokeTestFailed:       {http.StatusBadGateway, ExitFailed, true},
	M365ForbiddenAuthMode:    {http.StatusUnprocessableEntity, ExitRefused, false},
	M365ScopeMissing:         {http.StatusUnprocessableEntity, ExitRefused, false},
	M365OBOUnverified:        {http.StatusUnprocessableEntity, ExitRefused, false},
	M365RedirectRequired:     {http.StatusUnprocessableEntity, ExitRefused, false},
	M365AuthExpired:          {http.StatusConflict, ExitRefused, false},
	M365DelegatedOnly:        {http.StatusUnprocessableEntity, ExitRefused, false},
	M365BackgroundOnly:       {http.StatusUnprocessableEntity, ExitRefused, false},
	OutlookMissing:           {http.StatusServiceUnavailable, ExitRefused, false},
	OutlookNotRunning:        {http.StatusServiceUnavailable, ExitRefused, true},
	OutlookNotAllowed:        {http.StatusForbidden, ExitRefused, false},
	OutlookTimeout:           {http.StatusGatewayTimeout, ExitFailed, true},
	OutlookFailed:            {http.StatusBadGateway, ExitFailed, false},
	OutlookNoAccount:         {http.StatusNotFound, ExitNotFound, false},
	OutlookNoFolder:          {http.StatusNotFound, ExitNotFound, false},
	OutlookNoMessage:         {http.StatusNotFound, ExitNotFound, false},
	OutlookNoCalendar:        {http.StatusNotFound, ExitNotFound, false},
	OutlookNoEvent:           {http.StatusNotFound, ExitNotFound, false},
	OutlookSwitchedOff:       {http.StatusForbidden, ExitRefused, false},
	OutlookTooBroad:          {http.StatusUnprocessableEntity, ExitRefused, false},
	OutlookNotAsAllowed:      {http.StatusConflict, ExitRefused, false},
	ConnectorUnreachable:     {http.StatusBadGateway, ExitFailed, true},
	ConnectorThrottled:       {http.StatusTooManyRequests, ExitRefused, true},
	ConnectorOff:             {http.StatusConflict, ExitRefused, false},
	ConnectorAddress:         {http.StatusBadRequest, ExitRefused, false},
	ConnectorToolChanged:     {http.StatusConflict, ExitRefused, false},
	ConnectorNameReserved:    {http.StatusConflict, ExitRefused, false},
	ConnectorAlwaysAsks:      {http.StatusConflict, ExitRefused, false},

	DocumentsFull:       {http.StatusConflict, ExitRefused, true},
	AcrobatUnavailable:  {http.StatusServiceUnavailable, ExitRefused, false},
	AcrobatNotFound:     {http.StatusNotFound, ExitNotFound, false},
	AcrobatOCR:          {http.StatusUnprocessableEntity, ExitRefused, false},
	AcrobatIncomplete:   {http.StatusUnprocessableEntity, ExitRefused, false},
	AcrobatFailed:       {http.StatusUnprocessableEntity, ExitFailed, false},
	AcrobatNeedsConsent: {http.StatusConflict, ExitRefused, false},

	RegistryUnreachable: {http.StatusBadGateway, ExitFailed, true},
	RegistrySignIn:      {http.StatusConflict, ExitRefused, false},
	RegistryNotFound:    {http.StatusNotFound, ExitNotFound, false},
	RegistryAddress:     {http.StatusBadRequest, ExitRefused, false},
	RegistryContent:     {http.StatusBadGateway, ExitRefused, false},
	RegistryNoList:      {http.StatusConflict, ExitRefused, false},
	RegistryOlder:       {http.StatusConflict, ExitRefused, false},
	UpdateConflict:      {http.StatusConflict, ExitRefused, false},
	RegistryUnsigned:    {http.StatusConflict, ExitRefused, false},
	RegistryOtherSigner: {http.StatusConflict, ExitRefused, false},
	RegistrySignature:   {http.StatusConflict, ExitRefused, false},
	RegistryTooMany:     {http.StatusConflict, ExitRefused, false},
	SkillPushRefused:    {http.StatusConflict, ExitRefused, false},
}

// Spec returns the code's meaning; an unknown code means INTERNAL.
func (c Code) Spec() Spec {
	if s, ok := specs[c]; ok {
		return s
	}
	return specs[Internal]
}

// Codes lists every known code, for docs and tests.
func Codes() []Code {
	out := make([]Code, 0, len(specs))
	for c := range specs {
		out = append(out, c)
	}
	return out
}
