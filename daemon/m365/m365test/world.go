package m365test

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// File is a file or folder of the world.
type File struct {
	Drive, ID, Parent, Name, Modified string
	Folder                            bool
}

// World is what the Graph has.
type World struct {
	Files    []File
	Contents map[string][]byte // by the file's id
	Sites    map[string]string // the drive of a site, by the site's id or address
	Links    map[string]string // the id of a file, by its link
	Messages []map[string]any
	Folders  map[string][]string // ids of messages, by folder
	Drafts   []map[string]any
	Events   []map[string]any
	Chats    map[string]map[string]any // by id
	Free     map[string]string         // availabilityView, by address
	Posts    map[string][]map[string]any
	Hits     map[string][]map[string]any // by entity type
	Page     int                         // how many items a page has
	files    string
}

func newWorld() *World {
	return &World{Contents: map[string][]byte{}, Sites: map[string]string{}, Links: map[string]string{}, Folders: map[string][]string{},
		Free: map[string]string{}, Posts: map[string][]map[string]any{}, Hits: map[string][]map[string]any{}, Page: 10}
}

// Item is the file as Graph has it.
func (f File) Item() map[string]any {
	out := map[string]any{"id": f.ID, "name": f.Name, "webUrl": "https://contoso.sharepoint.com/" + url.PathEscape(f.Name),
		"lastModifiedDateTime": cmp.Or(f.Modified, "2026-01-01T00:00:00Z"), "parentReference": map[string]any{"driveId": f.Drive}}
	if f.Folder {
		out["folder"] = map[string]any{"childCount": 1}
	} else {
		out["file"] = map[string]any{"mimeType": "application/octet-stream"}
	}
	return out
}

func (w *World) find(drive, id string) *File {
	i := slices.IndexFunc(w.Files, func(f File) bool { return (drive == "" || f.Drive == drive) && f.ID == id })
	if i < 0 {
		return nil
	}
	return &w.Files[i]
}

func gone() Answer { return Answer{Status: 404, Body: failure("itemNotFound")} }
func ok(v any) Answer {
	return Answer{Status: 200, Body: v}
}

// paged is a page of a collection, with the address of the next.
func (w *World) paged(all []any, q url.Values, at string) Answer {
	from, _ := strconv.Atoi(q.Get("$skiptoken"))
	to := min(from+w.Page, len(all))
	if top, err := strconv.Atoi(q.Get("$top")); err == nil {
		to = min(to, from+top)
	}
	out := map[string]any{"value": append([]any{}, all[from:to]...)}
	if to < len(all) {
		q.Set("$skiptoken", strconv.Itoa(to))
		out["@odata.nextLink"] = at + "?" + strings.ReplaceAll(q.Encode(), "+", "%20")
	}
	return ok(out)
}

// do answers a request.
func (w *World) do(what string, ids []string, q url.Values, body map[string]any, base string) Answer {
	id := func(i int) string { return ids[i] }
	method, template, _ := strings.Cut(what, " ")
	address := base + template
	for _, x := range ids {
		a, b := strings.Index(address, "{"), strings.Index(address, "}")
		address = address[:a] + url.PathEscape(x) + address[b+1:]
	}
	drive := ""
	if strings.HasPrefix(template, "/drives/") {
		drive = ids[0]
	}
	last := ""
	if len(ids) > 0 {
		last = ids[len(ids)-1]
	}
	switch {
	case template == "/me":
		return ok(map[string]any{"id": "user-1"})
	case template == "/organization":
		return ok(map[string]any{"value": []any{map[string]any{"id": "tenant-1"}}})
	case template == "/chats/{chat-id}":
		if w.Chats[last] == nil {
			return gone()
		}
		return ok(w.Chats[last])
	case template == "/search/query":
		return w.search(body)
	case template == "/sites/{site-id}/drive":
		d := w.Sites[strings.TrimSuffix(id(0), ":")]
		if d == "" {
			return gone()
		}
		return ok(map[string]any{"id": d})
	case template == "/shares/{sharedDriveItem-id}/driveItem":
		b, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(id(0), "u!"))
		if f := w.find("", w.Links[string(b)]); err == nil && f != nil {
			return ok(f.Item())
		}
		return gone()
	case strings.HasSuffix(template, "/items/{driveItem-id}/children"):
		all := []any{}
		for _, f := range w.Files {
			if (drive == "" || f.Drive == drive) && cmp.Or(f.Parent, "root") == last {
				all = append(all, f.Item())
			}
		}
		return w.paged(all, q, address)
	case strings.HasSuffix(template, "/items/{driveItem-id}/content"):
		if _, there := w.Contents[last]; !there {
			return gone()
		}
		return Answer{Status: 302, Header: map[string]string{"Location": w.files + "/" + last}}
	case strings.HasSuffix(template, "/items/{driveItem-id}"):
		if f := w.find(drive, last); f != nil {
			return ok(f.Item())
		}
		return gone()
	case strings.HasPrefix(template, "/me/m"):
		return w.mail(method, template, ids, q, body, address)
	case strings.HasPrefix(template, "/me/"):
		return w.calendar(method, template, ids, q, body, address)
	case method == http.MethodPost: // a channel's or chat's messages
		key := strings.Join(ids, "/")
		m := map[string]any{"id": fmt.Sprintf("post-%d", len(w.Posts[key])+1), "body": body["body"]}
		w.Posts[key] = append(w.Posts[key], m)
		return Answer{Status: 201, Body: m}
	case strings.HasSuffix(template, "/messages"):
		all := []any{}
		for _, m := range w.Posts[strings.Join(ids, "/")] {
			all = append(all, m)
		}
		return w.paged(all, q, address)
	}
	return ok(map[string]any{"id": last, "displayName": "General"})
}

func (w *World) search(body map[string]any) Answer {
	r := body["requests"].([]any)[0].(map[string]any)
	kind := r["entityTypes"].([]any)[0].(string)
	from, size := int(r["from"].(float64)), int(r["size"].(float64))
	if kind == "message" && size > 25 {
		return Answer{Status: 400, Body: failure("BadRequest")}
	}
	all := w.Hits[kind]
	from, to := min(from, len(all)), min(from+size, len(all))
	hits := []any{}
	for i, h := range all[from:to] {
		hits = append(hits, map[string]any{"hitId": fmt.Sprint(h["id"]), "rank": from + i + 1, "resource": h})
	}
	return ok(map[string]any{"value": []any{map[string]any{"hitsContainers": []any{map[string]any{"hits": hits, "total": len(all),
		"moreResultsAvailable": to < len(all)}}}}})
}

func (w *World) message(id string) map[string]any {
	for _, m := range w.Messages {
		if m["id"] == id {
			return m
		}
	}
	return nil
}

func (w *World) mail(method, template string, ids []string, q url.Values, body map[string]any, at string) Answer {
	if len(ids) == 1 && strings.HasPrefix(template, "/me/messages/") {
		m := w.message(ids[0])
		if m == nil {
			return gone()
		}
		if method == http.MethodGet {
			return ok(m)
		}
		draft := map[string]any{"id": fmt.Sprintf("draft-%d", len(w.Drafts)+1), "isDraft": true, "conversationId": m["conversationId"],
			"subject": "RE: " + fmt.Sprint(m["subject"])}
		if given, is := body["message"].(map[string]any); is {
			for k, v := range given {
				draft[k] = v
			}
		}
		w.Drafts = append(w.Drafts, draft)
		return Answer{Status: 201, Body: draft}
	}
	all := []any{}
	for _, m := range w.Messages {
		if f := q.Get("$filter"); f != "" && f != "conversationId eq '"+strings.ReplaceAll(fmt.Sprint(m["conversationId"]), "'", "''")+"'" {
			continue
		}
		s := strings.TrimSuffix(strings.TrimPrefix(q.Get("$search"), `"`), `"`)
		if s != "" && !strings.Contains(fmt.Sprint(m["subject"]), strings.ReplaceAll(s, `\"`, `"`)) {
			continue
		}
		if len(ids) == 1 && !slices.Contains(w.Folders[ids[0]], fmt.Sprint(m["id"])) {
			continue
		}
		all = append(all, m)
	}
	return w.paged(all, q, at)
}

func (w *World) calendar(method, template string, ids []string, q url.Values, body map[string]any, at string) Answer {
	switch {
	case template == "/me/calendar/getSchedule":
		all := []any{}
		for _, a := range body["schedules"].([]any) {
			s := map[string]any{"scheduleId": a, "availabilityView": w.Free[a.(string)]}
			if w.Free[a.(string)] == "" {
				s["error"] = map[string]any{"message": "not found", "responseCode": "ErrorMailRecipientNotFound"}
			}
			all = append(all, s)
		}
		return ok(map[string]any{"value": all})
	case template == "/me/calendarView":
		all := []any{}
		for _, e := range w.Events {
			all = append(all, e)
		}
		if _, err := time.Parse(time.RFC3339, q.Get("startDateTime")); err != nil {
			return Answer{Status: 400, Body: failure("BadRequest")}
		}
		return w.paged(all, q, at)
	case method == http.MethodPost:
		e := map[string]any{"id": fmt.Sprintf("event-%d", len(w.Events)+1)}
		for k, v := range body {
			e[k] = v
		}
		w.Events = append(w.Events, e)
		return Answer{Status: 201, Body: e}
	}
	for _, e := range w.Events {
		if e["id"] == ids[0] {
			for k, v := range body {
				e[k] = v
			}
			return ok(e)
		}
	}
	return gone()
}
