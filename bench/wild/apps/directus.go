package apps

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"showhow/bench/corpus/person"
)

// mending are the repairs that a bicycle shop begins with: whose bicycle, and which it is.
var mending = map[string]string{"Ahmed": "Roadster", "Bianchi": "Folding bike", "Castro": "Tandem", "Dubois": "Cargo bike",
	"Eriksen": "Racer"}

// directus shows a table of its own data, with forms of components, lists that open over the page, icons without a name, and one
// dialog. A porter before it carries the session, so that everybody is signed in.
func directus() App {
	customers := slices.Sorted(maps.Keys(mending))
	states := []string{"Ready", "In work", "Collected", "Ready"}
	one := Input{"customer", []string{"customer", "repair", "name", "item", "row", "bicycle"}}
	state := Input{"state", []string{"state", "status"}}
	open := func(p *person.Person) { p.Open("/admin/content") }
	field := func(name string) person.Sight { return at("input[field="+name+"]", "", "") }
	icon := func(p *person.Person, name string) { p.Press(at(".action-buttons [data-icon="+name+"]", "", "")) }
	module := func(p *person.Person, name string) {
		open(p)
		p.Press(at(".module-bar [data-icon="+name+"]", "", ""))
	}
	pick := func(p *person.Person, option string) {
		p.Press(at(".v-select[field=state] .v-input", "", ""))
		p.Press(at("#menu-outlet .v-list-item", option, ""))
	}
	return App{Name: "directus", Needs: []string{"directus"},
		From:    "npm_config_nodedir=/usr npm install -g directus@11.1.2",
		Version: func(ctx context.Context) string { return first(ctx, "directus", "--version") },
		Start:   startDirectus,
		Workflows: []Workflow{{
			Name: "new-item", Goal: "Add a repair",
			Inputs: []Input{{"customer", []string{"customer", "name"}}, {"bicycle", []string{"bicycle"}}, state},
			Values: func(n int) Values {
				return Values{"customer": some(n, "Fischer", "Gupta", "Haddad", "Ivanov"), "bicycle": some(n, "Mountain bike", "Unicycle",
					"Recumbent", "Town bike"), "state": some(n, "In work", "Waiting", "Ready", "Collected")}
			},
			Demo: func(p *person.Person, v Values) {
				open(p)
				icon(p, "add")
				p.Write(field("customer"), v["customer"])
				p.Write(field("bicycle"), v["bicycle"])
				pick(p, v["state"])
				icon(p, "check")
			},
			Expect: func(v Values) Facts { return Facts{"repair " + v["customer"]: v["bicycle"] + ", " + v["state"]} },
		}, {
			Name: "edit-item", Goal: "Change the state of a repair", Inputs: []Input{one, state},
			Values: func(n int) Values {
				return Values{"customer": customers[n%len(customers)], "state": some(n, states...)}
			},
			Demo: func(p *person.Person, v Values) {
				open(p)
				p.Press(at("tbody td .value", v["customer"], ""))
				p.Wait(at(".v-select[field=state] input", "Waiting", "")) // it is drawn anew when the data come
				pick(p, v["state"])
				icon(p, "check")
			},
			Expect: func(v Values) Facts {
				return Facts{"repair " + v["customer"]: mending[v["customer"]] + ", " + v["state"] + ", 2027-03-05"}
			},
		}, {
			Name: "delete-item", Goal: "Delete a repair", Grave: true, Inputs: []Input{one},
			Values: func(n int) Values { return Values{"customer": customers[(n+1)%len(customers)]} },
			Demo: func(p *person.Person, v Values) {
				open(p)
				p.Press(at("tbody td .value", v["customer"], ""))
				p.Press(at(".action-delete button:not([disabled]) [data-icon=delete]", "", ""))
				p.Press(at("#dialog-outlet button", "Delete", ""))
			},
			Expect: func(v Values) Facts { return Facts{"repair " + v["customer"]: ""} },
		}, {
			Name: "new-user", Goal: "Add a user",
			Inputs: []Input{{"first", []string{"first_name"}}, {"last", []string{"last_name"}}, {"mail", []string{"email"}}},
			Values: func(n int) Values {
				return Values{"first": some(n, "Jana", "Karim", "Lucia", "Mateo"), "last": some(n, "Novak", "Osman", "Pereira", "Quist"),
					"mail": some(n, "jana@example.com", "karim@example.com", "lucia@example.com", "mateo@example.com")}
			},
			Demo: func(p *person.Person, v Values) {
				module(p, "people_alt")
				icon(p, "add")
				p.Write(field("first_name"), v["first"])
				p.Write(field("last_name"), v["last"])
				p.Write(field("email"), v["mail"])
				icon(p, "check")
			},
			Expect: func(v Values) Facts { return Facts{"user " + v["first"] + " " + v["last"]: v["mail"]} },
		}, {
			Name: "project-name", Goal: "Change the project's name",
			Inputs: []Input{{"name", []string{"project_name", "name"}}},
			Values: func(n int) Values { return Values{"name": some(n, "Wheel shop", "Spokes", "Chain gang", "Back yard")} },
			Demo: func(p *person.Person, v Values) {
				module(p, "settings")
				p.Press(at(".module-nav a", "Settings", ""))
				p.Write(field("project_name"), v["name"])
				icon(p, "check")
			},
			Expect: func(v Values) Facts { return Facts{"name": v["name"]} },
		}}}
}

// startDirectus starts it with the shop's data, which are made once for a folder and copied from then on.
func startDirectus(ctx context.Context, dir, address string) (*Running, error) {
	const mail, secret = "clerk@example.com", "kept-by-the-bench"
	inner, err := Address()
	if err != nil {
		return nil, err
	}
	host, port, _ := strings.Cut(inner, ":")
	data, made := filepath.Join(dir, "data.db"), filepath.Join(filepath.Dir(dir), "shop.db")
	env := []string{"DB_CLIENT=sqlite3", "DB_FILENAME=" + data, "SECRET=" + secret, "ADMIN_EMAIL=" + mail,
		"ADMIN_PASSWORD=" + secret, "HOST=" + host, "PORT=" + port, "TELEMETRY=false", "LOG_LEVEL=error", "HOME=" + dir}
	kept, err := os.ReadFile(made)
	if err == nil {
		err = os.WriteFile(data, kept, 0o600)
	} else if os.IsNotExist(err) {
		_, err = command(ctx, dir, env, "directus", "bootstrap")
	}
	if err != nil {
		return nil, err
	}
	r, err := start(ctx, inner, "/server/ping", env, dir, "directus", "start")
	if err != nil {
		return nil, err
	}
	api := service{base: "http://" + inner + "/", header: map[string]string{}}
	var pass struct {
		Data struct {
			Token string `json:"access_token"`
		}
	}
	var session *http.Cookie
	err = api.call(ctx, http.MethodPost, "auth/login", map[string]string{"email": mail, "password": secret, "mode": "json"}, &pass)
	api.header["Authorization"] = "Bearer " + pass.Data.Token
	if err == nil {
		session, err = signIn(ctx, inner, mail, secret)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	if kept == nil {
		if err = furnish(ctx, api); err == nil {
			kept, err = os.ReadFile(data)
		}
		if err == nil {
			err = os.WriteFile(made, kept, 0o600)
		}
	}
	if err == nil {
		err = carry(r, address, inner, session)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	r.Facts = func(ctx context.Context) (Facts, error) { return shopFacts(ctx, api) }
	return r, nil
}

// furnish makes the shop's table.
func furnish(ctx context.Context, api service) error {
	type m = map[string]any
	text := func(name string) m {
		return m{"field": name, "type": "string", "schema": m{}, "meta": m{"interface": "input", "required": true, "width": "half"}}
	}
	var choices []m
	for _, s := range []string{"Waiting", "In work", "Ready", "Collected"} {
		choices = append(choices, m{"text": s, "value": s})
	}
	err := api.call(ctx, http.MethodPost, "collections", m{"collection": "repairs", "schema": m{}, "meta": m{"icon": "build"}, "fields": []m{
		{"field": "id", "type": "integer", "schema": m{"is_primary_key": true, "has_auto_increment": true}, "meta": m{"hidden": true}},
		text("customer"), text("bicycle"),
		{"field": "state", "type": "string", "schema": m{}, "meta": m{"interface": "select-dropdown", "width": "half",
			"options": m{"choices": choices}}},
		{"field": "due", "type": "date", "schema": m{}, "meta": m{"interface": "datetime", "width": "half"}},
		{"field": "paid", "type": "boolean", "schema": m{"default_value": false}, "meta": m{"interface": "boolean", "width": "half"}}}}, nil)
	for _, c := range slices.Sorted(maps.Keys(mending)) {
		if err == nil {
			item := m{"customer": c, "bicycle": mending[c], "state": "Waiting", "due": "2027-03-05"}
			err = api.call(ctx, http.MethodPost, "items/repairs", item, nil)
		}
	}
	return err
}

// shopFacts are its repairs, its users and its name.
func shopFacts(ctx context.Context, api service) (Facts, error) {
	out := Facts{}
	var repairs struct {
		Data []struct {
			Customer, Bicycle, State, Due string
			Paid                          any
		}
	}
	if err := api.call(ctx, http.MethodGet, "items/repairs?limit=-1", nil, &repairs); err != nil {
		return nil, err
	}
	for _, r := range repairs.Data {
		said := strings.TrimSuffix(strings.Join([]string{r.Bicycle, r.State, r.Due}, ", "), ", ")
		if r.Paid == true || fmt.Sprint(r.Paid) == "1" {
			said += ", paid"
		}
		out["repair "+r.Customer] = said
	}
	var users struct {
		Data []struct {
			First string `json:"first_name"`
			Last  string `json:"last_name"`
			Email string
		}
	}
	if err := api.call(ctx, http.MethodGet, "users?limit=-1", nil, &users); err != nil {
		return nil, err
	}
	for _, u := range users.Data {
		out["user "+u.First+" "+u.Last] = u.Email
	}
	var settings struct {
		Data struct {
			Name string `json:"project_name"`
		}
	}
	err := api.call(ctx, http.MethodGet, "settings", nil, &settings)
	out["name"] = settings.Data.Name
	return out, err
}

// signIn opens a session of the kind that pages have.
func signIn(ctx context.Context, inner, mail, secret string) (*http.Cookie, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+inner+"/auth/login",
		strings.NewReader(fmt.Sprintf(`{"email": %q, "password": %q, "mode": "session"}`, mail, secret)))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close()
	if len(resp.Cookies()) == 0 {
		return nil, errors.New("nobody is signed in: " + resp.Status)
	}
	return resp.Cookies()[0], nil
}

// carry stands before a program and keeps the cookie of its session, which the browser never sees. Renewing the session is no deed: a gate
// that lies asks for it by GET.
func carry(r *Running, address, inner string, session *http.Cookie) error {
	var now atomic.Pointer[http.Cookie]
	now.Store(session)
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: inner})
	proxy.ModifyResponse = func(resp *http.Response) error {
		for _, c := range resp.Cookies() {
			if c.Name == session.Name && c.Value != "" {
				now.Store(c)
			}
		}
		resp.Header.Del("Set-Cookie")
		return nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	porter := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req.Header.Set("Cookie", session.Name+"="+now.Load().Value)
		if renewal := `{"mode": "session"}`; req.URL.Path == "/auth/refresh" && req.Method == http.MethodGet {
			req.Method, req.Body, req.ContentLength = http.MethodPost, io.NopCloser(strings.NewReader(renewal)), int64(len(renewal))
			req.Header.Set("Content-Type", "application/json")
		}
		proxy.ServeHTTP(w, req)
	}))
	_ = porter.Listener.Close()
	porter.Listener = l
	porter.Start()
	r.also = porter.Close
	return nil
}
