package m365

import (
	"cmp"
	"context"
	"strings"

	"showhow/internal/plain"
)

// found is one hit of Graph's search.
type found struct {
	HitID    string   `json:"hitId"`
	Resource resource `json:"resource"`
}

// resource is what a hit is about: a file, a site, a message or a person.
type resource struct {
	item
	DisplayName string `json:"displayName"`
	Subject     string `json:"subject"`
	WebLink     string `json:"webLink"`
	Received    string `json:"receivedDateTime"`
}

// searchPage is how many hits Graph is asked for at a time; of messages it gives no more.
const searchPage = 25

// search asks Graph's search for one kind of entity: it takes only some of them together.
func (g *graph) search(ctx context.Context, entity, words string, most int) ([]found, error) {
	out := []found{}
	for from := 0; len(out) < most && from < maxPages*searchPage; from += searchPage {
		var a struct {
			Value []struct {
				Containers []struct {
					Hits []found `json:"hits"`
					More bool    `json:"moreResultsAvailable"`
				} `json:"hitsContainers"`
			} `json:"value"`
		}
		body := map[string]any{"requests": []any{map[string]any{"entityTypes": []string{entity}, "query": map[string]any{"queryString": words},
			"from": from, "size": min(searchPage, most)}}}
		if err := g.query(ctx, "/search/query", body, &a); err != nil {
			return nil, err
		}
		more := false
		for _, v := range a.Value {
			for _, c := range v.Containers {
				out = append(out, c.Hits...)
				more = more || c.More
			}
		}
		if !more {
			break
		}
	}
	return out[:min(len(out), most)], nil
}

// entities are the filters in the specification's order, with Graph's name for each and the scope that it needs more.
var entities = []struct{ filter, entity, kind, scope string }{{"files", "driveItem", "file", ""}, {"sites", "site", "site", ""},
	{"mail", "message", "mail", "Mail.Read"}, {"people", "person", "person", "People.Read"}}

func (j *job) search(ctx context.Context) (any, error) {
	out := searchResult{OperationFamily: Search, Hits: []hit{}}
	most := cmp.Or(j.q.MaxResults, 20)
	wanted := []int{}
	for i, e := range entities {
		asked := contains(j.q.EntityFilters, e.filter)
		if len(j.q.EntityFilters) == 0 { // whatever the sign-in covers
			asked = e.scope == "" || !j.app && len(Missing([]string{e.scope}, j.granted)) == 0
		}
		if asked {
			wanted = append(wanted, i)
		}
	}
	each := [][]hit{}
	for _, i := range wanted {
		e := entities[i]
		all, err := j.g.search(ctx, e.entity, j.q.Query, most)
		if err != nil {
			return nil, err
		}
		hits := []hit{}
		for _, h := range all {
			hits = append(hits, h.hit(e.kind))
		}
		each = append(each, hits)
	}
	for n := 0; len(out.Hits) < most; n++ { // the best of each kind first
		any := false
		for _, hits := range each {
			if n < len(hits) && len(out.Hits) < most {
				out.Hits, any = append(out.Hits, hits[n]), true
			}
		}
		if !any {
			break
		}
	}
	return out, nil
}

func (h found) hit(kind string) hit {
	r := h.Resource
	out := hit{HitID: plain.Clip(h.HitID, 240), SourceKind: kind, ModifiedAt: when(r.Modified), URL: link(cmp.Or(r.WebURL, r.WebLink)),
		Title: plain.Clip(cmp.Or(r.Name, r.DisplayName, r.Subject, strings.TrimSpace(h.HitID)), 240)}
	switch {
	case kind == "file" && r.ID != "" && r.Parent.DriveID != "":
		out.HitID = r.ref()
	case kind == "site":
		out.Title = plain.Clip(cmp.Or(r.DisplayName, r.Name, h.HitID), 240)
	case kind == "mail":
		out.ModifiedAt = when(r.Received)
	}
	return out
}
