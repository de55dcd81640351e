package state

import (
	"unicode/utf16"

	"showhow/internal/fault"
)

// Violations collects everything that is wrong with a request (design 5.3). Rules never repeat what was submitted.
type Violations []map[string]string

// Add notes that a field breaks a rule, whose text never repeats what was submitted.
func (v *Violations) Add(field, rule string) {
	*v = append(*v, map[string]string{"path": "body." + field, "rule": rule})
}

// Lengths checks the items of a list, in UTF-16 units like the schemas.
func (v *Violations) Lengths(field string, list []string, most int) {
	for _, s := range list {
		if len(utf16.Encode([]rune(s))) > most {
			v.Add(field, "one of them is too long")
			return
		}
	}
}

// Err is the error that names all violations, nil when there is none.
func (v Violations) Err() error {
	if len(v) == 0 {
		return nil
	}
	return fault.New(fault.InvalidRequest, "the request does not fit").WithDetail("violations", []map[string]string(v))
}

// Invalid is the fault for a request with one violation.
func Invalid(field, rule string) error {
	var v Violations
	v.Add(field, rule)
	return v.Err()
}
