package apps

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"showhow/bench/corpus/person"
)

// qBittorrent draws its windows with MooTools, each a frame of the page. It is read by its own interface; nothing of
// it leaves this machine.
func qBittorrent() App {
	return App{Name: "qbittorrent", Needs: []string{"qbittorrent-nox"}, From: "Debian: qbittorrent-nox",
		Version: func(ctx context.Context) string { return first(ctx, "qbittorrent-nox", "--version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			host, port, _ := strings.Cut(address, ":")
			config := filepath.Join(dir, "qBittorrent", "config")
			if err := os.MkdirAll(config, 0o700); err != nil {
				return nil, err
			}
			settings := "[LegalNotice]\nAccepted=true\n\n[BitTorrent]\n" +
				"Session\\DHTEnabled=false\nSession\\LSDEnabled=false\nSession\\PeXEnabled=false\n" +
				"Session\\Interface=lo\nSession\\QueueingSystemEnabled=false\nSession\\DefaultSavePath=" + dir + "/kept\n\n" +
				"[Network]\nPortForwardingEnabled=false\n\n[Preferences]\nWebUI\\Address=" + host + "\nWebUI\\Port=" + port +
				"\nWebUI\\LocalHostAuth=false\nWebUI\\HostHeaderValidation=false\nWebUI\\CSRFProtection=false\nWebUI\\UseUPnP=false\n"
			if err := os.WriteFile(filepath.Join(config, "qBittorrent.conf"), []byte(settings), 0o600); err != nil {
				return nil, err
			}
			r, err := start(ctx, address, "/api/v2/app/version", []string{"HOME=" + dir}, dir, "qbittorrent-nox", "--profile="+dir)
			if err != nil {
				return nil, err
			}
			for _, name := range torrents {
				if err := addTorrent(ctx, address, name); err != nil {
					r.Close()
					return nil, err
				}
			}
			api := service{base: "http://" + address + "/api/v2/"}
			r.Facts = func(ctx context.Context) (Facts, error) {
				var list []struct{ Name, State, Hash string }
				err := api.call(ctx, http.MethodGet, "torrents/info", nil, &list)
				out := Facts{}
				for _, t := range list {
					out["torrent "+t.Name] = "runs"
					if strings.HasPrefix(t.State, "paused") {
						out["torrent "+t.Name] = "paused"
					}
				}
				return out, err
			}
			for limit := time.After(20 * time.Second); ; { // it takes them one after the other
				if now, err := r.Facts(ctx); err == nil && len(now) == len(torrents) {
					return r, nil
				}
				select {
				case <-limit:
					r.Close()
					return nil, errors.New("qbittorrent has not taken the torrents")
				case <-ctx.Done():
					r.Close()
					return nil, ctx.Err()
				case <-time.After(50 * time.Millisecond):
				}
			}
		},
		Workflows: []Workflow{{
			Name: "pause", Goal: "Pause a torrent",
			Inputs: []Input{{"torrent", []string{"torrent", "name"}}},
			Values: func(n int) Values { return Values{"torrent": torrents[(n*2)%len(torrents)]} },
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at("#torrentsTableDiv td", v["torrent"], ""))
				p.Press(at("#pauseButton", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"torrent " + v["torrent"]: "paused"} },
		}, {
			Name: "remove", Goal: "Remove a torrent", Grave: true,
			Inputs: []Input{{"torrent", []string{"torrent", "name"}}},
			Values: func(n int) Values { return Values{"torrent": torrents[(n*2+1)%len(torrents)]} },
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at("#torrentsTableDiv td", v["torrent"], ""))
				p.Press(at("#deleteButton", "", ""))
				p.Press(at("#confirmBtn", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"torrent " + v["torrent"]: ""} },
		}, {
			Name: "rename", Goal: "Give a torrent another name",
			Inputs: []Input{{"torrent", []string{"torrent"}}, {"name", []string{"new_name", "name", "rename"}}},
			Values: func(n int) Values {
				return Values{"torrent": torrents[(n+1)%len(torrents)], "name": some(n, "atlas", "chronicle", "herbal", "grammar")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.PressRight(at("#torrentsTableDiv td", v["torrent"], ""))
				p.Press(at("#torrentsTableMenu a[href='#rename']", "", ""))
				p.Write(at("#rename", "", ""), v["name"])
				p.Press(at("#renameButton", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"torrent " + v["torrent"]: "", "torrent " + v["name"]: "runs"} },
		}}}
}

// addTorrent adds a torrent of one small file, which nobody has.
func addTorrent(ctx context.Context, address, name string) error {
	info, err := base64.StdEncoding.DecodeString(metainfo(name))
	if err != nil {
		return err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("torrents", name+".torrent")
	if err != nil {
		return err
	}
	_, _ = file.Write(info) // into memory
	if err := form.Close(); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/api/v2/torrents/add", &body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("qbittorrent: add: %s", resp.Status)
	}
	return nil
}
