package values

import (
	"testing"

	"showhow/daemon/workflow"
)

// What is always the same leaves the bare name to what is asked for.
func TestTheBareNameIsForInputs(t *testing.T) {
	fixed := &Param{Param: workflow.Param{Label: "item"}, Source: "picked", Steady: true, Literal: true}
	asked := &Param{Param: workflow.Param{Label: "item"}, Source: "picked", Varied: true}
	Name([]*Param{fixed, asked})
	if asked.Name != "item" || fixed.Name == asked.Name {
		t.Errorf("the input is called %q, the constant %q", asked.Name, fixed.Name)
	}
}
