package ability

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/capability/health"
	"showhow/daemon/skill"
	"showhow/internal/plain"
)

// Called is a call to a connector that an agent made, without what was sent or answered.
type Called struct {
	Agent           string // its name in policies
	Connector, Tool string // Tool is its name at the door
	Result          health.Result
	Code            string // of a failure
}

// NoteCalled counts a call for the abilities that need the connector and that its agent follows at that moment: it
// opened them, or reported on them, within the hour. An ability that names tools of the connector counts calls of those
// alone. The agent chose what was sent, so the outcome counts as its report. A call that says nothing of an ability (a
// sign-in, throttling, no answer) is no outcome.
func (s *Outcomes) NoteCalled(ctx context.Context, c Called) error {
	if c.Result == health.Inconclusive || !s.following.any(c.Agent, s.now()) {
		return nil
	}
	users, err := s.users(ctx, c.Connector)
	for _, id := range users {
		by := s.following.mark(c.Agent, id, s.now())
		if by == "" {
			continue
		}
		of, kept, unread := s.content(ctx, id)
		if err = errors.Join(err, unread); kept && !mayCall(of.Bundle, c.Connector, c.Tool) {
			continue
		}
		o := health.Outcome{Source: health.Connector, Result: c.Result, Step: plain.Cut(c.Tool, 160), By: by}
		if c.Result == health.Failed {
			o.Code = plain.Cut(c.Code, 80)
		}
		_, failed := s.Report(ctx, id, "", nil, o)
		err = errors.Join(err, failed)
	}
	return err
}

// mayCall reports whether following a skill may lead to a call of a tool: its files name the tool, or none of the
// connector's.
func mayCall(b skill.Bundle, connector, tool string) bool {
	other := false
	for _, f := range b.Files {
		if !utf8.Valid(f.Data) {
			continue
		}
		for word := range strings.FieldsFuncSeq(string(f.Data), noName) {
			// An agent may put its own name for the server in front: mcp__showhow__tracker__find.
			_, named, found := strings.Cut(doorSeparator+word, doorSeparator+connector+doorSeparator)
			if found && (named == "" || connector+doorSeparator+named == tool) {
				return true
			}
			other = other || found
		}
	}
	return !other
}

// doorSeparator separates connector and tool in a tool's name at the door.
const doorSeparator = "__"

// noName reports whether a character cannot be part of a tool's name at the door.
func noName(r rune) bool {
	return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// users lists the abilities that need a connector.
func (s *Outcomes) users(ctx context.Context, connector string) (out []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range w.abilities {
		if slices.Contains(a.RequiredConnectors, connector) {
			out = append(out, a.AbilityID)
		}
	}
	return out, nil
}
