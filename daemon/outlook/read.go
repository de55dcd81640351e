package outlook

import (
	"context"
	"strings"
	"time"

	"showhow/internal/fault"
	"showhow/internal/plain"
)

// maxGiven bounds what is given of a text: bytes.
const maxGiven = 256 << 10

// Read reads a message with its text (email_read).
func (s *Service) Read(ctx context.Context, a MessageArgs) (out Letter, err error) {
	defer failing("email_read", &err)
	r, err := s.message(ctx, a.ID)
	if err != nil {
		return out, err
	}
	body := r.Text
	if body == "" {
		body = asText(r.HTML)
	}
	out = Letter{ID: a.ID, From: r.From, Subject: r.Subject, Body: strings.ToValidUTF8(plain.CutBytes(body, maxGiven), ""),
		Attachments: []Attachment{}}
	out.Cut = len(out.Body) < len(body)
	texts := []string{r.Subject, r.FromName, body}
	for _, f := range r.Files {
		out.Attachments = append(out.Attachments, Attachment(f))
		texts = append(texts, f.Name)
	}
	out.Marked = s.marked(texts...)
	return out, nil
}

// message resolves a key again, and reads the message: the one whose number is remembered, if it still has this key, else
// the one that its folder has.
func (s *Service) message(ctx context.Context, id string) (row, error) {
	k, err := parseKey(id)
	if err != nil {
		return row{}, err
	}
	a, err := s.account(ctx, k.account)
	if err != nil {
		return row{}, err
	}
	s.mu.Lock()
	number, known := s.known[k.String()]
	s.mu.Unlock()
	if known {
		r, err := s.read(ctx, a, k, number)
		if err == nil || !fault.Is(err, fault.OutlookNoMessage) {
			return r, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 3*s.o.Limit)
	defer cancel()
	number, err = s.find(ctx, a, k)
	if err != nil {
		return row{}, err
	}
	s.remember(k, number)
	return s.read(ctx, a, k, number)
}

// read reads the message with a number if it is the one that a key stands for.
func (s *Service) read(ctx context.Context, a account, k key, number int) (r row, err error) {
	if err := s.run.run(ctx, "email_read", map[string]any{"id": number}, false, &r); err != nil {
		return r, err
	}
	if r.messageID() != k.message && r.fallback() != k.message {
		return r, lost()
	}
	r.account, r.folder = a, k.folder
	return r, nil
}

// find looks for the message that a key stands for in its folder, going back like a search, and then a year.
func (s *Service) find(ctx context.Context, a account, k key) (int, error) {
	to := s.now().Add(time.Hour) // a clock of a mail server may be ahead
	last := to
	for _, days := range append(widening, mostDays) {
		w := window{last.AddDate(0, 0, -days), to}
		var found []int
		var err error
		if strings.HasPrefix(k.message, hashed) {
			found, err = s.hashed(ctx, a, k, w)
		} else {
			found, err = s.headed(ctx, a, k, w)
		}
		switch {
		case fault.Is(err, fault.OutlookNoFolder):
			return 0, lost()
		case err != nil:
			return 0, err
		case len(found) > 1:
			return 0, fault.New(fault.OutlookNoMessage, "several messages have the same Message-ID, and it is not clear which is meant").
				WithHint("search for it again")
		case len(found) == 1:
			return found[0], nil
		}
		to = w.from
	}
	return 0, lost()
}

// headed are the messages with the key's Message-ID.
func (s *Service) headed(ctx context.Context, a account, k key, w window) ([]int, error) {
	asked := inFolder(a, k.folder, w)
	asked["step"], asked["header"] = "find", k.message
	var out struct {
		IDs []int `json:"ids"`
	}
	if err := s.run.run(ctx, "email_search", asked, false, &out); err != nil || len(out.IDs) == 0 {
		return nil, err
	}
	rows, err := s.details(ctx, out.IDs[:min(len(out.IDs), mostResults)])
	var found []int
	for _, r := range rows { // an answer has it in its headers, too
		if r.messageID() == k.message {
			found = append(found, r.ID)
		}
	}
	return found, err
}

// hashed are the messages with the key's hash.
func (s *Service) hashed(ctx context.Context, a account, k key, w window) (found []int, err error) {
	l, err := s.list(ctx, a, k.folder, w, false, s.o.Limit/2)
	for _, r := range l.Rows {
		if r.fallback() == k.message {
			found = append(found, r.ID)
		}
	}
	return found, err
}
