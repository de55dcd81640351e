package m365

import "showhow/daemon/wire"

// Response is M365OperationResponseSchema: what every operation answers, whether it was done or not.
type Response struct {
	OperationID          string                `json:"operation_id"`
	ServerID             string                `json:"server_id"`
	OperationFamily      string                `json:"operation_family"`
	Status               string                `json:"status"` // ok, degraded; blocked, failed
	AuthProfileID        string                `json:"auth_profile_id,omitempty"`
	GrantedScopes        []string              `json:"granted_scopes"`
	MissingScopes        []string              `json:"missing_scopes"`
	IdentityAssertedKind string                `json:"identity_asserted_kind"`
	ThrottleState        wire.MCPThrottleState `json:"throttle_state"`
	Result               any                   `json:"result,omitempty"`
	ErrorCode            string                `json:"error_code,omitempty"`
	ErrorMessage         string                `json:"error_message,omitempty"`
	SchemaVersion        int                   `json:"schema_version"`
}

// request holds the arguments of every operation; the schema of each says which it takes.
type request struct {
	ServerID        string `json:"server_id"`
	OperationFamily string `json:"operation_family"`
	InteractionMode string `json:"interaction_mode"`
	AuthProfileID   string `json:"auth_profile_id"`
	ProjectID       string `json:"project_id"`
	TimeoutMs       int    `json:"timeout_ms"`

	Query         string   `json:"query"`
	EntityFilters []string `json:"entity_filters"`
	MaxResults    int      `json:"max_results"`

	SiteRef        string `json:"site_ref"`
	DriveRef       string `json:"drive_ref"`
	FolderRef      string `json:"folder_ref"`
	DriveItemRef   string `json:"drive_item_ref"`
	IncludeContent bool   `json:"include_content"`
	DocumentRole   string `json:"document_role"`
	TitleHint      string `json:"title_hint"`
	DocumentRef    string `json:"document_ref"`

	Folder          string `json:"folder"`
	ThreadID        string `json:"thread_id"`
	MessageID       string `json:"message_id"`
	SubjectOverride string `json:"subject_override"`

	AttendeeEmails  *[]string `json:"attendee_emails"`
	TimeMin         string    `json:"time_min"`
	TimeMax         string    `json:"time_max"`
	DurationMinutes int       `json:"duration_minutes"`
	EventID         string    `json:"event_id"`
	Title           *string   `json:"title"`
	StartTime       string    `json:"start_time"`
	EndTime         string    `json:"end_time"`
	Location        *string   `json:"location"`
	BodyMarkdown    *string   `json:"body_markdown"`

	TargetKind            string `json:"target_kind"`
	TargetRef             string `json:"target_ref"`
	MessageMarkdown       string `json:"message_markdown"`
	TeamID                string `json:"team_id"`
	ChannelID             string `json:"channel_id"`
	IncludeRecentMessages bool   `json:"include_recent_messages"`
}

// The results (DOC3 0.2E).
type (
	searchResult struct {
		OperationFamily string `json:"operation_family"`
		Hits            []hit  `json:"hits"`
	}
	hit struct {
		HitID      string `json:"hit_id"`
		SourceKind string `json:"source_kind"`
		Title      string `json:"title"`
		URL        string `json:"url,omitempty"`
		ModifiedAt string `json:"modified_at,omitempty"`
	}
	documentList struct {
		OperationFamily string     `json:"operation_family"`
		Documents       []document `json:"documents"`
	}
	document struct {
		DocumentRef string `json:"document_ref"`
		Title       string `json:"title"`
		ModifiedAt  string `json:"modified_at,omitempty"`
		URL         string `json:"url,omitempty"`
	}
	fileResult struct {
		OperationFamily string `json:"operation_family"`
		DocumentRef     string `json:"document_ref"`
		FileName        string `json:"file_name"`
		ContentRef      string `json:"content_ref,omitempty"`
	}
	latestResult struct {
		OperationFamily string `json:"operation_family"`
		ProjectID       string `json:"project_id"`
		DocumentRef     string `json:"document_ref,omitempty"`
		ResolvedVia     string `json:"resolved_via"`
	}
	mailResult struct {
		OperationFamily string    `json:"operation_family"`
		Messages        []message `json:"messages"`
	}
	message struct {
		MessageID  string `json:"message_id"`
		Subject    string `json:"subject"`
		From       string `json:"from,omitempty"`
		ReceivedAt string `json:"received_at,omitempty"`
	}
	threadResult struct {
		OperationFamily string   `json:"operation_family"`
		ThreadID        string   `json:"thread_id"`
		MessageIDs      []string `json:"message_ids"`
	}
	draftResult struct {
		OperationFamily string `json:"operation_family"`
		DraftID         string `json:"draft_id"`
		ThreadID        string `json:"thread_id,omitempty"`
		Status          string `json:"status"`
	}
	slotsResult struct {
		OperationFamily string `json:"operation_family"`
		Slots           []slot `json:"slots"`
	}
	slot struct {
		StartTime string `json:"start_time"`
		EndTime   string `json:"end_time"`
		State     string `json:"state"`
	}
	eventResult struct {
		OperationFamily string `json:"operation_family"`
		EventID         string `json:"event_id"`
		Status          string `json:"status"`
	}
	wordResult struct {
		OperationFamily string `json:"operation_family"`
		DocumentRef     string `json:"document_ref"`
		ContentRef      string `json:"content_ref,omitempty"`
		CommentCount    int    `json:"comment_count"`
	}
	commentsResult struct {
		OperationFamily string    `json:"operation_family"`
		DocumentRef     string    `json:"document_ref"`
		Comments        []Comment `json:"comments"`
	}
	postResult struct {
		OperationFamily string `json:"operation_family"`
		MessageID       string `json:"message_id"`
		TargetKind      string `json:"target_kind"`
		TargetRef       string `json:"target_ref"`
	}
	channelResult struct {
		OperationFamily    string `json:"operation_family"`
		TeamID             string `json:"team_id"`
		ChannelID          string `json:"channel_id"`
		ChannelName        string `json:"channel_name,omitempty"`
		RecentMessageCount int    `json:"recent_message_count"`
	}
)

// Comment is a comment of a Word document.
type Comment struct {
	CommentID string `json:"comment_id"`
	Author    string `json:"author,omitempty"`
	CreatedAt string `json:"created_at,omitempty"`
	Preview   string `json:"preview,omitempty"`
}
