package revise

import (
	"testing"

	"showhow/daemon/compile/decision"
)

func TestAQuestionIsPutInWritingAndForChoosing(t *testing.T) {
	var q decision.Question
	ask(&q, "Is %s different each time{input}, or always what you entered{constant}?", `"{input}"`)
	if q.Prompt != `Is "{input}" different each time (input), or always what you entered (constant)?` ||
		q.Asked != `Is "{input}" different each time, or always what you entered?` {
		t.Errorf("%q\n%q", q.Prompt, q.Asked)
	}
}
