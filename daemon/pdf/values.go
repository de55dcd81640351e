package pdf

import (
	"bytes"
	"context"
	"errors"
	"io"

	"showhow/daemon/document"
	"showhow/daemon/pdf/beside"
	"showhow/daemon/pdf/table"
	"showhow/daemon/wire"
)

// ReadValues reads what stands at places of a document. Nothing of it is kept.
func (s *Service) ReadValues(ctx context.Context, by document.Owner, q wire.AcrobatReadValuesRequest) (wire.PDFValues, error) {
	made, _, err := s.perform(ctx, by, valuesTask(q.AcrobatSourceRef, q.Places))
	out, _ := made.(wire.PDFValues)
	return out, err
}

// ValuesOf is ReadValues of a document that is nowhere but in memory, for the person.
func (s *Service) ValuesOf(ctx context.Context, doc []byte, at []wire.DocumentPlace) ([]string, error) {
	made, err := s.own(ctx, doc, valuesTask(wire.AcrobatSourceRef{}, at))
	out, _ := made.(wire.PDFValues)
	return out.Values, err
}

// WordsOf reads a document of the person's, so that values can be looked for in it. Keep it in memory only.
func (s *Service) WordsOf(ctx context.Context, doc []byte) (*beside.Document, error) {
	made, err := s.own(ctx, doc, task{capability: wire.AcrobatText, most: maxValuePages,
		do: func(ctx context.Context, w *work) (any, error) { return wordsOf(ctx, w) }})
	out, _ := made.(*beside.Document)
	return out, err
}

// own performs an operation on a document of the person's, and a receipt says so.
func (s *Service) own(ctx context.Context, doc []byte, t task) (made any, err error) {
	t.doc = doc
	made, _, err = s.perform(ctx, document.Owner{Person: true}, t)
	return made, err
}

// maxValuePages is in how many pages values are looked for.
const maxValuePages = 200

func valuesTask(source wire.AcrobatSourceRef, at []wire.DocumentPlace) task {
	return task{capability: wire.AcrobatText, source: source, most: maxValuePages, do: func(ctx context.Context, w *work) (any, error) {
		d, err := wordsOf(ctx, w)
		if err != nil {
			return nil, err
		}
		out := wire.PDFValues{Values: []string{}, PagesInAll: w.info.pages, SchemaVersion: 1}
		for i, place := range at {
			text, err := d.Read(place)
			if err != nil {
				return nil, noValue(err, i)
			}
			out.Values = append(out.Values, text)
		}
		out.Warnings = w.warnings()
		return out, nil
	}}
}

// noValue is the error of a place at which no value can be read. It does not quote the document.
func noValue(err error, place int) error {
	switch {
	case errors.Is(err, beside.ErrAmbiguous):
		return failed("value_ambiguous", "several texts of the document stand at those words").WithDetail("place", place).
			WithHint("name both the words to its left (--beside) and those above it (--under), or read the text yourself: showhow pdf text FILE")
	case errors.Is(err, beside.ErrForm):
		return failed("value_form", "what stands at those words is no number that can be read in one way only").WithDetail("place", place).
			WithHint("leave --as away, which gives the text as it stands")
	}
	return failed("value_absent", "nothing stands at those words in the document").WithDetail("place", place).
		WithHint("showhow pdf text FILE shows what stands in it; the words are compared without case and the colon behind them")
}

func wordsOf(ctx context.Context, w *work) (*beside.Document, error) {
	var pages [][]table.Word
	for _, x := range w.pages {
		words, err := w.words(ctx, x)
		if err != nil {
			return nil, err
		}
		lie, err := w.sheets(ctx, x)
		if err != nil {
			return nil, err
		}
		for n := x.from; n <= x.to; n++ {
			if err := over(ctx); err != nil {
				return nil, err
			}
			if len(words[n]) == maxWords {
				w.warns("words_cut", n)
			}
			pages = append(pages, asShown(words[n], lie[n]))
		}
	}
	return beside.New(pages), nil
}

// inMemory is a document that a caller has.
func inMemory(doc []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(doc)) }
