package outlook

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"showhow/internal/plain"
)

// letter is a message that was checked and is to be made.
type letter struct {
	MailArgs
	from    account
	answers int // the number of the message that it answers; 0: none
}

// asked is what the scripts make of it.
func (l letter) asked() map[string]any {
	asked := l.from.in(map[string]any{"to": l.To, "cc": orEmpty(l.CC), "subject": l.Subject, "content": asHTML(l.Body)})
	if l.answers != 0 {
		asked["answers"] = l.answers
	}
	return asked
}

// letter checks a message before anybody is asked, and says what a person should know besides its text.
func (s *Service) letter(ctx context.Context, a MailArgs) (l letter, about []string, err error) {
	l.MailArgs = a
	if len(a.To) == 0 {
		return l, nil, invalid("to has no address", "name at least one recipient")
	}
	if err := addresses("to", a.To); err != nil {
		return l, nil, err
	}
	if err := addresses("to and cc", append(orEmpty(a.To), a.CC...)); err != nil {
		return l, nil, err
	}
	if err := line("subject", a.Subject, maxLine); err != nil {
		return l, nil, err
	}
	if err := prose("body", a.Body); err != nil {
		return l, nil, err
	}
	if l.from, err = s.account(ctx, a.Account); err != nil {
		return l, nil, err
	}
	about = []string{"From the account " + l.from.told() + " to " + people(len(a.To)+len(a.CC)) + ", as plain text of " +
		fmt.Sprint(utf8.RuneCountInString(a.Body)) + " characters."}
	if a.ReplyTo != "" {
		original, err := s.message(ctx, a.ReplyTo)
		if err != nil {
			return l, nil, err
		}
		l.answers = original.ID
		about = append(about, "It answers the message "+plain.Quoted(original.Subject, 160)+" from "+plain.Quoted(original.From, 120)+
			", whose text Outlook quotes below it.")
		if !strings.EqualFold(a.To[0], original.From) || len(a.To) > 1 {
			about = append(about, "Not only, or not at all, to who wrote that message.")
		}
	}
	return l, about, nil
}

func people(n int) string {
	if n == 1 {
		return "1 person"
	}
	return strconv.Itoa(n) + " people"
}

// Draft plans a draft (email_draft).
func (s *Service) Draft(ctx context.Context, a MailArgs) (p Planned[Drafted], err error) {
	const operation = "email_draft"
	defer failing(operation, &err)
	l, about, err := s.letter(ctx, a)
	if err != nil {
		return p, err
	}
	p.About = append(about, "It stays in Outlook's folder of drafts. Nobody gets it.")
	p.Do = func(ctx context.Context) (out Drafted, err error) {
		defer failing(operation, &err)
		var made struct {
			ID int `json:"id"`
		}
		if err := s.write(ctx, operation, l.from, nil, l.asked(), &made); err != nil {
			return out, err
		}
		if made.ID <= 0 {
			return out, unknownAfter(failed(0), true)
		}
		return Drafted{true, draftPrefix + strconv.Itoa(made.ID), l.from.Name, l.To, l.Subject}, nil
	}
	return p, nil
}

// Send plans the sending of a message (email_send).
func (s *Service) Send(ctx context.Context, a MailArgs) (p Planned[Sent], err error) {
	const operation = "email_send"
	defer failing(operation, &err)
	l, about, err := s.letter(ctx, a)
	if err != nil {
		return p, err
	}
	if err := s.may(l.from, emailSend); err != nil {
		return p, err
	}
	p.About = append(about, "It is sent at once and cannot be taken back.")
	p.Do = func(ctx context.Context) (out Sent, err error) {
		defer failing(operation, &err)
		var made struct {
			Sent bool `json:"sent"`
		}
		if err := s.write(ctx, operation, l.from, []string{emailSend}, l.asked(), &made); err != nil {
			return out, err
		}
		if !made.Sent {
			return out, unknownAfter(failed(0), true)
		}
		return Sent{true, l.from.Name, l.To, orEmpty(l.CC), l.Subject}, nil
	}
	return p, nil
}
