package apps

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/person"
)

// machines are the programs that supervisor keeps running; every second one is stopped at first.
var machines = []string{"crane", "ferry", "lathe", "mill", "press", "winch"}

// supervisor keeps programs running; all of its deeds are links, followed by GET, in the rows of one table.
func supervisor() App {
	// press follows a link in a program's row.
	press := func(link string) func(p *person.Person, v Values) {
		return func(p *person.Person, v Values) {
			p.Open("/")
			p.Press(at(fmt.Sprintf("tr:has(a[href*='processname=%s']) a", v["program"]), link, ""))
		}
	}
	program := []Input{{"program", []string{"program", "process", "name", "item", "machine"}}}
	runs := func(n int) Values { return Values{"program": machines[(n*2)%len(machines)]} }
	rests := func(n int) Values { return Values{"program": machines[(n*2+1)%len(machines)]} }
	return App{Name: "supervisor", Needs: []string{"supervisord", "supervisorctl"}, From: "Debian: supervisor",
		Version: func(ctx context.Context) string { return first(ctx, "supervisord", "--version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			var b strings.Builder
			fmt.Fprintf(&b, "[inet_http_server]\nport=%[1]s\n[rpcinterface:supervisor]\n"+
				"supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface\n[supervisord]\nnodaemon=true\n"+
				"logfile=%[2]s/log\npidfile=%[2]s/pid\nchildlogdir=%[2]s\n[supervisorctl]\nserverurl=http://%[1]s\n", address, dir)
			for i, m := range machines {
				fmt.Fprintf(&b, "[program:%[1]s]\ncommand=/bin/sh -c 'echo on >> %[2]s/%[1]s.began; echo hello; "+
					"while [ -d /proc/$PPID ]; do sleep 1; done'\n"+
					"startsecs=0\nstopasgroup=true\n"+
					"autostart=%[3]v\nautorestart=false\nstdout_logfile=%[2]s/%[1]s.out\nredirect_stderr=true\n", m, dir, i%2 == 0)
			}
			config := filepath.Join(dir, "conf")
			if err := os.WriteFile(config, []byte(b.String()), 0o600); err != nil {
				return nil, err
			}
			r, err := start(ctx, address, "/", nil, dir, "supervisord", "-n", "-c", config)
			if err != nil {
				return nil, err
			}
			r.Facts = func(ctx context.Context) (Facts, error) {
				said, err := command(ctx, dir, nil, "sh", "-c", `supervisorctl -c "$0" status; true`, config)
				out := Facts{}
				for line := range strings.SplitSeq(said, "\n") {
					f := strings.Fields(line)
					if len(f) < 2 {
						continue
					}
					began, _ := os.ReadFile(filepath.Join(dir, f[0]+".began"))
					state := map[string]string{"RUNNING": "runs", "STOPPED": "rests", "EXITED": "rests"}[f[1]]
					wrote, _ := os.ReadFile(filepath.Join(dir, f[0]+".out"))
					out["program "+f[0]] = fmt.Sprintf("%s, began %d times, wrote %d lines", state, strings.Count(string(began), "on"),
						strings.Count(string(wrote), "hello"))
				}
				return out, err
			}
			settled := func(ctx context.Context) bool {
				f, err := r.Facts(ctx)
				n := 0
				for _, v := range f {
					if v == "runs, began 1 times, wrote 1 lines" {
						n++
					}
				}
				return err == nil && n == len(machines)/2 && len(f) == len(machines)
			}
			return r, until(ctx, r, settled)
		},
		Workflows: []Workflow{
			{Name: "stop", Goal: "Stop a program", Inputs: program, Values: runs, Demo: press("Stop"),
				Expect: func(v Values) Facts {
					return Facts{"program " + v["program"]: "rests, began 1 times, wrote 1 lines"}
				}},
			{Name: "start", Goal: "Start a program", Inputs: program, Values: rests, Demo: press("Start"),
				Expect: func(v Values) Facts {
					return Facts{"program " + v["program"]: "runs, began 1 times, wrote 1 lines"}
				}},
			{Name: "restart", Goal: "Restart a program", Inputs: program, Values: runs, Demo: press("Restart"),
				Expect: func(v Values) Facts {
					return Facts{"program " + v["program"]: "runs, began 2 times, wrote 2 lines"}
				}},
			{Name: "clear-log", Goal: "Clear the log of a program", Grave: true, Inputs: program, Values: runs, Demo: press("Clear Log"),
				Expect: func(v Values) Facts {
					return Facts{"program " + v["program"]: "runs, began 1 times, wrote 0 lines"}
				}},
		}}
}
