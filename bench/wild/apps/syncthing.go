package apps

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"showhow/bench/corpus/person"
)

// synced are the folders that Syncthing begins with, by their ids.
var synced = map[string]string{"ldg-1": "Ledgers", "map-2": "Maps", "sco-3": "Scores", "rec-4": "Recipes"}

// syncthing is read and prepared by its own interface. It talks to nobody: no discovery, no relays, no reports.
func syncthing() App {
	labels := []string{"Ledgers", "Scores", "Maps", "Recipes"}
	folder := func(label string) (id string) {
		for k, v := range synced {
			if v == label {
				id = k
			}
		}
		return id
	}
	unfold := func(p *person.Person, label string) {
		p.Open("/")
		p.Press(at(".panel-title-text span", label, ""))
	}
	return App{Name: "syncthing", Needs: []string{"syncthing"}, From: "Debian: syncthing",
		Version: func(ctx context.Context) string { return first(ctx, "syncthing", "--version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			const key = "kept-by-the-bench"
			env := []string{"HOME=" + dir, "STGUIAPIKEY=" + key, "STNOUPGRADE=1", "STMONITORED=yes"} // one process, which ends when it is killed
			r, err := start(ctx, address, "/rest/noauth/health", env, dir, "syncthing", "serve", "--home="+filepath.Join(dir, "st"), "--no-browser",
				"--no-restart", "--no-default-folder", "--gui-address=http://"+address)
			if err != nil {
				return nil, err
			}
			api := service{base: "http://" + address + "/rest/", header: map[string]string{"X-API-Key": key}}
			err = api.call(ctx, http.MethodPatch, "config/options", map[string]any{"globalAnnounceEnabled": false, "localAnnounceEnabled": false,
				"relaysEnabled": false, "natEnabled": false, "urAccepted": -1, "crashReportingEnabled": false, "startBrowser": false,
				"unackedNotificationIDs": []string{},
				"listenAddresses":        []string{"tcp://127.0.0.1:0"}}, nil)
			for _, id := range slices.Sorted(maps.Keys(synced)) {
				if err == nil {
					err = api.call(ctx, http.MethodPost, "config/folders", map[string]any{"id": id, "label": synced[id],
						"path": filepath.Join(dir, synced[id]), "fsWatcherEnabled": false}, nil)
				}
			}
			if err == nil {
				err = api.call(ctx, http.MethodPost, "system/error/clear", nil, nil) // a notice that pushes the page down when it comes
			}
			if err != nil {
				r.Close()
				return nil, err
			}
			r.Facts = func(ctx context.Context) (Facts, error) {
				out := Facts{}
				var folders []struct {
					ID, Label string
					Paused    bool
				}
				var devices []struct{ Name string }
				if err := api.call(ctx, http.MethodGet, "config/folders", nil, &folders); err != nil {
					return nil, err
				}
				for _, f := range folders {
					out["folder "+f.ID] = fmt.Sprint(f.Label, "|", map[bool]string{true: "paused", false: "runs"}[f.Paused])
				}
				err := api.call(ctx, http.MethodGet, "config/devices", nil, &devices)
				for _, d := range devices {
					out["device"] = d.Name
				}
				return out, err
			}
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "pause-folder", Goal: "Pause a folder",
			Inputs: []Input{{"folder", []string{"folder", "name", "label"}}},
			Values: func(n int) Values { return Values{"folder": labels[n%len(labels)]} },
			Demo: func(p *person.Person, v Values) {
				unfold(p, v["folder"])
				p.Press(at("button", "Pause", v["folder"]))
			},
			Expect: func(v Values) Facts { return Facts{"folder " + folder(v["folder"]): v["folder"] + "|paused"} },
		}, {
			Name: "rename-folder", Goal: "Give a folder another label",
			Inputs: []Input{{"folder", []string{"folder", "name"}}, {"label", []string{"folder_label", "label", "new_label"}}},
			Values: func(n int) Values {
				return Values{"folder": labels[(n+1)%len(labels)], "label": some(n, "Shelf", "Drawer", "Cabinet", "Chest")}
			},
			Demo: func(p *person.Person, v Values) {
				unfold(p, v["folder"])
				p.Press(at("button", "Edit", v["folder"]))
				p.Write(at("#folderLabel", "", ""), v["label"])
				p.Press(at("#editFolder .modal-footer button", "Save", ""))
			},
			Expect: func(v Values) Facts { return Facts{"folder " + folder(v["folder"]): v["label"] + "|runs"} },
		}, {
			Name: "remove-folder", Goal: "Remove a folder", Grave: true,
			Inputs: []Input{{"folder", []string{"folder", "name", "label"}}},
			Values: func(n int) Values { return Values{"folder": labels[(n+2)%len(labels)]} },
			Demo: func(p *person.Person, v Values) {
				unfold(p, v["folder"])
				p.Press(at("button", "Edit", v["folder"]))
				p.Press(at("#editFolder .modal-footer button", "Remove", ""))
				p.Press(at("#remove-folder-confirmation button, #removeFolder button", "Yes", ""))
			},
			Expect: func(v Values) Facts { return Facts{"folder " + folder(v["folder"]): ""} },
		}, {
			Name: "name-device", Goal: "Give this device another name",
			Inputs: []Input{{"name", []string{"device_name", "name"}}},
			Values: func(n int) Values { return Values{"name": some(n, "harbour", "lighthouse", "ferry", "dock")} },
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at("a.dropdown-toggle", "Actions", ""))
				p.Press(at("a", "Settings", ""))
				p.Write(at("#DeviceName", "", ""), v["name"])
				p.Press(at("#settings .modal-footer button", "Save", ""))
			},
			Expect: func(v Values) Facts { return Facts{"device": strings.TrimSpace(v["name"])} },
		}}}
}
