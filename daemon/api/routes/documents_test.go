package routes

import (
	"reflect"
	"testing"

	"showhow/daemon/wire"
)

// The route takes the references that there are: a tag cannot name the constant.
func TestAReferenceInAPath(t *testing.T) {
	f, _ := reflect.TypeFor[documentPath]().FieldByName("Ref")
	if got := f.Tag.Get("pattern"); got != wire.DocumentRefPattern {
		t.Errorf("%q, want %q", got, wire.DocumentRefPattern)
	}
}
