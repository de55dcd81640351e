package apps

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"showhow/bench/corpus/person"
)

// berths are the boats that PocketBase begins with, and where they lie.
var berths = map[string]string{"Marlin": "North 4", "Petrel": "East 11", "Gannet": "South 2", "Osprey": "West 7"}

// pocketBase is read and prepared by its own interface. A doorman before it signs everybody in, as Roundcube's does.
func pocketBase() App {
	boats := slices.Sorted(maps.Keys(berths))
	boat := []string{"boat", "name", "record", "row", "item"}
	open := func(p *person.Person, path string) { p.Open("/_/" + path) }
	name := at(".overlay-panel .form-field:has(~ .form-field textarea) textarea", "", "")
	berth := at(".overlay-panel .form-field:not(:has(~ .form-field textarea)) textarea", "", "")
	return App{Name: "pocketbase", Needs: []string{"pocketbase"}, From: "go: github.com/pocketbase/pocketbase/examples/base",
		Version: func(ctx context.Context) string { return first(ctx, "pocketbase", "--version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			const mail, secret = "clerk@desk.example", "kept-by-the-bench"
			data := filepath.Join(dir, "data")
			if _, err := command(ctx, dir, nil, "pocketbase", "superuser", "upsert", mail, secret, "--dir", data); err != nil {
				return nil, err
			}
			inner, err := Address()
			if err != nil {
				return nil, err
			}
			r, err := start(ctx, inner, "/api/health", nil, dir, "pocketbase", "serve", "--http", inner, "--dir", data)
			if err != nil {
				return nil, err
			}
			var pass struct {
				Token  string          `json:"token"`
				Record json.RawMessage `json:"record"`
			}
			api := service{base: "http://" + inner + "/api/", header: map[string]string{}}
			err = api.call(ctx, http.MethodPost, "collections/_superusers/auth-with-password",
				map[string]string{"identity": mail, "password": secret}, &pass)
			if err == nil {
				api.header["Authorization"] = pass.Token
				text := func(name string) map[string]any {
					return map[string]any{"name": name, "type": "text", "required": true}
				}
				err = api.call(ctx, http.MethodPost, "collections", map[string]any{"name": "boats", "type": "base",
					"fields": []any{text("name"), text("berth")}}, nil)
			}
			for i, b := range boats {
				if err == nil {
					err = api.call(ctx, http.MethodPost, "collections/boats/records", map[string]string{"id": fmt.Sprintf("boat%011d", i), "name": b,
						"berth": berths[b]}, nil)
				}
			}
			if err == nil {
				err = admit(r, address, inner, "localStorage.setItem('__pb_superuser_auth__', JSON.stringify({token: '"+pass.Token+"', record: "+
					string(pass.Record)+"}))")
			}
			if err != nil {
				r.Close()
				return nil, err
			}
			r.Facts = func(ctx context.Context) (Facts, error) {
				out := Facts{}
				var kept struct {
					Items []struct{ Name, Berth, ID string }
				}
				if err := api.call(ctx, http.MethodGet, "collections?perPage=200", nil, &kept); err != nil {
					return nil, err
				}
				for _, c := range kept.Items {
					out["collection "+c.Name] = "there"
				}
				kept.Items = nil
				if err := api.call(ctx, http.MethodGet, "collections/boats/records?perPage=200", nil, &kept); err != nil {
					return nil, err
				}
				for _, b := range kept.Items {
					out["boat "+b.Name] = b.Berth
				}
				var settings struct{ Meta struct{ AppName string } }
				err := api.call(ctx, http.MethodGet, "settings", nil, &settings)
				out["name"] = settings.Meta.AppName
				return out, err
			}
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "new-record", Goal: "Add a boat",
			Inputs: []Input{{"name", []string{"name", "boat"}}, {"berth", []string{"berth"}}},
			Values: func(n int) Values {
				return Values{"name": some(n, "Kestrel", "Dunlin", "Whimbrel", "Plover"), "berth": some(n, "Quay 3", "Pier 12", "Slip 5", "Dock 9")}
			},
			Demo: func(p *person.Person, v Values) {
				open(p, "")
				p.Press(at("a.sidebar-list-item", "boats", ""))
				p.Press(at("button", "New record", ""))
				p.Write(name, v["name"])
				p.Write(berth, v["berth"])
				p.Press(at(".overlay-panel button", "Create", ""))
			},
			Expect: func(v Values) Facts { return Facts{"boat " + v["name"]: v["berth"]} },
		}, {
			Name: "edit-record", Goal: "Change the berth of a boat",
			Inputs: []Input{{"boat", boat}, {"berth", []string{"berth"}}},
			Values: func(n int) Values {
				return Values{"boat": boats[n%len(boats)], "berth": some(n, "Quay 3", "Pier 12", "Slip 5", "Dock 9")}
			},
			Demo: func(p *person.Person, v Values) {
				open(p, "")
				p.Press(at("a.sidebar-list-item", "boats", ""))
				p.Press(at("tbody td *", v["boat"], ""))
				p.Write(berth, v["berth"])
				p.Press(at(".overlay-panel button", "Save changes", ""))
			},
			Expect: func(v Values) Facts { return Facts{"boat " + v["boat"]: v["berth"]} },
		}, {
			Name: "delete-record", Goal: "Delete a boat", Grave: true,
			Inputs: []Input{{"boat", boat}},
			Values: func(n int) Values { return Values{"boat": boats[(n+1)%len(boats)]} },
			Demo: func(p *person.Person, v Values) {
				open(p, "")
				p.Press(at("a.sidebar-list-item", "boats", ""))
				p.Press(at("tbody td *", v["boat"], ""))
				p.Press(at(".overlay-panel [aria-label='More record options']", "", ""))
				p.Press(at(".overlay-panel .dropdown-item", "Delete", ""))
				p.Press(at(".confirm-popup button", "Yes", ""))
			},
			Expect: func(v Values) Facts { return Facts{"boat " + v["boat"]: ""} },
		}, {
			Name: "new-collection", Goal: "Create a collection",
			Inputs: []Input{{"name", []string{"name", "collection"}}},
			Values: func(n int) Values { return Values{"name": some(n, "crews", "voyages", "moorings", "repairs")} },
			Demo: func(p *person.Person, v Values) {
				open(p, "")
				p.Press(at("button", "New collection", ""))
				p.Write(at(".overlay-panel input[placeholder*=posts]", "", ""), v["name"])
				p.Press(at(".overlay-panel button", "Create", ""))
			},
			Expect: func(v Values) Facts { return Facts{"collection " + v["name"]: "there"} },
		}, {
			Name: "app-name", Goal: "Change the application's name",
			Inputs: []Input{{"name", []string{"application_name", "name"}}},
			Values: func(n int) Values { return Values{"name": some(n, "Harbour", "Lighthouse", "Ferry desk", "Dry dock")} },
			Demo: func(p *person.Person, v Values) {
				open(p, "#/settings")
				p.Write(at("main form .form-field.required input", "", ""), v["name"])
				p.Press(at("button", "Save changes", ""))
			},
			Expect: func(v Values) Facts { return Facts{"name": v["name"]} },
		}}}
}

// admit stands before a program and has its pages run a script first.
func admit(r *Running, address, inner, script string) error {
	const path = "/doorman.js"
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: inner})
	proxy.ModifyResponse = func(resp *http.Response) error {
		if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
			return nil
		}
		b, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		b = bytes.Replace(b, []byte("<head>"), []byte(`<head><script src="`+path+`"></script>`), 1)
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
		resp.Header.Del("Content-Length")
		return err
	}
	door := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == path {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, script)
			return
		}
		if strings.Contains(req.Header.Get("Accept"), "text/html") {
			req.Header.Del("Accept-Encoding")
			req.Header.Del("If-Modified-Since")
		}
		proxy.ServeHTTP(w, req)
	}))
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	_ = door.Listener.Close()
	door.Listener = l
	door.Start()
	r.also = door.Close
	return nil
}
