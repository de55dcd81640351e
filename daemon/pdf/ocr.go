package pdf

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"

	"showhow/daemon/document"
	"showhow/daemon/pdf/table"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// MaxOCRPages is how many pages are recognised at once.
const MaxOCRPages = 20

// Bounds of recognition.
const (
	ocrTime      = 5 // times that of another operation
	ocrResolve   = 300
	maxSide      = 5000 // pixels of a page's longer side
	maxLanguages = 3
)

// OCR recognises the text in the pictures of pages.
func (s *Service) OCR(ctx context.Context, by document.Owner, q wire.AcrobatOCRRequest) (wire.AcrobatOperationResponse, error) {
	return s.kept(ctx, by, wire.DocumentOCR, s.ocrTask(q))
}

// ReadOCR is OCR whose result is given at once and not kept.
func (s *Service) ReadOCR(ctx context.Context, by document.Owner, q wire.AcrobatOCRRequest) (wire.PDFRecognised, error) {
	made, _, err := s.perform(ctx, by, s.ocrTask(q))
	out, _ := made.(wire.PDFRecognised)
	return out, err
}

func (s *Service) ocrTask(q wire.AcrobatOCRRequest) task {
	return task{capability: wire.AcrobatOCR, source: q.AcrobatSourceRef, most: MaxOCRPages, times: ocrTime,
		do: func(ctx context.Context, w *work) (any, error) { return ocr(ctx, w, q.LanguageHint) }}
}

func ocr(ctx context.Context, w *work, hint string) (out wire.PDFRecognised, err error) {
	out = wire.PDFRecognised{Pages: []wire.PDFRecognisedPage{}, PagesInAll: w.info.pages, SchemaVersion: 1}
	if out.Languages, err = w.languages(ctx, hint); err != nil {
		return out, err
	}
	for _, x := range w.pages {
		for n := x.from; n <= x.to; n++ {
			p, _, err := w.recognise(ctx, n, out.Languages)
			if err != nil {
				return out, err
			}
			if strings.TrimSpace(p.Text) == "" {
				w.warns("pages_without_text", n)
			}
			out.Pages = append(out.Pages, p)
		}
	}
	out.Warnings = w.warnings()
	return out, nil
}

// languages are those that are to be recognised, as tesseract names them: those of the hint, which must be installed, or
// without a hint the installed ones, and only English if they are many.
func (w *work) languages(ctx context.Context, hint string) (out []string, err error) {
	r, err := w.exec(ctx, sandbox.Command{Args: []string{"tesseract", "--list-langs"}})
	if err != nil {
		return nil, err
	}
	var installed []string
	for line := range strings.Lines(string(r.Stdout)) {
		if l := strings.TrimSpace(line); l != "" && !strings.ContainsAny(l, " :") && l != "osd" && l != "equ" {
			installed = append(installed, l)
		}
	}
	if hint == "" {
		switch {
		case len(installed) == 0:
			return nil, noLanguage("eng", installed)
		case len(installed) > maxLanguages && slices.Contains(installed, "eng"):
			return []string{"eng"}, nil
		}
		return installed[:min(len(installed), maxLanguages)], nil
	}
	for said := range strings.FieldsFuncSeq(hint, func(r rune) bool { return r == '+' || r == ',' || r == ' ' }) {
		l := said
		if !slices.Contains(installed, l) {
			l = tesseractName(said)
		}
		if !slices.Contains(installed, l) {
			return nil, noLanguage(l, installed)
		}
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	if len(out) == 0 || len(out) > maxLanguages {
		return nil, fault.Newf(fault.InvalidRequest, "the languages must be one to %d", maxLanguages).WithHint("write them as eng+deu")
	}
	return out, nil
}

// tesseractName is a language as tesseract names it: de is deu, and Chinese is named by its letters. "" if there is no such
// language.
func tesseractName(said string) string {
	tag, err := language.Parse(said)
	if err != nil {
		if plainName(said) {
			return said // one that tesseract alone knows: deu_latf
		}
		return ""
	}
	base, _ := tag.Base()
	switch name := base.ISO3(); name {
	case "zho":
		if script, _ := tag.Script(); script.String() == "Hant" {
			return "chi_tra"
		}
		return "chi_sim"
	case "nob", "nno":
		return "nor"
	default:
		return name
	}
}

func plainName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_") == "" && s[0] != '_'
}

// noLanguage is the error of a language that is not installed; it names the package that has it.
func noLanguage(name string, installed []string) error {
	have := "none is installed"
	if len(installed) > 0 {
		have = "installed are " + strings.Join(installed, ", ")
	}
	if name == "" {
		return fault.New(fault.AcrobatOCR, "the language is unknown").WithDetail("installed", installed).
			WithHint("name it as eng or en; " + have + "; `apt-cache search tesseract-ocr` lists more")
	}
	return fault.Newf(fault.AcrobatOCR, "the language %s is not installed for tesseract", name).WithDetail("package", packageOf(name)).
		WithDetail("installed", installed).WithHint(installLanguage(name) + "; " + have)
}

// packageOf is the Debian package of a language of tesseract's.
func packageOf(name string) string { return "tesseract-ocr-" + strings.ReplaceAll(name, "_", "-") }

// installLanguage is the command that installs a language of tesseract's.
func installLanguage(name string) string { return "sudo apt-get install " + packageOf(name) }

// recognise draws a page as a picture of a bounded size and reads it. Places are in points, as elsewhere.
func (w *work) recognise(ctx context.Context, page int, languages []string) (out wire.PDFRecognisedPage, on []line, err error) {
	out = wire.PDFRecognisedPage{Page: page, Words: []wire.PDFRecognisedWord{}}
	unread := func() (wire.PDFRecognisedPage, []line, error) {
		w.warns("pages_unreadable", page)
		return out, nil, nil
	}
	sizes, err := w.poppler(ctx, "pdfinfo", span{page, page}, w.file)
	if err != nil {
		return out, nil, err
	}
	long := longSide(string(sizes.Stdout), page)
	if long <= 0 {
		return unread()
	}
	side := int(min(math.Ceil(long*ocrResolve/72), maxSide))
	n := strconv.Itoa(page)
	r, err := w.exec(ctx, sandbox.Command{Args: []string{"pdftoppm", "-q", "-gray", "-cropbox", "-f", n, "-l", n, "-scale-to",
		strconv.Itoa(side), "-singlefile", w.file, "page"}})
	if err != nil {
		return out, nil, err
	}
	if r.ExitCode != 0 {
		return unread()
	}
	dots := float64(side) * 72 / long
	// One thread: the bound of processes is for all programs, and pages are small.
	r, err = w.exec(ctx, sandbox.Command{Args: []string{"tesseract", "page.pgm", "stdout", "-l", strings.Join(languages, "+"), "--dpi",
		strconv.Itoa(max(int(dots), 70)), "tsv"}, Env: map[string]string{"OMP_THREAD_LIMIT": "1"}})
	if err != nil {
		return out, nil, err
	}
	if r.ExitCode != 0 {
		return unread()
	}
	on, sure := recognised(r.Stdout, 72/dots)
	out.Text = textOf(on)
	for _, l := range on {
		for _, word := range l.words {
			c := sure[len(out.Words)]
			out.Words = append(out.Words, wire.PDFRecognisedWord{Text: word.Text, Confidence: c, Place: placeOf(word.Rect)})
			out.Confidence += c
		}
	}
	if n := len(out.Words); n > 0 {
		out.Confidence = math.Round(out.Confidence/float64(n)*10) / 10
	}
	return out, on, w.spend(len(out.Text) + sizeOfCell*len(out.Words))
}

// longSide is a page's longer side in points, as pdfinfo tells it after the document's own words; 0 if it could not be opened.
func longSide(said string, page int) (out float64) {
	for line := range strings.SplitSeq(said, "\n") {
		var n int
		var width, height float64
		if strings.HasPrefix(line, "Pages:") {
			out = 0
		} else if _, err := fmt.Sscanf(line, "Page %d size: %g x %g", &n, &width, &height); err == nil && n == page && width > 0 && height > 0 {
			out = max(width, height)
		}
	}
	if math.IsInf(out, 0) || math.IsNaN(out) {
		return 0
	}
	return out
}

// recognised reads tesseract's table of words: lines, and how sure it is of each word.
func recognised(tsv []byte, scale float64) (out []line, sure []float64) {
	var before [3]string // block, paragraph, line
	lines := bufio.NewScanner(bytes.NewReader(tsv))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() && len(sure) < maxWords {
		f := strings.Split(lines.Text(), "\t")
		if len(f) != 12 || f[0] != "5" { // 5: a word
			continue
		}
		said := strings.Join(strings.Fields(readable(strings.ToValidUTF8(f[11], ""))), " ")
		var n [5]float64
		ok := said != ""
		for i, s := range f[6:11] {
			v, err := number(s)
			ok = ok && err == nil && v >= 0
			n[i] = v
		}
		if !ok {
			continue
		}
		now := [3]string{f[2], f[3], f[4]}
		switch {
		case len(out) == 0:
			out = append(out, line{})
		case now[0] != before[0] || now[1] != before[1]:
			out = append(out, line{block: out[len(out)-1].block + 1})
		case now != before:
			out = append(out, line{block: out[len(out)-1].block})
		}
		before = now
		l := &out[len(out)-1]
		l.words = append(l.words, table.Word{Text: said, Rect: table.Rect{X0: n[0] * scale, Y0: n[1] * scale, X1: (n[0] + n[2]) * scale,
			Y1: (n[1] + n[3]) * scale}})
		sure = append(sure, math.Round(n[4]*10)/10)
	}
	return out, sure
}

// textOf is the text of lines. They end as on the page, and an empty line is between paragraphs.
func textOf(lines []line) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 && l.block != lines[i-1].block {
			b.WriteByte('\n')
		}
		for k, w := range l.words {
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// ocrMissing is the error where tesseract is not installed, nil where it is.
func (s *Service) ocrMissing() error {
	if len(s.missing("tesseract")) == 0 {
		return nil
	}
	how := install([]string{"tesseract"})
	return fault.New(fault.AcrobatOCR, "tesseract is not installed").WithHint(how).WithDetail("programs", []string{"tesseract"}).
		WithDetail("install", how)
}

// timeOf is how long a task may take.
func (s *Service) timeOf(t task) time.Duration { return s.o.Time * time.Duration(max(t.times, 1)) }
