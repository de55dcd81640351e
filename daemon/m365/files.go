package m365

import (
	"cmp"
	"context"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// item is a driveItem, as far as it is read.
type item struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	WebURL   string         `json:"webUrl"`
	Modified string         `json:"lastModifiedDateTime"`
	File     map[string]any `json:"file"`
	Folder   map[string]any `json:"folder"`
	Parent   struct {
		DriveID string `json:"driveId"`
	} `json:"parentReference"`
}

func (x item) ref() string { return refOf(x.Parent.DriveID, x.ID) }

const itemFields = "id,name,webUrl,lastModifiedDateTime,file,folder,parentReference"

func (x item) document() document {
	return document{DocumentRef: x.ref(), Title: plain.Clip(x.Name, 240), ModifiedAt: when(x.Modified), URL: link(x.WebURL)}
}

// link is an address as an answer may hold it; "" for what is none.
func link(raw string) string {
	if u, err := url.Parse(raw); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	return raw
}

func selecting(fields string, most int) url.Values {
	v := url.Values{"$select": {fields}}
	if most > 0 {
		v.Set("$top", strconv.Itoa(most))
	}
	return v
}

// files lists the files in a folder, at most most.
func (g *graph) files(ctx context.Context, folder string, most int) ([]item, error) {
	return all(ctx, g, folder+at("children"), selecting(itemFields, min(most, 200)), most, func(x item) bool { return x.File != nil })
}

func (j *job) listDocuments(ctx context.Context) (any, error) {
	q := j.q
	folder := ""
	switch {
	case isLink(q.FolderRef) || strings.HasPrefix(q.FolderRef, "drives/"):
		var err error
		if folder, err = itemAt(q.FolderRef); err != nil {
			return nil, err
		}
	default:
		drive, err := j.drive(ctx)
		if err != nil {
			return nil, err
		}
		id, err := segment(cmp.Or(q.FolderRef, "root"), "the folder")
		if err != nil {
			return nil, err
		}
		folder = at("drives", drive, "items", id)
	}
	found, err := j.g.files(ctx, folder, cmp.Or(q.MaxResults, 50))
	out := documentList{OperationFamily: ListDocuments, Documents: []document{}}
	for _, x := range found {
		out.Documents = append(out.Documents, x.document())
	}
	return out, err
}

// drive is the library that is asked about: the one that is named, else the site's own.
func (j *job) drive(ctx context.Context) (string, error) {
	if j.q.DriveRef != "" {
		return segment(strings.TrimPrefix(j.q.DriveRef, "drives/"), "the library")
	}
	site, err := siteAt(j.q.SiteRef)
	if err != nil {
		return "", err
	}
	var d struct {
		ID string `json:"id"`
	}
	if err := j.g.get(ctx, site+at("drive"), selecting("id", 0), &d); err != nil {
		return "", err
	}
	return segment(d.ID, "the library")
}

// item reads what a document is.
func (j *job) item(ctx context.Context, ref string) (x item, err error) {
	where, err := itemAt(ref)
	if err != nil {
		return x, err
	}
	if j.app && strings.HasPrefix(where, "/me/") {
		return x, fault.New(fault.InvalidRequest, "an application has no OneDrive of its own").WithHint("name the document with its drive")
	}
	err = j.g.get(ctx, where, selecting(itemFields, 0), &x)
	if err == nil && x.ID == "" {
		err = unusable("unreadable", "Microsoft Graph answered something else than was asked for")
	}
	return x, err
}

// fetch is the content of a file.
func (j *job) fetch(ctx context.Context, x item, alone bool) ([]byte, error) {
	if x.File == nil {
		return nil, fault.New(fault.InvalidRequest, "this is a folder, not a file")
	}
	where, err := itemAt(x.ref())
	if err != nil {
		return nil, err
	}
	return j.g.content(ctx, where+at("content"), alone)
}

// keep keeps a content for the agent.
func (j *job) keep(ctx context.Context, x item, b []byte) (string, error) {
	if j.s.o.Keep == nil {
		return "", fault.New(fault.AdapterUnavailable, "contents are kept nowhere here").WithHint("leave include_content out")
	}
	return j.s.o.Keep(ctx, j.agent, x.Name, b)
}

func (j *job) fetchFile(ctx context.Context) (any, error) {
	x, err := j.item(ctx, j.q.DriveItemRef)
	if err != nil {
		return nil, err
	}
	out := fileResult{OperationFamily: FetchFile, DocumentRef: x.ref(), FileName: plain.Clip(x.Name, 240)}
	if !j.q.IncludeContent {
		return out, nil
	}
	b, err := j.fetch(ctx, x, false)
	if err == nil {
		out.ContentRef, err = j.keep(ctx, x, b)
	}
	return out, err
}

func (j *job) word(ctx context.Context) (x item, b []byte, comments []Comment, err error) {
	if x, err = j.item(ctx, j.q.DocumentRef); err != nil {
		return
	}
	if !strings.EqualFold(path.Ext(x.Name), ".docx") {
		err = fault.New(fault.InvalidRequest, "this is no Word document").
			WithHint("only .docx is read; fetch another file with onedrive_fetch_file")
		return
	}
	if j.s.o.Comments == nil {
		err = fault.New(fault.UnsupportedInBuild, "Word documents are not read here")
		return
	}
	if b, err = j.fetch(ctx, x, true); err == nil {
		comments, err = j.s.o.Comments(b)
	}
	return
}

func (j *job) wordContent(ctx context.Context) (any, error) {
	x, b, comments, err := j.word(ctx)
	if err != nil {
		return nil, err
	}
	out := wordResult{OperationFamily: WordContent, DocumentRef: x.ref(), CommentCount: len(comments)}
	out.ContentRef, err = j.keep(ctx, x, b)
	return out, err
}

func (j *job) wordComments(ctx context.Context) (any, error) {
	x, _, comments, err := j.word(ctx)
	if err != nil {
		return nil, err
	}
	out := commentsResult{OperationFamily: WordComments, DocumentRef: x.ref(), Comments: []Comment{}}
	for _, c := range comments[:min(len(comments), cmp.Or(j.q.MaxResults, 100))] {
		c.CommentID, c.Author, c.Preview = plain.Clip(c.CommentID, 240), plain.Clip(c.Author, 240), plain.Clip(c.Preview, 500)
		out.Comments = append(out.Comments, c)
	}
	return out, nil
}

// fits reports whether a file may be the document that is looked for.
func (j *job) fits(b wire.ProjectBinding, x item) bool {
	name := strings.ToLower(x.Name)
	kind := strings.TrimPrefix(path.Ext(name), ".")
	if len(b.PreferredDocTypes) > 0 && !slices.ContainsFunc(b.PreferredDocTypes, func(t string) bool {
		return strings.EqualFold(strings.TrimPrefix(t, "."), kind)
	}) {
		return false
	}
	for _, word := range strings.Fields(strings.ToLower(j.q.TitleHint + " " + j.q.DocumentRole)) {
		if !strings.Contains(name, word) {
			return false
		}
	}
	return true
}

// latest is the newest of files; false when there is none.
func latest(files []item) (item, bool) {
	if len(files) == 0 {
		return item{}, false
	}
	return slices.MaxFunc(files, func(a, b item) int { return cmp.Or(cmp.Compare(a.Modified, b.Modified), cmp.Compare(b.ID, a.ID)) }), true
}

// mostBound bounds the files of one bound place that are looked at.
const mostBound = 1000

func (j *job) latestDocument(ctx context.Context) (any, error) {
	out := latestResult{OperationFamily: LatestDocument, ProjectID: j.q.ProjectID, ResolvedVia: "none"}
	var bound wire.ProjectBinding
	if j.s.o.Binding != nil {
		b, ok, err := j.s.o.Binding(ctx, j.q.ProjectID)
		if err != nil {
			return nil, err
		}
		if ok {
			bound = b
		}
	}
	files := []item{}
	for _, ref := range append(slices.Clone(bound.OnedriveRefs), bound.SharepointRefs...) {
		found, err := j.boundFiles(ctx, bound, ref)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	if x, ok := latest(files); ok {
		out.DocumentRef, out.ResolvedVia = x.ref(), "project_binding"
		return out, nil
	}
	words := strings.Join(strings.Fields(cmp.Or(bound.ProjectID, j.q.ProjectID)+" "+j.q.DocumentRole+" "+j.q.TitleHint), " ")
	found, err := j.g.search(ctx, "driveItem", words, 50)
	if err != nil {
		return nil, err
	}
	for _, h := range found {
		if x := h.Resource.item; x.ID != "" && x.Folder == nil && j.fits(bound, x) {
			files = append(files, x)
		}
	}
	if x, ok := latest(files); ok {
		out.DocumentRef, out.ResolvedVia = x.ref(), "connector_search"
	}
	return out, nil
}

// isNotThere reports whether a reference leads to nothing of its kind that the account may see.
func isNotThere(err error) bool {
	return statusOf(err) == 400 || statusOf(err) == 403 || statusOf(err) == 404 || fault.Is(err, fault.InvalidRequest)
}

// boundFiles are the fitting files at a place that the person bound: a file, a folder, or a site's library. A place that
// is gone has none.
func (j *job) boundFiles(ctx context.Context, b wire.ProjectBinding, ref string) ([]item, error) {
	x, err := j.item(ctx, ref)
	folder := ""
	switch {
	case err == nil && x.File != nil:
		return slices.DeleteFunc([]item{x}, func(x item) bool { return !j.fits(b, x) }), nil
	case err == nil:
		folder, err = itemAt(x.ref())
	case isNotThere(err): // no document: a site, then
		site := &job{s: j.s, g: j.g, q: request{SiteRef: ref}}
		drive, bad := site.drive(ctx)
		if bad != nil {
			if isNotThere(bad) {
				return nil, nil
			}
			return nil, bad
		}
		folder, err = at("drives", drive, "items", "root"), nil
	}
	if err != nil {
		return nil, err
	}
	found, err := j.g.files(ctx, folder, mostBound)
	return slices.DeleteFunc(found, func(x item) bool { return !j.fits(b, x) }), err
}
