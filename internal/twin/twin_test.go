package twin

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

type kind string

type inner struct {
	Kind kind           `json:"kind"`
	Raw  string         `json:"-"`
	At   time.Time      `json:"at"`
	Any  map[string]any `json:"any"`
}

type noun struct {
	inner2
	Name  string           `json:"name"`
	Parts []inner          `json:"parts"`
	One   *inner           `json:"one,omitempty"`
	None  *inner           `json:"none,omitempty"`
	By    map[kind][]inner `json:"by"`
	guard int
}

type inner2 struct {
	ID int `json:"id"`
}

type kindTwin string

type innerTwin struct {
	Kind kindTwin       `json:"kind"`
	At   time.Time      `json:"at"`
	Any  map[string]any `json:"any"`
}

type nounTwin struct {
	Name  string                   `json:"name"`
	Parts []innerTwin              `json:"parts"`
	One   *innerTwin               `json:"one,omitempty"`
	None  *innerTwin               `json:"none,omitempty"`
	By    map[kindTwin][]innerTwin `json:"by"`
}

type other struct {
	Name  string      `json:"title"`
	Parts []innerTwin `json:"parts"`
}

func TestTo(t *testing.T) {
	in := inner{Kind: "k", Raw: "secret", At: time.Unix(7, 0).UTC(), Any: map[string]any{"a": 1.0}}
	n := noun{Name: "n", Parts: []inner{in}, One: &in, By: map[kind][]inner{"x": {in}}, guard: 1}
	got := To[nounTwin](n)
	a, _ := json.Marshal(n)
	b, _ := json.Marshal(got)
	var x, y map[string]any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		t.Fatal("no JSON")
	}
	delete(x, "id")
	if !reflect.DeepEqual(x, y) {
		t.Fatalf("%s became %s", a, b)
	}
	back := To[noun](got)
	if back.Parts[0].Raw != "" || back.One.Kind != "k" || back.None != nil {
		t.Fatalf("back: %+v", back)
	}
	if p := To[*nounTwin](n); p == nil || p.Name != "n" {
		t.Fatalf("a pointer to a twin: %+v", p)
	}
	got.Parts[0].Kind = "changed"
	if n.Parts[0].Kind != "k" {
		t.Fatal("the copy shares memory with its source")
	}
}

func TestSame(t *testing.T) {
	if why := Same(reflect.TypeFor[inner](), reflect.TypeFor[innerTwin]()); why != "" {
		t.Error(why)
	}
	if Same(reflect.TypeFor[nounTwin](), reflect.TypeFor[other]()) == "" {
		t.Error("other names of fields were not noticed")
	}
	if Same(reflect.TypeFor[noun](), reflect.TypeFor[nounTwin]()) == "" {
		t.Error("a field without a twin was not noticed")
	}
}
