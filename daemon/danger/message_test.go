package danger

import "testing"

// What goes through a socket is judged by the names in it.
func TestMessage(t *testing.T) {
	for text, want := range map[string]Class{
		`{"type":"LIST_FILES","data":"/"}`:                               Reads,
		`{"id":7,"op":"getOrders","args":{"page":2}}`:                    Reads,
		`42["fetch:rows",{"after":"Oslo"}]`:                              Reads,
		`{"type":"CREATE_FOLDER","data":"/pantry"}`:                      Writes,
		`{"type":"set","title":"What is to be deleted"}`:                 Writes,
		`{"type":"DELETE_FILE","data":"/soup.txt"}`:                      Destroys,
		`["3","4","room:lobby","remove_member",{"name":"Ada"}]`:          Destroys,
		`{"msg":"method","method":"list","params":[{"drop":["users"]}]}`: Destroys,
		`{"msg":"method","method":"list","params":[{"drop":false}]}`:     Reads,
		`{"event":"sendMail","to":"ada@example.org"}`:                    Sends,
		`getAndUpdate`: Writes,
		`\u0001\u0002`: Writes,
		`2`:            Writes,
		``:             Writes,
	} {
		if got := Message([]byte(text), ""); got.Class != want {
			t.Errorf("%s: %s (%s), not %s", text, got.Class, got.Why, want)
		}
	}
	if got := Message([]byte(`{"type":"LIST_FILES"}`), "Delete"); !got.Has(Destroys) {
		t.Errorf("the control says that it deletes: %s", got.Class)
	}
}
