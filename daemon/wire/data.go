package wire

// DataPurged says what a purge removed.
type DataPurged struct {
	Sessions      int `json:"sessions" doc:"whose observations and sealed values are gone"`
	Kept          int `json:"kept" doc:"sessions with raw data that stay: not ended, kept by choice, or needed by a draft"`
	Runs          int `json:"runs" doc:"kept runs of agents that are gone"`
	Originals     int `json:"originals" doc:"sealed originals of runtime events that are gone"`
	Documents     int `json:"documents" doc:"kept documents that are gone"`
	SchemaVersion int `json:"schema_version" enum:"1"`
}

// DataExport says where an export goes.
type DataExport struct {
	Post
	Folder string `json:"folder,omitempty" maxLength:"4096" doc:"an absolute path; absent: the downloads folder"`
}

// DataExported is the file that was written.
type DataExported struct {
	File          string `json:"file" maxLength:"4400"`
	Files         int    `json:"files" doc:"in it"`
	Bytes         int64  `json:"bytes"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// DataErased says that the daemon ends, and what remains.
type DataErased struct {
	Erasing       bool     `json:"erasing"`
	Left          []string `json:"left" doc:"paths that stay, because they are not Showhow's alone"`
	SchemaVersion int      `json:"schema_version" enum:"1"`
}
