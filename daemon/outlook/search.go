package outlook

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"showhow/internal/fault"
)

// row is a message as the scripts tell of it: without details in a list, with its text when it was read.
type row struct {
	ID         int      `json:"id"`
	Subject    string   `json:"subject"`
	From       string   `json:"from"`
	FromName   string   `json:"from_name"`
	At         float64  `json:"at"`
	Read       bool     `json:"read"`
	To         []string `json:"to"`
	Files      []file   `json:"files"`
	Importance string   `json:"importance"`
	Headers    string   `json:"headers"`
	Categories []string `json:"categories"`
	Text       string   `json:"text"`
	HTML       string   `json:"html"`

	account account
	folder  string
}

type file struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// Bounds of a search.
const (
	usualResults = 20
	mostResults  = 100
	mostRows     = 500 // of one folder and window
	slice        = 30  // days that are looked through at once
	mostDays     = 366 // without a word to look for
)

// widening are the days that a search without a date goes back, one after another while nothing is found (R9 2.2).
var widening = []int{14, 30, 90}

// window is a time that is searched at once.
type window struct{ from, to time.Time }

// query is what a search looks for.
type query struct {
	SearchArgs
	windows []window // newest first
	widens  bool
}

func (w when) query(a SearchArgs) (q query, err error) {
	q.SearchArgs = a
	for _, x := range []struct{ what, text string }{{"account", a.Account}, {"query", a.Query}, {"from", a.From}, {"subject", a.Subject},
		{"folder", a.Folder}} {
		if err := line(x.what, x.text, maxLine); err != nil {
			return q, err
		}
	}
	if a.MaxResults < 0 || a.MaxResults > mostResults {
		return q, invalid(fmt.Sprintf("max_results is from 1 to %d", mostResults), "narrow the search")
	}
	q.MaxResults = cmp.Or(a.MaxResults, usualResults)
	to := w.now()
	if a.DateTo != "" {
		t, whole, err := w.moment("date_to", a.DateTo)
		if err != nil {
			return q, err
		}
		if to = t; whole {
			to = after(t, 1)
		}
	}
	if a.DateFrom == "" {
		q.widens = true
		for before, last := 0, to; len(q.windows) < len(widening); before = widening[len(q.windows)-1] {
			q.windows = append(q.windows, window{last.AddDate(0, 0, -widening[len(q.windows)]), last.AddDate(0, 0, -before)})
		}
		return q, nil
	}
	from, _, err := w.moment("date_from", a.DateFrom)
	if err != nil {
		return q, err
	}
	if !from.Before(to) {
		return q, invalid("date_from is not before date_to", "swap them")
	}
	if a.Query+a.From+a.Subject == "" && to.Sub(from) > mostDays*24*time.Hour {
		return q, tooBroad("more than a year of a folder, with no word to look for, is too much to search")
	}
	for to.After(from) {
		part := window{to.AddDate(0, 0, -slice), to}
		if part.from.Before(from) {
			part.from = from
		}
		q.windows, to = append(q.windows, part), part.from
	}
	return q, nil
}

func tooBroad(what string) error {
	return fault.New(fault.OutlookTooBroad, what).WithHint("give a sender, a word of the subject or a shorter time")
}

// fits reports whether a message is looked for.
func (q query) fits(r row) bool {
	has := func(text, part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
	return (q.Query == "" || has(r.FromName, q.Query) || has(r.From, q.Query) || has(r.Subject, q.Query)) &&
		(q.From == "" || strings.EqualFold(r.From, q.From) || !strings.Contains(q.From, "@") && has(r.From, q.From)) &&
		(q.Subject == "" || has(r.Subject, q.Subject)) && (!q.UnreadOnly || !r.Read)
}

// Search finds messages (email_search): those of the last 14 days, else of 30, else of 90, or those of a given time. After
// the search's patience it answers with what it has found.
func (s *Service) Search(ctx context.Context, a SearchArgs) (out Found, err error) {
	defer failing("email_search", &err)
	q, err := s.query(a)
	if err != nil {
		return out, err
	}
	accounts, err := s.chosen(ctx, a.Account)
	if err != nil {
		return out, err
	}
	found, seen, whole, err := s.look(ctx, q, accounts)
	if err != nil {
		return out, err
	}
	if !whole && len(found) == 0 {
		return out, tooBroad("the search took too long, and had found nothing back to " + seen.Format(day))
	}
	slices.SortStableFunc(found, func(a, b row) int { return cmp.Compare(b.At, a.At) })
	out = Found{Results: []Message{}, Total: len(found), Query: a}
	if out.Results, err = s.describe(ctx, found[:min(len(found), q.MaxResults)]); err != nil {
		return out, err
	}
	if !whole {
		out.Note = fmt.Sprintf("Showing results from %s to %s. Narrow your query for faster results.", seen.Format(day),
			q.windows[0].to.Format(day))
	}
	var texts []string
	for _, m := range out.Results {
		texts = append(append(texts, m.Subject, m.FromName), m.Attachments...)
	}
	out.Marked = s.marked(texts...)
	return out, nil
}

// look looks through the folder of each account, window by window. seen is back to when; whole, that all was looked through
// that the search is about.
func (s *Service) look(ctx context.Context, q query, accounts []account) (found []row, seen time.Time, whole bool, err error) {
	until := time.Now().Add(s.o.Patience)
	accounts = slices.Clone(accounts)
	for i, w := range q.windows {
		seen = w.from
		for n := 0; n < len(accounts); n++ {
			a := accounts[n]
			left := time.Until(until)
			if left <= 0 {
				return found, seen, false, nil
			}
			l, err := s.list(ctx, a, q.Folder, w, q.UnreadOnly, left)
			switch {
			case fault.Is(err, fault.OutlookTimeout) && len(found) > 0:
				return found, seen, false, nil
			case fault.Is(err, fault.OutlookNoFolder) && i == 0 && len(accounts) > 1: // another account has it
				accounts = slices.Delete(accounts, n, n+1)
				n--
				continue
			case err != nil:
				return nil, seen, false, err
			}
			for _, r := range l.Rows {
				if q.fits(r) {
					r.account, r.folder = a, l.Folder
					found = append(found, r)
				}
			}
			if !l.Complete {
				return found, seen, false, nil
			}
		}
		if q.widens && len(found) > 0 {
			break
		}
	}
	return found, seen, true, nil
}

// listed is a list of messages.
type listed struct {
	Rows     []row  `json:"rows"`
	Complete bool   `json:"complete"`
	Folder   string `json:"folder"`
}

func (s *Service) list(ctx context.Context, a account, folder string, w window, unread bool, patience time.Duration) (out listed,
	err error) {
	asked := inFolder(a, folder, w)
	asked["step"], asked["most"], asked["unread_only"], asked["patience"] = "list", mostRows, unread, patience.Seconds()
	err = s.run.run(ctx, "email_search", asked, false, &out)
	return out, err
}

// inFolder is a folder of an account within a time.
func inFolder(a account, folder string, w window) map[string]any {
	asked := a.in(map[string]any{"from": w.from.Unix(), "to": w.to.Unix()})
	folder = cmp.Or(folder, "Inbox")
	if known := knownFolder(folder); known != "" {
		asked["known_folder"] = known
	} else {
		asked["folder"] = strings.Split(folder, "/")
	}
	return asked
}

// knownFolder is Outlook's own folder that a name stands for, whatever its name is in the person's language.
func knownFolder(name string) string {
	switch strings.ToLower(name) {
	case "inbox":
		return "inbox"
	case "sent items", "sent":
		return "sent"
	case "drafts":
		return "drafts"
	case "deleted items":
		return "deleted"
	case "junk email", "junk":
		return "junk"
	}
	return ""
}

// describe adds to messages what a list lacks. One that is gone by now is left out.
func (s *Service) describe(ctx context.Context, found []row) ([]Message, error) {
	out := []Message{}
	if len(found) == 0 {
		return out, nil
	}
	ids := make([]int, len(found))
	for i, r := range found {
		ids[i] = r.ID
	}
	details, err := s.details(ctx, ids)
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, r := range found {
		i := slices.IndexFunc(details, func(d row) bool { return d.ID == r.ID })
		if i < 0 {
			continue
		}
		d := details[i]
		k := key{r.account.Name, r.folder, d.messageID()}
		if taken[k.String()] { // somebody sent one with the Message-ID of another
			k.message = d.fallback()
		}
		taken[k.String()] = true
		s.remember(k, d.ID)
		m := Message{ID: k.String(), From: d.From, FromName: d.FromName, To: orEmpty(d.To), Subject: d.Subject,
			ReceivedAt: s.at(d.At).UTC().Format(time.RFC3339), Read: d.Read, Attached: len(d.Files) > 0, Attachments: []string{},
			Account: r.account.Name, Folder: r.folder, Importance: cmp.Or(d.Importance, "normal"), Categories: orEmpty(d.Categories)}
		for _, f := range d.Files {
			m.Attachments = append(m.Attachments, f.Name)
		}
		out = append(out, m)
	}
	return out, nil
}

func (s *Service) details(ctx context.Context, ids []int) ([]row, error) {
	var out listed
	err := s.run.run(ctx, "email_search", map[string]any{"step": "describe", "ids": ids}, false, &out)
	return out.Rows, err
}

func orEmpty(all []string) []string { return append([]string{}, all...) }

// mostKnown is how many messages' numbers are remembered.
const mostKnown = 5000

func (s *Service) remember(k key, id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= mostKnown {
		clear(s.known)
	}
	s.known[k.String()] = id
}
