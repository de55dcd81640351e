package player

import "testing"

// A row includes the meaning of its images and the selected choices of its fields.
func TestRowsSayTheirPictures(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>courses</title><table><thead><tr><th>Course<th>Open<th>State<th>Kind</thead>
<tr><td>Deep water<td><img src="data:," alt=Yes><td><svg role=img aria-label=Late></svg><td><select><option>Swim<option selected>` +
		`Climb</select></tr></table>`})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	rows, err := p.Rows(ctxOf(t))
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	hold(t, "the row", rows[0].Text, "Deep water Yes Late Climb")
}
