package driver

import (
	"fmt"
	"path"
	"strings"
	"time"

	"showhow/demo/orderdesk"
)

// Plan is the task with its values. Empty fields are left unchanged.
type Plan struct {
	StartURL    string    `json:"start_url"` // the desk
	OrderID     string    `json:"order_id"`
	Search      string    `json:"search,omitempty"`   // what is typed to find it; "" means its id
	Status      string    `json:"status,omitempty"`   // shipped
	Delivery    string    `json:"delivery,omitempty"` // 2026-12-24
	Quantity    int       `json:"quantity,omitempty"`
	Note        string    `json:"note,omitempty"`
	Notify      bool      `json:"notify,omitempty"`
	Mistake     bool      `json:"mistake,omitempty"`  // forget the note first and be told so; needs Note and Notify
	DownloadDir string    `json:"download_dir"`       // where the browser saves, and where the commands are run
	Commands    []string  `json:"commands,omitempty"` // {file} is the downloaded file; "-" alone means none
	Canaries    *Canaries `json:"canaries,omitempty"`
}

// Canaries are things that a person may do beside the task and that must leave no trace.
type Canaries struct {
	OffSiteURL  string `json:"off_site_url,omitempty"`  // visited in another tab
	OffSiteText string `json:"off_site_text,omitempty"` // typed there
	User        string `json:"user,omitempty"`          // typed into the desk's log-in
	Password    string `json:"password,omitempty"`      //
	Token       string `json:"token,omitempty"`         // export API_TOKEN=... in the shell
	Private     string `json:"private,omitempty"`       // a command typed with a leading space
}

// DefaultCommands inspect the export and keep a part of it.
var DefaultCommands = []string{"wc -l {file}", "cut -d, -f1,4 {file} > summary.csv", "grep -c {status} summary.csv"}

func (p Plan) withDefaults() Plan {
	if p.Search == "" {
		p.Search = p.OrderID
	}
	switch {
	case len(p.Commands) == 0:
		p.Commands = DefaultCommands
	case len(p.Commands) == 1 && p.Commands[0] == "-":
		p.Commands = nil
	}
	p.Mistake = p.Mistake && p.Notify && p.Note != ""
	return p
}

// PlanFor returns a plan that works for any order: its next status, a week later, with a note.
func PlanFor(o orderdesk.Order, startURL, downloadDir string) Plan {
	next := "shipped"
	if o.Status == next {
		next = "delivered"
	}
	day := o.Delivery.AddDate(0, 0, 7)
	if day.Weekday() == time.Sunday {
		day = day.AddDate(0, 0, 1)
	}
	return Plan{StartURL: startURL, OrderID: o.ID, Status: next, Delivery: day.Format(orderdesk.DateLayout),
		Note:   fmt.Sprintf("Your order now arrives on %s.", day.Format("2 January")),
		Notify: true, Mistake: true, DownloadDir: downloadDir}
}

// command fills the placeholders of one command.
func (p Plan) command(c, file string) string {
	return strings.NewReplacer("{file}", word(file), "{status}", word(p.Status), "{order}", word(p.OrderID),
		"{stem}", word(strings.TrimSuffix(file, path.Ext(file)))).Replace(c)
}

// word writes s as a person would: bare if the shell reads it unchanged, else quoted.
func word(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:@%+", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
