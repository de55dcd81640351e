package wire

import "showhow/internal/clock"

// What kind of reference a document has (DOC3 0.2F): one was handed in, the other was made by Showhow.
const (
	RefOfDocument = "document_ref"
	RefOfArtifact = "temp_artifact_ref"
)

// DocumentRefPattern is the form of a document's reference.
const DocumentRefPattern = `^(doc|art)_[a-z2-7]{14}$`

// Kinds of documents.
const (
	DocumentUploaded  = "uploaded"
	DocumentText      = "pdf_text"
	DocumentTables    = "pdf_tables"
	DocumentOCR       = "pdf_ocr"
	DocumentRedaction = "pdf_redaction_list"
	DocumentMarked    = "pdf_redaction_copy"
	DocumentWord      = "word_document"
)

// Document is a document that is kept for 24 hours.
type Document struct {
	Ref              string     `json:"ref" maxLength:"240"`
	RefKind          string     `json:"ref_kind" enum:"document_ref,temp_artifact_ref"`
	Kind             string     `json:"artifact_kind" enum:"uploaded,pdf_text,pdf_tables,pdf_ocr,pdf_redaction_list,pdf_redaction_copy,word_document"`
	MediaType        string     `json:"media_type" maxLength:"120"`
	OriginalFilename string     `json:"original_filename,omitempty" maxLength:"240"`
	ContentHash      string     `json:"content_hash_sha256" maxLength:"64"`
	ByteSize         int64      `json:"byte_size" minimum:"1"`
	OwnPerson        bool       `json:"of_person" doc:"the person handed it in; false: an agent did"`
	Owner            string     `json:"owner,omitempty" maxLength:"240" doc:"the agent"`
	CreatedAt        clock.Time `json:"created_at" format:"date-time"`
	ExpiresAt        clock.Time `json:"expires_at" format:"date-time"`
	SchemaVersion    int        `json:"schema_version" enum:"1"`
}

// Documents is a list of documents, newest first.
type Documents struct {
	Documents     []Document `json:"documents"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// DocumentUploadResponse answers an upload.
type DocumentUploadResponse struct {
	Document      Document `json:"document"`
	Accepted      bool     `json:"accepted"`
	SchemaVersion int      `json:"schema_version" enum:"1"`
}

// DocumentDeleted answers a deletion.
type DocumentDeleted struct {
	Deleted       bool   `json:"deleted"`
	Ref           string `json:"ref" maxLength:"240"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}
