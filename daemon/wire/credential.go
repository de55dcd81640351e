package wire

import "showhow/internal/clock"

// Credential describes a credential by name, never by value.
type Credential struct {
	Name     string      `json:"name" maxLength:"120"`
	Variable string      `json:"variable" maxLength:"120" doc:"the environment variable in which a run finds it"`
	State    string      `json:"state" enum:"stored,missing,unknown" doc:"missing: an installed skill asks for it, or it was stored once; unknown: the keychain cannot be asked"`
	UsedBy   []string    `json:"used_by" maxLength:"120" doc:"installed skills that may have it"`
	Pending  []string    `json:"pending_for,omitempty" maxLength:"160" doc:"abilities whose run obtained a value; it is saved when a person approves the ability with this credential"`
	StoredAt *clock.Time `json:"stored_at,omitempty" format:"date-time" doc:"absent when it was put into the keychain by another program"`
	Revision int         `json:"revision" doc:"for If-Match; 0 when it was not stored here"`
}
