package wire

// ReceiptsRequest reports what an agent did, or a person through `showhow wrap`.
type ReceiptsRequest struct {
	Post
	Receipts []AgentReceipt `json:"receipts" minItems:"1" maxItems:"50"`
}

// ReceiptsTaken acknowledges receipts. It does not say what happens to them: that is the person's business.
type ReceiptsTaken struct {
	Received int `json:"received"`
}

// JournalRequest gives or withdraws the consent to keep an agent's last 20 runs, redacted, for 24 hours.
type JournalRequest struct {
	Enabled bool `json:"enabled" doc:"false also deletes what was kept"`
}

// HookRequest says where an agent keeps its settings when not in the usual place.
type HookRequest struct {
	Post
	Dir string `json:"dir,omitempty" maxLength:"1000" doc:"the agent's own folder, absolute"`
}

// RunsDeleted counts the kept runs that were deleted, to the last byte.
type RunsDeleted struct {
	Deleted int `json:"deleted" minimum:"0"`
}
