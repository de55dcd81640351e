package notes

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"

	"showhow/internal/fault"
	"showhow/internal/plain"
)

// invalid is the error of a field: its name, and the rule that it breaks.
func invalid(field, rule string) error {
	return fault.Newf(fault.NotesInvalid, "%s %s", field, rule).
		WithHint("docs/notes.md has the fields of every action").WithDetail("field", field)
}

// decode makes a request of an action's payload: known fields only, each within the bounds that the type declares.
func decode[T any](payload map[string]any) (v T, err error) {
	b, err := json.Marshal(payload)
	if err != nil {
		return v, invalid("payload", "must be a JSON object")
	}
	if err := jsonv2.Unmarshal(b, &v, jsonv2.RejectUnknownMembers(true)); err != nil {
		var at *jsonv2.SemanticError
		if errors.As(err, &at) && at.JSONPointer != "" {
			field := at.JSONPointer.LastToken()
			if errors.Is(err, jsonv2.ErrUnknownName) {
				return v, invalid(plain.Cut(visible(field), 80), "is no field of this action")
			}
			return v, invalid(field, "has another type")
		}
		return v, invalid("payload", "must be an object with the action's fields")
	}
	return v, check(reflect.ValueOf(v), "")
}

// check holds a value against the bounds in its fields' tags, which are those of the API's document.
func check(v reflect.Value, at string) error {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		name = strings.TrimPrefix(at+"."+name, ".")
		x := v.Field(i)
		if x.Kind() == reflect.Pointer || x.IsZero() && strings.Contains(options, "omitempty") {
			continue
		}
		var err error
		switch x.Kind() {
		case reflect.String:
			err = checkText(x.String(), f.Tag, name)
		case reflect.Int:
			if n, e := strconv.Atoi(f.Tag.Get("minimum")); e == nil && int(x.Int()) < n {
				err = invalid(name, fmt.Sprintf("must be at least %d", n))
			}
			if n, e := strconv.Atoi(f.Tag.Get("maximum")); e == nil && int(x.Int()) > n {
				err = invalid(name, fmt.Sprintf("must be at most %d", n))
			}
		case reflect.Slice:
			err = checkList(x, f.Tag, name)
		case reflect.Struct:
			err = check(x, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func checkList(x reflect.Value, tag reflect.StructTag, name string) error {
	if n, e := strconv.Atoi(tag.Get("minItems")); e == nil && x.Len() < n {
		return invalid(name, fmt.Sprintf("must have at least %d elements", n))
	}
	if n, e := strconv.Atoi(tag.Get("maxItems")); e == nil && x.Len() > n {
		return invalid(name, fmt.Sprintf("must have at most %d elements", n))
	}
	var seen []string
	for i := range x.Len() {
		at := fmt.Sprintf("%s[%d]", name, i)
		switch e := x.Index(i); e.Kind() {
		case reflect.Struct:
			if err := check(e, at); err != nil {
				return err
			}
		case reflect.String:
			if err := checkText(e.String(), tag, at); err != nil {
				return err
			}
			if tag.Get("uniqueItems") != "" && slices.Contains(seen, e.String()) {
				return invalid(at, "must be there only once")
			}
			seen = append(seen, e.String())
		}
	}
	return nil
}

// long are the fields that may have several lines.
var long = []string{"body", "text", "value", "query"}

func checkText(s string, tag reflect.StructTag, name string) error {
	n := len([]rune(s))
	if most, e := strconv.Atoi(tag.Get("minLength")); e == nil && n < most {
		return invalid(name, "must not be empty")
	}
	if most, e := strconv.Atoi(tag.Get("maxLength")); e == nil && n > most {
		return invalid(name, fmt.Sprintf("must have at most %d characters", most))
	}
	if enum := tag.Get("enum"); enum != "" && !slices.Contains(strings.Split(enum, ","), s) {
		return invalid(name, "must be one of "+strings.ReplaceAll(enum, ",", ", "))
	}
	if p := tag.Get("pattern"); p != "" && !regexp.MustCompile(p).MatchString(s) {
		return invalid(name, "must match "+p)
	}
	switch tag.Get("format") {
	case "date":
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return invalid(name, "must be a date such as 2026-12-31")
		}
	case "date-time":
		if _, err := time.Parse(time.RFC3339Nano, s); err != nil {
			return invalid(name, "must be a time such as 2026-12-31T09:00:00Z")
		}
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	multi := slices.Contains(long, last)
	if strings.ContainsFunc(s, func(r rune) bool {
		return r == unicode.ReplacementChar || concealed(r) || unicode.IsControl(r) && !(multi && (r == '\n' || r == '\t' || r == '\r'))
	}) {
		return invalid(name, "must have no control characters, and none that are invisible or turn text around")
	}
	if tag.Get("minLength") != "" && strings.TrimSpace(s) == "" {
		return invalid(name, "must not be blank")
	}
	return nil
}

// checkAll holds a request against its bounds.
func checkAll(v any) error { return check(reflect.ValueOf(v), "") }
