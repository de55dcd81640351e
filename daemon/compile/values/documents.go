package values

import (
	"cmp"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/capture/cmdline"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
)

// reader is a command of the demonstrations that read a document.
type reader struct {
	column int
	events map[string]bool
}

// learnReaders finds the commands that read documents, so that values which were read in one lead to its step. Those of
// a loop, or with anything besides in their line, are none: which document a value came from would be a guess.
func learnReaders(s *Study) {
	for _, c := range s.Columns {
		if len(c.Rounds) > 0 {
			continue
		}
		r := reader{c.ID, map[string]bool{}}
		for _, a := range c.Acts {
			if a == nil || a.Command == nil {
				continue
			}
			if _, ok := DocumentOf(page.MasksToRefs(a.Command.Line)); ok {
				for _, id := range a.Events() {
					r.events[id] = true
				}
			}
		}
		if len(r.events) > 0 {
			s.readers = append(s.readers, r)
		}
	}
}

// DocumentOf returns the document that a line shows, if the line does nothing else.
func DocumentOf(line string) (file string, ok bool) {
	l := shell.Read(&capture.Command{Line: line})
	if l.Opaque || len(l.Calls) != 1 || slices.ContainsFunc(l.Words, func(w shell.Word) bool { return w.Redirect != "" }) {
		return "", false
	}
	r, ok := cmdline.DocumentRead(append([]string{l.Calls[0].Program}, l.Calls[0].Args...))
	return r.File, ok
}

// readIn is where a document had a value in every demonstration that gave it.
type readIn struct {
	column int // of the command that read the document
	place  capture.DocumentPlace
	named  bool // by the person, in that command
}

// shownIn finds the place of a document that a value was read at, and makes it one that is read again. Sources are by
// demonstration; nil where the value was not given.
func (s *Study) shownIn(c *align.Column, p *Param, sources []*capture.Source) {
	in, ok := s.agreed(c, p, sources)
	if !ok || strings.ContainsAny(in.place.Beside+in.place.Under, "{}`") {
		return // braces are inputs in a line
	}
	if p.Source == "argument" {
		p.Label = cmp.Or(in.place.Beside, in.place.Under)
	}
	p.ReadBy = in.column + 1
	p.Read = &capture.Source{Document: &capture.InDocument{Place: &in.place}}
	p.Derived, p.Settled, p.Role = "what the document shows "+PlaceWords(p.Read.Document), true, workflow.RoleInput
}

// agreed is the one place at which the documents of all demonstrations had a value. Places that were found, not named,
// need two documents: words that stand by different values in two of them are the form's, and only then are they opened.
func (s *Study) agreed(c *align.Column, p *Param, sources []*capture.Source) (out readIn, ok bool) {
	if len(c.Rounds) > 0 || p.Read != nil || len(s.readers) == 0 {
		return out, false
	}
	var common []wire.SealedPlace
	out.column = -1
	for t, a := range c.Acts {
		if a == nil || t < len(p.Texts) && p.Texts[t] == "" {
			continue
		}
		if t >= len(sources) || sources[t] == nil || sources[t].Document == nil {
			return out, false
		}
		in := sources[t].Document
		i := slices.IndexFunc(s.readers, func(r reader) bool { return r.events[in.EventID] })
		if i < 0 || s.readers[i].column >= c.ID {
			return out, false
		}
		first := out.column < 0
		switch named := in.Place != nil; {
		case first:
			out.column, out.named, common = s.readers[i].column, named, slices.Clone(in.Places)
			if named {
				out.place = *in.Place
			}
		case out.column != s.readers[i].column, out.named != named, named && out.place != *in.Place:
			return out, false
		default:
			common = slices.DeleteFunc(common, func(at wire.SealedPlace) bool {
				return !slices.ContainsFunc(in.Places, func(o wire.SealedPlace) bool { return o.LinkID == at.LinkID })
			})
		}
	}
	if out.named || out.column < 0 {
		return out, out.named
	}
	if !p.Varied || len(common) == 0 || slices.ContainsFunc(common, func(at wire.SealedPlace) bool { return at.Spot != common[0].Spot }) {
		return out, false // one document, none of its places, or more than one
	}
	out.place, ok = capture.OpenPlace(s.In.Values[common[0].LinkID])
	return out, ok
}

// PlaceWords says in words where a document has a value.
func PlaceWords(in *capture.InDocument) string {
	var out []string
	if in.Place.Beside != "" {
		out = append(out, `beside "`+in.Place.Beside+`"`)
	}
	if in.Place.Under != "" {
		out = append(out, `under "`+in.Place.Under+`"`)
	}
	return strings.Join(out, " and ")
}

// sourcesOf are the sources of a word of a command line, by demonstration.
func sourcesOf(c *align.Column, lines []shell.Line, i int) []*capture.Source {
	out := make([]*capture.Source, len(c.Acts))
	for t, a := range c.Acts {
		if a == nil || a.Command == nil || i >= len(lines[t].Words) {
			continue
		}
		m := page.RefForm.FindStringSubmatch(lines[t].Words[i].Text)
		if m == nil || m[0] != lines[t].Words[i].Text {
			continue
		}
		for _, v := range a.Command.Sealed {
			if v.LinkID != "" && v.LinkID == strings.TrimPrefix(m[1], "@") && v.Source != nil {
				out[t] = v.Source
			}
		}
	}
	return out
}
