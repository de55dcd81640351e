package wire

import "showhow/internal/clock"

// What can be done with a PDF document (DOC3 0.2F).
const (
	AcrobatText      = "extract_text"
	AcrobatTables    = "extract_tables"
	AcrobatOCR       = "ocr"
	AcrobatRedaction = "redaction_prep"
)

// AcrobatCapabilities are these in words, with the command for each.
var AcrobatCapabilities = []struct{ Name, Says, Command string }{
	{AcrobatText, "text", "showhow pdf text"}, {AcrobatTables, "tables", "showhow pdf tables"},
	{AcrobatOCR, "scanned pages (OCR)", "showhow pdf ocr"}, {AcrobatRedaction, "redaction", "showhow pdf redact"},
}

// AcrobatAdapterHealth says what can be done with PDF documents here (DOC3 0.2F).
type AcrobatAdapterHealth struct {
	AdapterState  string      `json:"adapter_state" enum:"healthy,degraded,disabled,missing"`
	Supported     []string    `json:"supported_capabilities" enum:"extract_text,extract_tables,ocr,redaction_prep"`
	ReasonCode    string      `json:"reason_code,omitempty" maxLength:"120"`
	LastCheckedAt *clock.Time `json:"last_checked_at,omitempty" format:"date-time"`
	Missing       []string    `json:"missing_programs"`
	Install       string      `json:"install_command,omitempty" maxLength:"400" doc:"installs what is missing"`
	SchemaVersion int         `json:"schema_version" enum:"1"`
}

// AcrobatSourceRef names the document of a request: a reference, never a path.
type AcrobatSourceRef struct {
	SourceRefKind string `json:"source_ref_kind" enum:"document_ref,temp_artifact_ref,materialized_bundle"`
	SourceRef     string `json:"source_ref" maxLength:"240"`
	PageRange     string `json:"page_range,omitempty" maxLength:"120" doc:"as in 1-3,7,9-; omitted: every page"`
	Password      string `json:"password,omitempty" maxLength:"200" doc:"of an encrypted document; used once and not kept"`
}

// AcrobatExtractTextRequest asks for the text of a document.
type AcrobatExtractTextRequest struct {
	AcrobatSourceRef
	Capability    string `json:"capability" enum:"extract_text"`
	OCRFallback   bool   `json:"ocr_fallback,omitempty" doc:"recognise pages that have no text"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// AcrobatExtractTablesRequest asks for the tables of a document.
type AcrobatExtractTablesRequest struct {
	AcrobatSourceRef
	Capability    string `json:"capability" enum:"extract_tables"`
	TableMode     string `json:"table_mode,omitempty" enum:"auto,strict,layout_preserving" default:"auto" doc:"strict: only tables with lines; layout_preserving: each page as one table"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// AcrobatOCRRequest asks for what is written in the pictures of a document.
type AcrobatOCRRequest struct {
	AcrobatSourceRef
	Capability    string `json:"capability" enum:"ocr"`
	LanguageHint  string `json:"language_hint,omitempty" maxLength:"40" doc:"as in eng+deu or en,de; omitted: what is installed"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// AcrobatRedactionPrepRequest asks for a copy with marks over what is to be redacted.
type AcrobatRedactionPrepRequest struct {
	AcrobatSourceRef
	Capability    string   `json:"capability" enum:"redaction_prep"`
	PatternSet    []string `json:"pattern_set,omitempty" maxLength:"120" maxItems:"100" doc:"class:NAME, or words that stand in the document; omitted: every class"`
	SchemaVersion int      `json:"schema_version" enum:"1"`
}

// The forms in which a value of a document is given (DocumentPlace.As); "" is as it stands.
const (
	AsFigure = "figure" // the number without the currency or unit around it
	AsNumber = "number" // that number without separators of thousands, and with a decimal point
)

// DocumentPlace is a place in a document by the words beside it: to the right of some on their line, below others, or
// the cell at both.
type DocumentPlace struct {
	Beside string `json:"beside,omitempty" maxLength:"200" doc:"words that the value stands to the right of"`
	Under  string `json:"under,omitempty" maxLength:"200" doc:"words that the value stands below"`
	As     string `json:"as,omitempty" enum:"figure,number" doc:"the number without its unit, or as a plain number; empty: as it stands"`
}

// AcrobatReadValuesRequest asks for what stands at places of a document.
type AcrobatReadValuesRequest struct {
	AcrobatSourceRef
	Places        []DocumentPlace `json:"places" minItems:"1" maxItems:"20"`
	SchemaVersion int             `json:"schema_version" enum:"1"`
}

// PDFValues is what stands at each place, in the order of the request. Nothing of it is kept.
type PDFValues struct {
	Values        []string     `json:"values"`
	PagesInAll    int          `json:"pages_in_all"`
	Warnings      []PDFWarning `json:"warnings"`
	SchemaVersion int          `json:"schema_version" enum:"1"`
}

// AcrobatOperationResponse says what became of a request; output_ref names the result.
type AcrobatOperationResponse struct {
	OperationID   string   `json:"operation_id" format:"uuid"`
	Capability    string   `json:"capability" enum:"extract_text,extract_tables,ocr,redaction_prep"`
	Status        string   `json:"status" enum:"ok,degraded,blocked,failed"`
	OutputRef     string   `json:"output_ref,omitempty" maxLength:"240" doc:"a temp_artifact_ref: read it at /api/documents/{ref}/content"`
	WarningCodes  []string `json:"warning_codes"`
	ReceiptID     string   `json:"receipt_id,omitempty" format:"uuid"`
	ErrorCode     string   `json:"error_code,omitempty" maxLength:"120"`
	ErrorMessage  string   `json:"error_message,omitempty" maxLength:"500"`
	SchemaVersion int      `json:"schema_version" enum:"1"`
}

// PDFText is the artifact of extract_text: the text of each page in reading order.
type PDFText struct {
	Pages         []PDFPageText `json:"pages"`
	PagesInAll    int           `json:"pages_in_all"`
	Warnings      []PDFWarning  `json:"warnings,omitempty"`
	SchemaVersion int           `json:"schema_version"`
}

// PDFPageText is the text of a page.
type PDFPageText struct {
	Page int    `json:"page"`
	Text string `json:"text"`
	// Of a page that was recognised.
	Recognised bool    `json:"recognised,omitempty"`
	Confidence float64 `json:"confidence,omitempty" doc:"mean of the words, 0 to 100"`
}

// PDFRecognised is the artifact of ocr: what was recognised on each page.
type PDFRecognised struct {
	Languages     []string            `json:"languages" doc:"as tesseract names them"`
	Pages         []PDFRecognisedPage `json:"pages"`
	PagesInAll    int                 `json:"pages_in_all"`
	Warnings      []PDFWarning        `json:"warnings,omitempty"`
	SchemaVersion int                 `json:"schema_version"`
}

// PDFRecognisedPage is a page that was recognised.
type PDFRecognisedPage struct {
	Page       int                 `json:"page"`
	Text       string              `json:"text"`
	Confidence float64             `json:"confidence" doc:"mean of the words, 0 to 100"`
	Words      []PDFRecognisedWord `json:"words"`
}

// PDFRecognisedWord is a word with its place.
type PDFRecognisedWord struct {
	Text       string   `json:"text"`
	Confidence float64  `json:"confidence" doc:"0 to 100"`
	Place      PDFPlace `json:"place"`
}

// PDFRedaction is the artifact of redaction_prep: the places that are marked in the copy, and nothing of what stands there.
type PDFRedaction struct {
	MarkedCopyRef string            `json:"marked_copy_ref,omitempty" doc:"a temp_artifact_ref: the copy; omitted if nothing was found"`
	Places        []PDFRedactPlace  `json:"places"`
	Patterns      []PDFPatternFound `json:"patterns"`
	PagesInAll    int               `json:"pages_in_all"`
	Warnings      []PDFWarning      `json:"warnings,omitempty"`
	SchemaVersion int               `json:"schema_version"`
}

// PDFRedactPlace is a marked place; it may go over several lines.
type PDFRedactPlace struct {
	Page       int        `json:"page"`
	Pattern    string     `json:"pattern" doc:"class:NAME or words:TEXT"`
	Places     []PDFPlace `json:"places"`
	Recognised bool       `json:"recognised,omitempty" doc:"the page is a picture that was recognised: look whether the place is right"`
}

// PDFPatternFound says how often a pattern was found.
type PDFPatternFound struct {
	Pattern string `json:"pattern"`
	Places  int    `json:"places"`
}

// PDFWarning is one of the warning_codes with the pages that it is about.
type PDFWarning struct {
	Code  string `json:"code"`
	Pages string `json:"pages,omitempty" doc:"as in 1-3,7"`
	// Of ocr_unavailable.
	Install string `json:"install_command,omitempty" doc:"installs the programs or languages that are missing"`
}

// PDFTables is the artifact of extract_tables. Places are in points from the upper left corner of the page as it is shown.
type PDFTables struct {
	Tables        []PDFTable   `json:"tables"`
	PagesInAll    int          `json:"pages_in_all"`
	Warnings      []PDFWarning `json:"warnings,omitempty"`
	SchemaVersion int          `json:"schema_version"`
}

// PDFTable is a table with its cells by row and column.
type PDFTable struct {
	Page     int       `json:"page"`
	LastPage int       `json:"last_page,omitempty" doc:"of a table that goes on on the next pages"`
	Ruled    bool      `json:"ruled" doc:"lines make it; false: it is guessed from the gaps between words"`
	Rows     int       `json:"rows"`
	Columns  int       `json:"columns"`
	Place    PDFPlace  `json:"place" doc:"on its first page"`
	Cells    []PDFCell `json:"cells"`
	CSV      string    `json:"csv" doc:"with an apostrophe before what a spreadsheet would take for a formula"`
}

// PDFCell is a cell; rows and columns that it spans are counted from its own.
type PDFCell struct {
	Row     int      `json:"row"`
	Column  int      `json:"column"`
	Rows    int      `json:"row_span"`
	Columns int      `json:"column_span"`
	Text    string   `json:"text"`
	Place   PDFPlace `json:"place"`
	Page    int      `json:"page,omitempty" doc:"of a cell that is not on the table's first page"`
}

// PDFPlace is a place on a page, in points from its upper left corner.
type PDFPlace struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}
