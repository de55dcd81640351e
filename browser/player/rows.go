package player

import (
	"context"
	"encoding/json"

	"showhow/browser"
)

// Row is one row of a table or list as a person reads it, or a label with the text beside it. It is
// other people's data: keep it in memory only.
type Row struct {
	List    string   `json:"list"` // tells one list from another
	Text    string   `json:"text"`
	Columns []string `json:"columns"` // names of the columns, when each has its cell
	Cells   []string `json:"cells"`
	Links   []Link   `json:"links"`
	Deeds   []string `json:"deeds"` // what its controls say that can be pressed
}

// Link is a link in a row.
type Link struct {
	Name string `json:"name"`
	Href string `json:"href"`
}

// Rows are the rows that the page in front shows, frames included.
func (p *reader) Rows(ctx context.Context) ([]Row, error) {
	t := p.current()
	if t == nil {
		return nil, browser.ErrGone
	}
	var out []Row
	for _, text := range p.ask(ctx, t, "globalThis.showhow.rows()") {
		var some []Row
		if text != "" && json.Unmarshal([]byte(text), &some) == nil {
			out = append(out, some...)
		}
	}
	return out, ctx.Err()
}
