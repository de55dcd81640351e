package apps

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // what the format of torrents asks for
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/person"
)

// torrents are Transmission's initial torrents.
var torrents = []string{"almanac", "bestiary", "cookbook", "dictionary", "encyclopedia", "fables"}

// transmission is read by its remote control. Nothing of it leaves this machine: no trackers, no discovery, no ports.
func transmission() App {
	return App{Name: "transmission", Needs: []string{"transmission-daemon"}, From: "Debian: transmission-daemon",
		Version: func(ctx context.Context) string { return first(ctx, "transmission-daemon", "--version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			_, port, _ := strings.Cut(address, ":")
			settings := fmt.Sprintf(`{"rpc-bind-address":"127.0.0.1","rpc-port":%s,"rpc-whitelist-enabled":false,
"rpc-host-whitelist-enabled":false,"dht-enabled":false,"lpd-enabled":false,"pex-enabled":false,"utp-enabled":false,
"port-forwarding-enabled":false,"bind-address-ipv4":"127.0.0.1",
"bind-address-ipv6":"::1","download-dir":%q,"start-added-torrents":true}`, port, dir)
			if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(settings), 0o600); err != nil {
				return nil, err
			}
			r, err := start(ctx, address, "/", nil, dir, "transmission-daemon", "-f", "-g", dir)
			if err != nil {
				return nil, err
			}
			remote := &remote{address: address}
			for _, name := range torrents {
				if err := remote.call(ctx, "torrent-add", map[string]any{"metainfo": metainfo(name)}, nil); err != nil {
					r.Close()
					return nil, err
				}
			}
			r.Facts = remote.facts
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "pause", Goal: "Pause a torrent",
			Inputs: []Input{{"torrent", []string{"torrent", "name"}}},
			Values: func(n int) Values { return Values{"torrent": torrents[(n*2+1)%len(torrents)]} },
			Demo: func(p *person.Person, v Values) {
				p.Open("/transmission/web/")
				p.Press(at(".torrent_name", v["torrent"], ""))
				p.Press(at("#toolbar-pause", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"torrent " + v["torrent"]: "0"} },
		}, {
			Name: "remove", Goal: "Remove a torrent", Grave: true,
			Inputs: []Input{{"torrent", []string{"torrent", "name"}}},
			Values: func(n int) Values { return Values{"torrent": torrents[(n*2+1)%len(torrents)]} },
			Demo: func(p *person.Person, v Values) {
				p.Open("/transmission/web/")
				p.Press(at(".torrent_name", v["torrent"], ""))
				p.Press(at("#toolbar-remove", "", ""))
				p.Press(at("#dialog_confirm_button", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"torrent " + v["torrent"]: ""} },
		}}}
}

// metainfo is a torrent of one small file.
func metainfo(name string) string {
	sum := sha1.Sum([]byte(name)) //nolint:gosec // no secret
	info := fmt.Sprintf("d6:lengthi%de4:name%d:%s12:piece lengthi16384e6:pieces20:%se", len(name), len(name), name, sum[:])
	return base64.StdEncoding.EncodeToString([]byte("d4:info" + info + "e"))
}

// remote is Transmission's own remote control.
type remote struct{ address, session string }

func (r *remote) call(ctx context.Context, method string, arguments any, into any) error {
	body, err := json.Marshal(map[string]any{"method": method, "arguments": arguments})
	if err != nil {
		return err
	}
	for range 2 {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+r.address+"/transmission/rpc", bytes.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("X-Transmission-Session-Id", r.session)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		if resp.StatusCode == http.StatusConflict {
			r.session = resp.Header.Get("X-Transmission-Session-Id")
			_ = resp.Body.Close()
			continue
		}
		var answer struct {
			Result    string          `json:"result"`
			Arguments json.RawMessage `json:"arguments"`
		}
		err = json.NewDecoder(resp.Body).Decode(&answer)
		_ = resp.Body.Close()
		if err != nil || answer.Result != "success" {
			return errors.Join(err, errors.New("transmission: "+method+" "+answer.Result))
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(answer.Arguments, into)
	}
	return errors.New("transmission wants another session")
}

func (r *remote) facts(ctx context.Context) (Facts, error) {
	var got struct {
		Torrents []struct {
			Name   string `json:"name"`
			Status int    `json:"status"`
		} `json:"torrents"`
	}
	if err := r.call(ctx, "torrent-get", map[string]any{"fields": []string{"name", "status"}}, &got); err != nil {
		return nil, err
	}
	out := Facts{}
	for _, t := range got.Torrents {
		out["torrent "+t.Name] = fmt.Sprint(min(t.Status, 1)) // 0 is paused
	}
	return out, nil
}
