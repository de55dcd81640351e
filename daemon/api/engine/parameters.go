package engine

import (
	"iter"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"showhow/internal/fault"
)

// parameter is a field of an operation's parameters, and where a request holds its value.
type parameter struct {
	field    []int
	in, name string
	fallback string // the default, as text
}

// parameters documents the fields of t that a tag places in the path, the query or a header, and returns what fills them from
// a request. Other fields are none of its business.
func (d *Document) parameters(h *huma.Operation, t reflect.Type) (fill func(r *http.Request, to reflect.Value) error) {
	var all []parameter
	for f := range fields(t, nil) {
		in, name := place(f)
		if in == "" {
			continue
		}
		all = append(all, parameter{field: f.Index, in: in, name: name, fallback: f.Tag.Get("default")})
		schema := huma.SchemaFromField(d.Schemas(), f, "")
		p := &huma.Param{Name: name, In: in, Description: schema.Description, Schema: schema,
			Required: in == "path" || f.Tag.Get("required") == "true"}
		if in == "query" {
			p.Explode = new(bool)
		}
		h.Parameters = append(h.Parameters, p)
	}
	return func(r *http.Request, to reflect.Value) error {
		for _, p := range all {
			if err := p.fill(r, to.FieldByIndex(p.field)); err != nil {
				return fault.New(fault.InvalidRequest, "a parameter is not of its type").WithDetail("parameter", p.name)
			}
		}
		return nil
	}
}

// fields are the fields of t with those of embedded structs, also where an embedded struct and its field have one name.
func fields(t reflect.Type, at []int) iter.Seq[reflect.StructField] {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			f := t.Field(i)
			f.Index = append(slices.Clone(at), i)
			if f.Anonymous && f.Type.Kind() == reflect.Struct {
				for inner := range fields(f.Type, f.Index) {
					if !yield(inner) {
						return
					}
				}
			} else if !yield(f) {
				return
			}
		}
	}
}

// place is where a request holds the value of a field; in is empty for a field that is no parameter.
func place(f reflect.StructField) (in, name string) {
	for _, in := range []string{"path", "query", "header"} {
		if name := f.Tag.Get(in); name != "" {
			return in, name
		}
	}
	return "", ""
}

// fill sets a field to the request's value or the default; without either it stays as it is.
func (p parameter) fill(r *http.Request, field reflect.Value) error {
	text := ""
	switch p.in {
	case "path":
		text = r.PathValue(p.name)
	case "query":
		text = r.URL.Query().Get(p.name)
	case "header":
		text = r.Header.Get(p.name)
	}
	if text == "" {
		text = p.fallback
	}
	if text == "" {
		return nil
	}
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return err
		}
		field.SetBool(b)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, field.Type().Bits())
		if err != nil {
			return err
		}
		field.SetInt(n)
	default:
		panic("a parameter of type " + field.Type().String() + " cannot be filled in")
	}
	return nil
}
