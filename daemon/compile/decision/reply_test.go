package decision

import (
	"testing"

	"showhow/daemon/workflow"
)

func TestAnswersAreReadBack(t *testing.T) {
	one := Question{Field: FieldInput, SubjectRef: "p1", Subjects: []string{"Priority"}, Options: []string{"low", "normal", "high"},
		Choices: []string{workflow.RoleInput, workflow.RoleConstant, workflow.RoleExample, "drop"}}
	text := Question{Field: FieldInput, SubjectRef: "p2", Subjects: []string{"Room"}, Choices: one.Choices}
	several := Question{Field: FieldInput, SubjectRef: "p2,p3", Subjects: []string{"room", "reported by"},
		Choices: []string{workflow.RoleInput, workflow.RoleConstant}}
	step := Question{Field: FieldBranch, SubjectRef: "s1", Subjects: []string{"choose low"}, Choices: []string{"always", "never"}}
	for _, c := range []struct {
		q          Question
		answer     string
		understood string // "" where it is refused
	}{
		{one, "input", "Priority: asked for each time"},
		{one, "Low", "Priority: always 'low'"},
		{one, "constant: low", "Priority: always 'low'"},
		{one, "constant", "Priority: always as you showed it"},
		{one, "maybe", ""},
		{one, "constant: maybe", ""},
		{one, "default: urgent", ""},
		{text, "constant: E17", "Room: always 'E17'"},
		{text, "the fault was reported already", ""},
		{several, "constant", "room, reported by: always as you showed it"},
		{several, "room: constnt", ""},
		{several, "reported by: constant", "reported by: always as you showed it; room: asked for each time"},
		{several, "floor: constant", ""},
		{several, "something else", ""},
		{step, "the room is cold", "choose low: when the room is cold"},
		{step, "when the room is cold", "choose low: when the room is cold"},
		{step, "Only if the room is cold", "choose low: when the room is cold"},
		{step, "whenever", "choose low: when whenever"}, // no condition is left over to open
		{Question{Field: FieldSuccess}, "None", "the page says nothing: a person is asked whether it worked"},
		{Question{Field: FieldNonUse}, "none", "not to be used: no such case"},
	} {
		understood, problem := c.q.Understand(c.answer)
		if (problem == "") != (c.understood != "") || problem == "" && understood != c.understood {
			t.Errorf("%q: %q, %q", c.answer, understood, problem)
		}
	}
}

func TestAnswersByIDAreUnderstood(t *testing.T) {
	q := Question{Field: FieldInput, SubjectRef: "p2,p3", Subjects: []string{"room", "reported by", "floor"},
		Choices: []string{workflow.RoleInput, workflow.RoleConstant}}
	if refs := q.Refs(); len(refs) != 2 { // the third one's id found no room
		t.Errorf("%v", refs)
	}
	text, problem := q.Join(map[string]string{"p3": "constant", "p2": "input"})
	if text != "room: input; reported by: constant" || problem != "" {
		t.Errorf("%q %q", text, problem)
	}
	said, problem := q.Understand(text)
	if said != "room: asked for each time; reported by: always as you showed it; floor: asked for each time" || problem != "" {
		t.Errorf("%q %q", said, problem)
	}
	for _, wrong := range []map[string]string{{"p9": "input"}, {"p2": "constant: a; reported by: constant"}} {
		if text, problem := q.Join(wrong); problem == "" {
			t.Errorf("%v became %q", wrong, text)
		}
	}
	for _, other := range []Question{{Field: FieldInput, SubjectRef: "p1", Subjects: []string{"room"}},
		{Field: FieldBranch, SubjectRef: "s1,s2",
			Subjects: []string{"a", "b"}}, {Field: FieldName}} {
		if refs := other.Refs(); refs != nil {
			t.Errorf("%+v is about %v", other, refs)
		}
	}
}
