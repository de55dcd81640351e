package apps

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"showhow/bench/corpus/person"
)

// quietRooms are the rooms of the silences that Alertmanager begins with.
var quietRooms = []string{"attic", "cellar", "garage", "kitchen"}

// alertManager keeps silences, which its interface tells. Its pages are drawn by Elm. It sends nothing to anybody.
func alertManager() App {
	matching := func(key, value string) map[string]any {
		return map[string]any{"name": key, "value": value, "isRegex": false, "isEqual": true}
	}
	return App{Name: "alertmanager", Needs: []string{"alertmanager"},
		From:    "go install github.com/prometheus/alertmanager/cmd/alertmanager@v0.27.0",
		Version: func(ctx context.Context) string { return first(ctx, "alertmanager", "--version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			const config = "route: {receiver: none}\nreceivers: [{name: none}]\n"
			if err := os.WriteFile(filepath.Join(dir, "am.yml"), []byte(config), 0o600); err != nil {
				return nil, err
			}
			r, err := start(ctx, address, "/-/ready", nil, dir, "alertmanager", "--config.file=am.yml", "--storage.path=data",
				"--web.listen-address="+address, "--cluster.listen-address=", "--log.level=error")
			if err != nil {
				return nil, err
			}
			api := service{base: "http://" + address + "/api/v2/"}
			now := time.Now().UTC()
			for _, room := range quietRooms {
				if err == nil {
					err = api.call(ctx, http.MethodPost, "silences", map[string]any{"matchers": []any{matching("room", room)},
						"startsAt": now, "endsAt": now.Add(9 * time.Hour), "createdBy": "Ada", "comment": "Until it is dry"}, nil)
				}
			}
			var alerts []any
			for _, lamp := range []string{"north", "south", "east", "west"} {
				alerts = append(alerts, map[string]any{"labels": map[string]string{"alertname": "Flicker", "lamp": lamp},
					"startsAt": now, "endsAt": now.Add(9 * time.Hour)})
			}
			if err == nil {
				err = api.call(ctx, http.MethodPost, "alerts", alerts, nil)
			}
			if err != nil {
				r.Close()
				return nil, err
			}
			r.Facts = func(ctx context.Context) (Facts, error) {
				var got []struct {
					Comment, CreatedBy string
					Status             struct{ State string }
					Matchers           []struct{ Name, Value string }
				}
				if err := api.call(ctx, http.MethodGet, "silences", nil, &got); err != nil {
					return nil, err
				}
				out := Facts{}
				for _, s := range got {
					var of []string
					for _, m := range s.Matchers {
						of = append(of, m.Name+"="+m.Value)
					}
					slices.Sort(of)
					if s.Status.State == "active" {
						out["silence "+strings.Join(of, ",")] = s.CreatedBy + "|" + s.Comment
					}
				}
				return out, nil
			}
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "new-silence", Goal: "Silence the alerts of a room",
			Inputs: []Input{{"matcher", []string{"matcher", "matchers", "room", "filter"}}, {"creator", []string{"creator"}},
				{"comment", []string{"comment"}}},
			Values: func(n int) Values {
				return Values{"matcher": `room="` + some(n,
					"stable", "tower", "chapel", "pantry") + `"`, "creator": some(n, "Boris", "Cyra", "Dunja", "Emil"),
					"comment": some(n, "New roof", "Rewiring", "Painters are in", "Moving shelves")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/#/silences")
				p.Press(at("a", "New Silence", ""))
				p.Write(at("#filter-bar-matcher", "", ""), v["matcher"])
				p.Press(at("button.btn-primary", "+", ""))
				p.Write(at(".form-group.mt-5 input", "", ""), v["creator"])
				p.Write(at("textarea", "", ""), v["comment"])
				p.Press(at("button", "Create", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"silence " + strings.ReplaceAll(v["matcher"], `"`, ""): v["creator"] + "|" + v["comment"]}
			},
		}, {
			Name: "comment-silence", Goal: "Give a silence another comment",
			Inputs: []Input{{"room", []string{"room", "silence", "matcher", "name"}}, {"comment", []string{"comment"}}},
			Values: func(n int) Values {
				return Values{"room": "room=" + quietRooms[n%len(quietRooms)],
					"comment": some(n, "Until Friday", "The pump is out", "Longer", "New wiring")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/#/silences")
				p.Press(at("li a", "Edit", v["room"]))
				p.Write(at("textarea", "", ""), v["comment"])
				p.Press(at("button", "Update", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"silence " + v["room"]: "Ada|" + v["comment"]}
			},
		}, {
			Name: "expire-silence", Goal: "Expire a silence", Grave: true,
			Inputs: []Input{{"room", []string{"room", "silence", "matcher", "name"}}},
			Values: func(n int) Values { return Values{"room": "room=" + quietRooms[(n+1)%len(quietRooms)]} },
			Demo: func(p *person.Person, v Values) {
				p.Open("/#/silences")
				p.Press(at("li button", "Expire", v["room"]))
				p.Press(at(".modal button", "Confirm", ""))
			},
			Expect: func(v Values) Facts { return Facts{"silence " + v["room"]: ""} },
		}, {
			Name: "silence-alert", Goal: "Silence an alert",
			Inputs: []Input{{"lamp", []string{"lamp", "alert", "name"}}, {"creator", []string{"creator"}}, {"comment", []string{"comment"}}},
			Values: func(n int) Values {
				return Values{"lamp": `lamp="` + some(n, "north", "east", "south", "west") + `"`,
					"creator": some(n, "Farah", "Goran", "Helma", "Ivo"),
					"comment": some(n, "Bulb is on order", "Known", "Electrician comes", "Not needed now")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/#/alerts")
				p.Press(at("li a", "Silence", v["lamp"]))
				p.Write(at(".form-group.mt-5 input", "", ""), v["creator"])
				p.Write(at("textarea", "", ""), v["comment"])
				p.Press(at("button", "Create", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"silence alertname=Flicker," + strings.ReplaceAll(v["lamp"], `"`, ""): v["creator"] + "|" + v["comment"]}
			},
		}}}
}
