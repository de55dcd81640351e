// Package twin copies a record into its twin: a type of another package that has the same fields. The API's records
// (daemon/wire) are twins of types that have behaviour of their own, such as capture's observations and the steps of
// a workflow; neither package needs to know the other.
//
// Guaranteed: a copy shares no memory with its source, except what an interface holds. Fields that only one of the
// two has are skipped: a field that exists only in the source never reaches the twin. Same checks in a test that
// nothing else differs.
//
// Not guaranteed: speed. A copy walks the value by reflection, about 50 ns a field.
package twin

import (
	"fmt"
	"reflect"
	"strings"
)

// To returns v as a T. It panics if the two types cannot be twins, which a test with Same finds.
func To[T any](v any) T {
	var out T
	if src := reflect.ValueOf(v); src.IsValid() {
		set(reflect.ValueOf(&out).Elem(), src)
	}
	return out
}

func set(dst, src reflect.Value) {
	if shallow(src.Type()) && src.Type().ConvertibleTo(dst.Type()) {
		dst.Set(src.Convert(dst.Type()))
		return
	}
	if dst.Kind() == reflect.Pointer && src.Kind() != reflect.Pointer {
		dst.Set(reflect.New(dst.Type().Elem()))
		set(dst.Elem(), src)
		return
	}
	switch src.Kind() {
	case reflect.Pointer:
		if src.IsNil() {
			return
		}
		if dst.Kind() != reflect.Pointer {
			set(dst, src.Elem())
			return
		}
		dst.Set(reflect.New(dst.Type().Elem()))
		set(dst.Elem(), src.Elem())
	case reflect.Slice:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.MakeSlice(dst.Type(), src.Len(), src.Len()))
		for i := range src.Len() {
			set(dst.Index(i), src.Index(i))
		}
	case reflect.Array:
		for i := range src.Len() {
			set(dst.Index(i), src.Index(i))
		}
	case reflect.Map:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.MakeMapWithSize(dst.Type(), src.Len()))
		for it := src.MapRange(); it.Next(); {
			k, v := reflect.New(dst.Type().Key()).Elem(), reflect.New(dst.Type().Elem()).Elem()
			set(k, it.Key())
			set(v, it.Value())
			dst.SetMapIndex(k, v)
		}
	case reflect.Struct:
		for _, p := range pairs(dst.Type(), src.Type()) {
			set(dst.Field(p.dst), src.Field(p.src))
		}
	case reflect.Interface:
		if !src.IsNil() {
			dst.Set(src)
		}
	default:
		panic(fmt.Sprintf("twin: %v is no twin of %v", dst.Type(), src.Type()))
	}
}

// shallow reports whether a plain assignment copies a value of the type completely: times and other values with
// private fields.
func shallow(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array, reflect.Interface:
		return false
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				return false
			}
		}
	}
	return true
}

type pair struct{ dst, src int }

// pairs matches the exported fields of two structs by their names, embedded ones by their order.
func pairs(dst, src reflect.Type) (out []pair) {
	embedded := func(t reflect.Type) (at []int) {
		for i := range t.NumField() {
			if t.Field(i).Anonymous && t.Field(i).IsExported() {
				at = append(at, i)
			}
		}
		return at
	}
	d, s := embedded(dst), embedded(src)
	for i := range min(len(d), len(s)) {
		out = append(out, pair{d[i], s[i]})
	}
	for i := range dst.NumField() {
		f := dst.Field(i)
		if f.Anonymous || !f.IsExported() {
			continue
		}
		if g, ok := src.FieldByName(f.Name); ok && len(g.Index) == 1 && !g.Anonymous {
			out = append(out, pair{i, g.Index[0]})
		}
	}
	return out
}

// Same reports how two types differ as JSON, "" if they do not: it is for tests.
func Same(a, b reflect.Type) string { return same(a, b, a.Name(), map[[2]reflect.Type]bool{}) }

func same(a, b reflect.Type, at string, seen map[[2]reflect.Type]bool) string {
	if a == b || seen[[2]reflect.Type{a, b}] {
		return ""
	}
	seen[[2]reflect.Type{a, b}] = true
	if a.Kind() != b.Kind() {
		return fmt.Sprintf("%s is a %v here and a %v there", at, a.Kind(), b.Kind())
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return same(a.Elem(), b.Elem(), at, seen)
	case reflect.Map:
		if why := same(a.Key(), b.Key(), at+" key", seen); why != "" {
			return why
		}
		return same(a.Elem(), b.Elem(), at, seen)
	case reflect.Struct:
		fa, fb := visible(a), visible(b)
		for name, f := range fa {
			g, ok := fb[name]
			switch {
			case !ok:
				return fmt.Sprintf("%s.%s has no twin", at, name)
			case f.Name != g.Name || f.Tag.Get("json") != g.Tag.Get("json"):
				return fmt.Sprintf("%s.%s is %s %q here and %s %q there", at, name, f.Name, f.Tag.Get("json"), g.Name, g.Tag.Get("json"))
			}
			if why := same(f.Type, g.Type, at+"."+f.Name, seen); why != "" {
				return why
			}
		}
		for name := range fb {
			if _, ok := fa[name]; !ok {
				return fmt.Sprintf("%s.%s has no twin", at, name)
			}
		}
	}
	return ""
}

// visible are the fields that JSON encodes, by their JSON names.
func visible(t reflect.Type) map[string]reflect.StructField {
	out := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		tag := f.Tag.Get("json")
		if !f.IsExported() || tag == "-" || f.Anonymous && tag == "" {
			continue
		}
		name, _, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		out[name] = f
	}
	return out
}
