package learn

import (
	"unicode/utf16"

	"showhow/internal/fault"
)

// violations collects what is wrong with a request, all of it (design 5.3). Rules never repeat what was submitted.
type violations []map[string]string

func (v *violations) add(field, rule string) {
	*v = append(*v, map[string]string{"path": "body." + field, "rule": rule})
}

// lengths checks the items of a list, in UTF-16 units like the schemas.
func (v *violations) lengths(field string, list []string, most int) {
	for _, s := range list {
		if len(utf16.Encode([]rune(s))) > most {
			v.add(field, "one of them is too long")
			return
		}
	}
}

func (v violations) err() error {
	if len(v) == 0 {
		return nil
	}
	return fault.New(fault.InvalidRequest, "the request does not fit").WithDetail("violations", []map[string]string(v))
}

func invalid(field, rule string) error {
	var v violations
	v.add(field, rule)
	return v.err()
}
