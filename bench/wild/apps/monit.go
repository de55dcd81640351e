package apps

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/person"
)

// watched are the files that monit looks after; every second one is left alone at first.
var watched = []string{"ledger", "minutes", "payroll", "roster", "stock", "tariff", "visits", "wages"}

// monit shows what it looks after, each on a page of its own.
func monit() App {
	// press opens a service and presses one of its buttons.
	press := func(button string) func(p *person.Person, v Values) {
		return func(p *person.Person, v Values) {
			p.Open("/")
			p.Press(at("a", v["service"], ""))
			p.Press(at("input[type=submit]", button, ""))
		}
	}
	service := []Input{{"service", []string{"service", "file", "name"}}}
	looked := func(n int) Values { return Values{"service": watched[(n*2)%len(watched)]} }
	left := func(n int) Values { return Values{"service": watched[(n*2+1)%len(watched)]} }
	return App{Name: "monit", Needs: []string{"monit"}, From: "Debian: monit",
		Version: func(ctx context.Context) string { return first(ctx, "monit", "--version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			host, port, _ := strings.Cut(address, ":")
			var b strings.Builder
			fmt.Fprintf(&b, "set daemon 60\nset pidfile %[1]s/pid\nset idfile %[1]s/id\nset statefile %[1]s/state\nset log %[1]s/log\n"+
				"set httpd port %[2]s and use address %[3]s\n  allow %[3]s\n", dir, port, host)
			for _, name := range watched {
				fmt.Fprintf(&b, "check file %[1]s with path %[2]s/%[1]s.txt\n  start program = \"/usr/bin/touch %[2]s/%[1]s.began\"\n"+
					"  stop program = \"/usr/bin/touch %[2]s/%[1]s.ended\"\n", name, dir)
				if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(name), 0o600); err != nil {
					return nil, err
				}
			}
			config := filepath.Join(dir, "monitrc")
			if err := os.WriteFile(config, []byte(b.String()), 0o600); err != nil {
				return nil, err
			}
			r, err := start(ctx, address, "/", nil, dir, "monit", "-I", "-c", config)
			if err != nil {
				return nil, err
			}
			r.Facts = func(ctx context.Context) (Facts, error) { return monitored(ctx, address, dir) }
			for i, name := range watched {
				if i%2 == 0 {
					continue
				}
				if _, err := command(ctx, dir, nil, "monit", "-c", config, "unmonitor", name); err != nil {
					r.Close()
					return nil, err
				}
			}
			settled := func(ctx context.Context) bool {
				f, err := r.Facts(ctx)
				n := 0
				for _, v := range f {
					if v == "watched" {
						n++
					}
				}
				return err == nil && n == len(watched)/2 && len(f) == len(watched)
			}
			return r, until(ctx, r, settled)
		},
		Workflows: []Workflow{
			{Name: "unwatch", Goal: "Disable the monitoring of a service", Inputs: service, Values: looked, Demo: press("Disable monitoring"),
				Expect: func(v Values) Facts { return Facts{"service " + v["service"]: "left alone"} }},
			{Name: "watch", Goal: "Enable the monitoring of a service", Inputs: service, Values: left, Demo: press("Enable monitoring"),
				Expect: func(v Values) Facts { return Facts{"service " + v["service"]: "watched"} }},
			{Name: "stop", Goal: "Stop a service", Inputs: service, Values: looked, Demo: press("Stop service"),
				Expect: func(v Values) Facts { return Facts{"service " + v["service"]: "left alone ended"} }},
			{Name: "start", Goal: "Start a service", Inputs: service, Values: left, Demo: press("Start service"),
				Expect: func(v Values) Facts { return Facts{"service " + v["service"]: "watched began"} }},
			{Name: "restart", Goal: "Restart a service", Inputs: service, Values: looked, Demo: press("Restart service"),
				Expect: func(v Values) Facts { return Facts{"service " + v["service"]: "watched began ended"} }},
		}}
}

// monitored reads monit's own status, and which programs it ran.
func monitored(ctx context.Context, address, dir string) (Facts, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/_status?format=text", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	out, name := Facts{}, ""
	lines := bufio.NewScanner(io.LimitReader(resp.Body, 1<<20))
	for lines.Scan() {
		line := lines.Text()
		if _, rest, ok := strings.Cut(line, "File '"); ok {
			name, _, _ = strings.Cut(rest, "'")
		}
		state, ok := strings.CutPrefix(strings.TrimSpace(line), "monitoring status")
		if !ok || name == "" {
			continue
		}
		is := "left alone"
		if strings.TrimSpace(state) == "Monitored" {
			is = "watched"
		}
		for _, ran := range []string{"began", "ended"} {
			if isFile(filepath.Join(dir, name+"."+ran)) {
				is += " " + ran
			}
		}
		out["service "+name], name = is, ""
	}
	return out, lines.Err()
}
