package pdf

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"showhow/daemon/document"
	"showhow/daemon/pdf/table"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// sheetOf is how a page lies: its boxes in the document's own coordinates, whose y rises, and how far it is turned.
type sheetOf struct {
	media, crop table.Rect
	turned      int
}

// sheets are how a row of pages lies.
func (w *work) sheets(ctx context.Context, x span) (map[int]sheetOf, error) {
	boxes, err := w.poppler(ctx, "pdfinfo", x, "-box", w.file)
	return sheets(string(boxes.Stdout)), err
}

// sheets reads how pages lie from what pdfinfo -box says after the document's own words.
func sheets(said string) map[int]sheetOf {
	out := map[int]sheetOf{}
	for line := range strings.SplitSeq(said, "\n") {
		if strings.HasPrefix(line, "Pages:") {
			clear(out)
		}
		f := strings.Fields(line)
		if len(f) < 4 || f[0] != "Page" {
			continue
		}
		n, err := strconv.Atoi(f[1])
		s := out[n]
		switch {
		case err != nil:
			continue
		case f[2] == "rot:":
			s.turned, _ = strconv.Atoi(f[3])
		case len(f) == 7 && (f[2] == "MediaBox:" || f[2] == "CropBox:"):
			var v [4]float64
			for i := range v {
				if v[i], err = number(f[3+i]); err != nil {
					v = [4]float64{}
					break
				}
			}
			r := table.Rect{X0: min(v[0], v[2]), Y0: min(v[1], v[3]), X1: max(v[0], v[2]), Y1: max(v[1], v[3])}
			if f[2] == "MediaBox:" {
				s.media = r
			} else {
				s.crop = r
			}
		}
		out[n] = s
	}
	return out
}

func (s sheetOf) whole() bool {
	return s.media.X1 > s.media.X0 && s.media.Y1 > s.media.Y0 && s.crop.X1 > s.crop.X0 && s.crop.Y1 > s.crop.Y0
}

// own is a rectangle on the page as it is shown, from the upper left corner of a box, in the document's own coordinates.
func (s sheetOf) own(box, r table.Rect) table.Rect {
	at := func(x, y float64) (float64, float64) {
		switch s.turned {
		case 90:
			return box.X0 + y, box.Y0 + x
		case 180:
			return box.X1 - x, box.Y0 + y
		case 270:
			return box.X1 - y, box.Y1 - x
		}
		return box.X0 + x, box.Y1 - y
	}
	return corners(at, r)
}

// shown is a rectangle in the document's own coordinates on the page as it is shown, from the upper left corner of its crop box.
func (s sheetOf) shown(r table.Rect) table.Rect {
	box := s.crop
	at := func(x, y float64) (float64, float64) {
		switch s.turned {
		case 90:
			return y - box.Y0, x - box.X0
		case 180:
			return box.X1 - x, y - box.Y0
		case 270:
			return box.Y1 - y, box.X1 - x
		}
		return x - box.X0, box.Y1 - y
	}
	return corners(at, r)
}

func corners(at func(x, y float64) (float64, float64), r table.Rect) table.Rect {
	x0, y0 := at(r.X0, r.Y0)
	x1, y1 := at(r.X1, r.Y1)
	return table.Rect{X0: min(x0, x1), Y0: min(y0, y1), X1: max(x0, x1), Y1: max(y0, y1)}
}

func around(rs ...table.Rect) table.Rect {
	out := rs[0]
	for _, r := range rs[1:] {
		out = table.Rect{X0: min(out.X0, r.X0), Y0: min(out.Y0, r.Y0), X1: max(out.X1, r.X1), Y1: max(out.Y1, r.Y1)}
	}
	return out
}

// mark is what is to be marked on a page, in the document's own coordinates: a rectangle for each line.
type mark struct {
	page    int
	pattern string
	rects   []table.Rect
}

// qpdf runs qpdf on the document as it came, so that a copy is encrypted as it is. It says nothing on its output.
func (w *work) qpdf(ctx context.Context, args ...string) error {
	c := sandbox.Command{Args: append([]string{"qpdf"}, args...)}
	if w.password != "" {
		c.Args = slices.Insert(c.Args, 1, "--password-file=-")
		c.Stdin = io.NopCloser(strings.NewReader(w.password))
	}
	r, err := w.exec(ctx, c)
	if err == nil && r.ExitCode != 0 && r.ExitCode != 3 { // 3: with warnings
		err = damaged("the document is damaged")
	}
	return err
}

// objects has qpdf write objects of a document as JSON, and reads them.
func (w *work) objects(ctx context.Context, name string, into any, args ...string) error {
	if err := w.qpdf(ctx, append(append([]string{"--json=2"}, args...), "in.pdf", name)...); err != nil {
		return err
	}
	err := w.made(name, func(f io.Reader) error {
		b, err := io.ReadAll(io.LimitReader(f, int64(w.left)+1))
		if err == nil {
			err = w.spend(len(b))
		}
		if err == nil && json.Unmarshal(b, into) != nil {
			err = damaged("the document is damaged")
		}
		return err
	})
	if fault.Is(err, fault.NotFound) {
		return damaged("the document is damaged")
	}
	return err
}

type objectsJSON struct {
	Pages []struct {
		Object string `json:"object"`
	} `json:"pages"`
	Objects []json.RawMessage `json:"qpdf"`
}

// byName are objects by their names, as obj:5 0 R, and the highest number of one.
func (o objectsJSON) byName() (objects map[string]struct {
	Value json.RawMessage `json:"value"`
}, highest int) {
	if len(o.Objects) != 2 {
		return nil, 0
	}
	var head struct {
		Highest int `json:"maxobjectid"`
	}
	_ = json.Unmarshal(o.Objects[0], &head)
	_ = json.Unmarshal(o.Objects[1], &objects)
	return objects, head.Highest
}

// pagesAtOnce bounds a command line.
const pagesAtOnce = 400

// pagesToMark are the objects of the document's pages, and the highest number of an object.
func (w *work) pagesToMark(ctx context.Context) (tree objectsJSON, highest int, err error) {
	var trailer objectsJSON
	if err := w.objects(ctx, "pages.json", &tree, "--json-key=pages"); err != nil {
		return tree, 0, err
	}
	if err := w.objects(ctx, "trailer.json", &trailer, "--json-key=qpdf", "--json-object=trailer"); err != nil {
		return tree, 0, err
	}
	if _, highest = trailer.byName(); len(tree.Pages) != w.info.pages || highest <= 0 {
		return tree, 0, selfReferring()
	}
	return tree, highest, nil
}

// marked makes a copy of the document with redact annotations, which nothing has been removed from, and returns it.
func (w *work) marked(ctx context.Context, marks []mark) ([]byte, error) {
	tree, highest, err := w.pagesToMark(ctx)
	if err != nil {
		return nil, err
	}
	byPage := map[string][]mark{}
	var names []string
	for _, m := range marks {
		name := tree.Pages[m.page-1].Object
		var n, g int
		if _, err := fmt.Sscanf(name, "%d %d R", &n, &g); err != nil || n <= 0 || n > highest { // qpdf gave a repeated page a new number
			return nil, selfReferring()
		}
		if byPage[name] == nil {
			names = append(names, name)
		}
		byPage[name] = append(byPage[name], m)
	}
	for i, p := range tree.Pages {
		if byPage[p.Object] != nil && slices.ContainsFunc(byPage[p.Object], func(m mark) bool { return m.page != i+1 }) {
			return nil, selfReferring()
		}
	}
	u := update{next: highest, objects: map[string]any{}}
	for part := range slices.Chunk(names, pagesAtOnce) {
		pages, err := w.named(ctx, part)
		if err != nil {
			return nil, err
		}
		var lists []string // of annotations, that stand elsewhere
		for _, name := range part {
			if ref := refIn(pages[name]["/Annots"]); ref != "" {
				lists = append(lists, ref)
			}
		}
		elsewhere, err := w.values(ctx, lists)
		if err != nil {
			return nil, err
		}
		for _, name := range part {
			page := pages[name]
			if page == nil {
				return nil, damaged("the document is damaged")
			}
			raw := page["/Annots"]
			if ref := refIn(raw); ref != "" {
				raw = elsewhere[ref]
			}
			var annots []any
			if len(raw) > 0 && json.Unmarshal(raw, &annots) != nil {
				return nil, damaged("the document is damaged")
			}
			for _, m := range byPage[name] {
				annots = append(annots, u.annotation(name, m))
			}
			b, err := json.Marshal(annots)
			if err != nil {
				return nil, err
			}
			page["/Annots"] = b
			u.objects["obj:"+name] = map[string]any{"value": page}
		}
	}
	return w.updated(ctx, u)
}

func selfReferring() error {
	return failed("self_referring", "pages of the document stand in it more than once").
		WithHint("print it to a new PDF document, and prepare that")
}

// refIn is the reference that a value is, "" if it is none.
func refIn(raw json.RawMessage) string {
	var ref string
	var n, g int
	if json.Unmarshal(raw, &ref) != nil {
		return ""
	}
	if _, err := fmt.Sscanf(ref, "%d %d R", &n, &g); err != nil {
		return ""
	}
	return ref
}

// values are objects by their references.
func (w *work) values(ctx context.Context, refs []string) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	if len(refs) == 0 {
		return out, nil
	}
	args := []string{"--json-key=qpdf"}
	for _, ref := range refs {
		var n, g int
		_, _ = fmt.Sscanf(ref, "%d %d R", &n, &g)
		args = append(args, fmt.Sprintf("--json-object=%d,%d", n, g))
	}
	var found objectsJSON
	if err := w.objects(ctx, "objects.json", &found, args...); err != nil {
		return nil, err
	}
	objects, _ := found.byName()
	for _, ref := range refs {
		out[ref] = objects["obj:"+ref].Value
	}
	return out, nil
}

// named are dictionaries by their references.
func (w *work) named(ctx context.Context, refs []string) (map[string]map[string]json.RawMessage, error) {
	values, err := w.values(ctx, refs)
	if err != nil {
		return nil, err
	}
	out := map[string]map[string]json.RawMessage{}
	for ref, raw := range values {
		var d map[string]json.RawMessage
		if json.Unmarshal(raw, &d) == nil && d != nil {
			out[ref] = d
		}
	}
	return out, nil
}

// update is the objects of a document that change or are new, as qpdf takes them.
type update struct {
	next    int // the highest number of an object
	objects map[string]any
}

func (u *update) add(object any) string {
	u.next++
	ref := fmt.Sprintf("%d 0 R", u.next)
	u.objects["obj:"+ref] = object
	return ref
}

// annotation adds a redact annotation, with an appearance for programs that know none: a red frame around each line.
func (u *update) annotation(page string, m mark) string {
	round := func(x float64) float64 { return math.Round(x*100) / 100 }
	all := around(m.rects...)
	var quads []float64
	var frames strings.Builder
	frames.WriteString("1 0 0 RG 1 w\n")
	for _, r := range m.rects {
		quads = append(quads, round(r.X0), round(r.Y1), round(r.X1), round(r.Y1), round(r.X0), round(r.Y0), round(r.X1), round(r.Y0))
		fmt.Fprintf(&frames, "%.2f %.2f %.2f %.2f re S\n", r.X0, r.Y0, r.X1-r.X0, r.Y1-r.Y0)
	}
	rect := []float64{round(all.X0 - 1), round(all.Y0 - 1), round(all.X1 + 1), round(all.Y1 + 1)}
	look := u.add(map[string]any{"stream": map[string]any{"dict": map[string]any{"/Type": "/XObject", "/Subtype": "/Form", "/BBox": rect},
		"data": base64.StdEncoding.EncodeToString([]byte(frames.String()))}})
	return u.add(map[string]any{"value": map[string]any{"/Type": "/Annot", "/Subtype": "/Redact", "/Rect": rect, "/QuadPoints": quads,
		"/IC": []int{0, 0, 0}, "/C": []int{1, 0, 0}, "/F": 4, "/P": page, "/T": "u:Showhow", "/NM": fmt.Sprintf("u:showhow-%d", u.next),
		"/AP": map[string]any{"/N": look}}})
}

// updated is the document with what changes. It is what qpdf finds sound, and no more than a document may have.
func (w *work) updated(ctx context.Context, u update) (out []byte, err error) {
	head := map[string]any{"jsonversion": 2, "pdfversion": "1.7", "pushedinheritedpageresources": false, "calledgetallpages": false,
		"maxobjectid": u.next}
	b, err := json.Marshal(map[string]any{"version": 2, "parameters": map[string]any{"decodelevel": "none"}, "qpdf": []any{head, u.objects}})
	if err == nil {
		err = w.spend(len(b))
	}
	if err == nil {
		err = w.put("update.json", b)
	}
	if err != nil {
		return nil, err
	}
	if err := w.qpdf(ctx, "--min-version=1.7", "in.pdf", "--update-from-json=update.json", "marked.pdf"); err != nil {
		return nil, err
	}
	if err := w.qpdf(ctx, "--check", "marked.pdf"); err != nil {
		return nil, err
	}
	err = w.made("marked.pdf", func(f io.Reader) error {
		out, err = io.ReadAll(io.LimitReader(f, document.MaxSize+1))
		return err
	})
	if fault.Is(err, fault.NotFound) {
		return nil, damaged("the document is damaged")
	}
	if err == nil && len(out) > document.MaxSize {
		err = tooMuch()
	}
	return out, err
}

// put writes a new file into the box.
func (w *work) put(name string, b []byte) error {
	files, err := w.box.Files()
	if err == nil {
		defer files.Close()
		var f *os.File
		if f, err = files.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			_, err = f.Write(b)
			err = joinEnd(err, f.Close())
		}
	}
	if err != nil {
		return fault.Wrap(err, fault.StoreFull, "the document's marks cannot be put into the sandbox").WithHint("check the free space")
	}
	return nil
}

func placesOf(s sheetOf, m mark) (out []wire.PDFPlace) {
	for _, r := range m.rects {
		out = append(out, placeOf(s.shown(r)))
	}
	return out
}
