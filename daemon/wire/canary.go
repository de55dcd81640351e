package wire

import "showhow/internal/clock"

// CanaryConsent is a person's consent that Showhow checks by itself whether an ability still works, with the results.
type CanaryConsent struct {
	AbilityID  string      `json:"ability_id" maxLength:"160"`
	Title      string      `json:"title,omitempty" maxLength:"200"`
	Sites      []string    `json:"sites" maxLength:"253" doc:"that a look may reach; nothing else"`
	EveryHours int         `json:"every_hours" minimum:"1" maximum:"720"`
	Managed    bool        `json:"managed,omitempty" doc:"in Showhow's own browser profile, where you are signed in"`
	GrantedAt  clock.Time  `json:"granted_at" format:"date-time"`
	NextAt     *clock.Time `json:"next_at,omitempty" format:"date-time" doc:"when it is looked at next, if it may be then"`
	LastAt     *clock.Time `json:"last_at,omitempty" format:"date-time"`
	LastResult string      `json:"last_result,omitempty" enum:"passed,failed,inconclusive"`
	LastCode   string      `json:"last_code,omitempty" maxLength:"80"`
	LastStep   string      `json:"last_step,omitempty" maxLength:"160"`
	LastTold   string      `json:"last_told,omitempty" maxLength:"400" doc:"what was found, in words"`
	LastRunID  string      `json:"last_run_id,omitempty" maxLength:"160" doc:"the validation run with its steps"`
	Repairs    int         `json:"repairs,omitempty" doc:"controls that the last look found under another name"`
	Skipped    int         `json:"skipped,omitempty" doc:"looks in a row that came to nothing"`

	SchemaVersion int `json:"schema_version" enum:"1"`
}

// CanaryAllow gives or changes a consent.
type CanaryAllow struct {
	EveryHours int  `json:"every_hours,omitempty" minimum:"1" maximum:"720" doc:"absent: once a day"`
	Managed    bool `json:"managed,omitempty" doc:"look in the managed profile, where you are signed in"`
	Post
}

// CanarySettings bounds all canaries together.
type CanarySettings struct {
	Enabled        bool `json:"enabled"`
	LooksPerDay    int  `json:"looks_per_day" minimum:"0" maximum:"1000"`
	SecondsPerDay  int  `json:"seconds_per_day" minimum:"0" maximum:"86400"`
	RequestsPerDay int  `json:"requests_per_day" minimum:"0" maximum:"100000"`
	OnBattery      bool `json:"on_battery"`
	SchemaVersion  int  `json:"schema_version,omitempty" enum:"1"`
}

// Canaries holds every consent, the bounds, and what was used today.
type Canaries struct {
	Canaries []CanaryConsent `json:"canaries"`
	Settings CanarySettings  `json:"settings"`
	Today    CanarySpent     `json:"today"`
	Waiting  string          `json:"waiting,omitempty" enum:"off,busy,locked,metered,battery,budget" doc:"why nothing is looked at now"`

	SchemaVersion int `json:"schema_version" enum:"1"`
}

// CanarySpent is what canaries have used today.
type CanarySpent struct {
	Looks    int `json:"looks"`
	Seconds  int `json:"seconds"`
	Requests int `json:"requests"`
}

// CanaryWithdrawn says whether there was a consent.
type CanaryWithdrawn struct {
	AbilityID string `json:"ability_id"`
	Withdrawn bool   `json:"withdrawn"`
}
