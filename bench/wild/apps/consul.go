package apps

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"showhow/bench/corpus/person"
)

var (
	// tides are the values that a harbour's Consul begins with, by their keys.
	tides = map[string]string{"closing": "at nine", "mooring": "two lines", "opening": "at six", "pilotage": "on call", "tariff": "by length"}
	// quays are its services, each of which may already talk to another one.
	quays = map[string]string{"crane": "weighbridge", "ferry": "crane", "pilot": "ferry", "weighbridge": "pilot"}
)

// consul shows values in an editor of a library, lists in which each row has a menu of labels and boxes without a script, and lists to pick
// from that can be searched. Its pages wait for news with requests that stay open.
func consul() App {
	keys, services := slices.Sorted(maps.Keys(tides)), slices.Sorted(maps.Keys(quays))
	value := at(".CodeMirror pre.CodeMirror-line", "", "")
	section := func(p *person.Person, name string) {
		p.Open("/ui/")
		p.Press(at("nav[aria-label=Main] a", name, ""))
	}
	save := func(p *person.Person) { p.Press(at("form button[type=submit]:not([disabled])", "Save", "")) }
	remove := func(p *person.Person, list, row string) {
		p.Press(at(list+" tr:has("+row+") label[for^=toggle-button]", "", ""))
		p.Press(at(list+" label[role=menuitem]", "Delete", ""))
		p.Press(at(list+" button.type-delete", "Delete", ""))
	}
	pick := func(p *person.Person, field, service string) {
		p.Press(at("form fieldset fieldset:nth-of-type("+field+") .ember-power-select-trigger", "", ""))
		p.Press(at(".ember-power-select-option", service, ""))
	}
	key, held := []string{"key", "name", "item", "value"}, []string{"value", "text", "new_value"}
	return App{Name: "consul", Needs: []string{"consul"}, From: "go: github.com/hashicorp/consul@v1.14.0, in a module that requires it",
		Version: func(ctx context.Context) string { return first(ctx, "consul", "version") },
		Start:   startConsul,
		Workflows: []Workflow{{
			Name: "new-key", Goal: "Store a value", Inputs: []Input{{"key", []string{"key", "key_or_folder", "name"}}, {"value", held}},
			Values: func(n int) Values {
				return Values{"key": some(n, "berths", "depth", "lights", "radio"),
					"value": some(n, "fourteen", "nine metres", "green over red", "channel twelve")}
			},
			Demo: func(p *person.Person, v Values) {
				section(p, "Key/Value")
				p.Press(at(".actions a", "Create", ""))
				p.Write(at("input[name=additional]", "", ""), v["key"])
				p.Write(value, v["value"])
				save(p)
			},
			Expect: func(v Values) Facts { return Facts{"key " + v["key"]: v["value"]} },
		}, {
			Name: "edit-key", Goal: "Change the value of a key", Inputs: []Input{{"key", key}, {"value", held}},
			Values: func(n int) Values {
				return Values{"key": keys[n%len(keys)], "value": some(n, "never", "three lines", "at seven", "on request")}
			},
			Demo: func(p *person.Person, v Values) {
				section(p, "Key/Value")
				p.Press(at(".consul-kv-list a", v["key"], ""))
				p.Write(value, v["value"])
				save(p)
			},
			Expect: func(v Values) Facts { return Facts{"key " + v["key"]: v["value"]} },
		}, {
			Name: "delete-key", Goal: "Delete a key", Grave: true, Inputs: []Input{{"key", key}},
			Values: func(n int) Values { return Values{"key": keys[(n+1)%len(keys)]} },
			Demo: func(p *person.Person, v Values) {
				section(p, "Key/Value")
				remove(p, ".consul-kv-list", "a[href*='/"+v["key"]+"/']")
			},
			Expect: func(v Values) Facts { return Facts{"key " + v["key"]: ""} },
		}, {
			Name: "new-intention", Goal: "Allow a service to talk to another one",
			Inputs: []Input{{"source", []string{"source", "source_service", "service", "from"}},
				{"destination", []string{"destination", "destination_service", "service_2", "to"}}},
			Values: func(n int) Values {
				return Values{"source": some(n, "ferry", "crane", "pilot", "weighbridge"),
					"destination": some(n, "pilot", "ferry", "weighbridge", "crane")}
			},
			Demo: func(p *person.Person, v Values) {
				section(p, "Intentions")
				p.Press(at(".actions a", "Create", ""))
				pick(p, "1", v["source"])
				pick(p, "2", v["destination"])
				save(p)
			},
			Expect: func(v Values) Facts { return Facts{v["source"] + " to " + v["destination"]: "allow"} },
		}, {
			Name: "delete-intention", Goal: "Delete an intention", Grave: true,
			Inputs: []Input{{"source", []string{"source", "intention", "service", "name", "item"}}},
			Values: func(n int) Values { return Values{"source": services[n%len(services)]} },
			Demo: func(p *person.Person, v Values) {
				section(p, "Intentions")
				remove(p, ".consul-intention-list", "td.source a[href*=':"+v["source"]+"::']")
			},
			Expect: func(v Values) Facts { return Facts{v["source"] + " to " + quays[v["source"]]: ""} },
		}}}
}

// startConsul starts it with everything in memory.
func startConsul(ctx context.Context, dir, address string) (*Running, error) {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	config := `node_name = "harbour"
bind_addr = "127.0.0.1"
disable_update_check = true
log_level = "ERR"
ui_config { enabled = true }
`
	for _, s := range slices.Sorted(maps.Keys(quays)) {
		config += fmt.Sprintf("services { name = %q port = 9 }\n", s)
	}
	config += "ports { http = " + port + "\ndns = -1\nhttps = -1\ngrpc = -1\ngrpc_tls = -1\nserf_wan = -1\n"
	for _, name := range []string{"serf_lan", "server"} {
		own, err := Address()
		if err != nil {
			return nil, err
		}
		config += name + " = " + own[strings.LastIndex(own, ":")+1:] + "\n"
	}
	path := filepath.Join(dir, "harbour.hcl")
	if err := os.WriteFile(path, []byte(config+"}\n"), 0o600); err != nil {
		return nil, err
	}
	r, err := start(ctx, address, "/v1/status/leader", []string{"HOME=" + dir}, dir, "consul", "agent", "-dev", "-config-file", path)
	if err != nil {
		return nil, err
	}
	api := service{base: "http://" + address + "/v1/"}
	r.Facts = func(ctx context.Context) (Facts, error) { return harbourFacts(ctx, api) }
	err = until(ctx, r, func(ctx context.Context) bool { // it chooses a leader first
		for _, k := range slices.Sorted(maps.Keys(tides)) {
			if put(ctx, api.base+"kv/"+k, tides[k]) != nil {
				return false
			}
		}
		for from, to := range quays {
			path := "connect/intentions/exact?source=" + from + "&destination=" + to
			if api.call(ctx, http.MethodPut, path, map[string]string{"Action": "allow"}, nil) != nil {
				return false
			}
		}
		var known map[string][]string
		return api.call(ctx, http.MethodGet, "catalog/services", nil, &known) == nil && len(known) == len(quays)+1
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// put stores a text.
func put(ctx context.Context, address, text string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, address, strings.NewReader(text))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("PUT: %s", resp.Status)
	}
	return nil
}

// harbourFacts are its values and who may talk to whom.
func harbourFacts(ctx context.Context, api service) (Facts, error) {
	out := Facts{}
	var kept []struct{ Key, Value string }
	if err := api.call(ctx, http.MethodGet, "kv/?recurse", nil, &kept); err != nil {
		return nil, err
	}
	for _, k := range kept {
		text, err := base64.StdEncoding.DecodeString(k.Value)
		if err != nil {
			return nil, err
		}
		out["key "+k.Key] = string(text)
	}
	var allowed []struct{ SourceName, DestinationName, Action string }
	err := api.call(ctx, http.MethodGet, "connect/intentions", nil, &allowed)
	for _, i := range allowed {
		out[i.SourceName+" to "+i.DestinationName] = i.Action
	}
	return out, err
}
