package apps

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/person"
)

// papers are the files that the notebook's folder begins with.
var papers = []string{"anchor", "barrel", "compass", "dinghy", "engine"}

// jupyter is the file list of the classic notebook: rows with boxes, and one bar of buttons for what is ticked.
func jupyter() App {
	const text = "Seen at the harbour: "
	file := Input{"file", []string{"file", "name", "item", "text_file"}}
	// ticked ticks a file and presses a button of the bar.
	ticked := func(p *person.Person, file, button string) {
		p.Open("/tree")
		p.Press(at(".list_item input[type=checkbox]", "", file))
		p.Press(at(button, "", ""))
	}
	files := func(k int) func(n int) Values {
		return func(n int) Values { return Values{"file": papers[(n+k)%len(papers)] + ".txt"} }
	}
	said := func(v Values) string { return "file " + text + strings.TrimSuffix(v["file"], ".txt") }
	return App{Name: "jupyter", Needs: []string{"jupyter-notebook"}, From: "Debian: jupyter-notebook",
		Version: func(ctx context.Context) string { return first(ctx, "jupyter-notebook", "--version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			host, port, _ := strings.Cut(address, ":")
			kept := filepath.Join(dir, "files")
			for _, d := range []string{"attic", "cellar"} {
				if err := os.MkdirAll(filepath.Join(kept, d), 0o700); err != nil {
					return nil, err
				}
			}
			for _, name := range papers {
				if err := os.WriteFile(filepath.Join(kept, name+".txt"), []byte(text+name), 0o600); err != nil {
					return nil, err
				}
			}
			r, err := start(ctx, address, "/tree", []string{"HOME=" + dir}, dir, "jupyter-notebook", "--allow-root", "--no-browser", "--ip="+host,
				"--port="+port, "--NotebookApp.token=", "--NotebookApp.password=", "--notebook-dir="+kept,
				"--FileContentsManager.delete_to_trash=False")
			if err != nil {
				return nil, err
			}
			r.Facts = func(context.Context) (Facts, error) {
				out, err := filesIn(kept)
				maps.DeleteFunc(out, func(path, _ string) bool { return strings.Contains("/"+path, "/.") }) // its own copies
				return out, err
			}
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "rename-file", Goal: "Give a file another name",
			Inputs: []Input{file, {"name", []string{"new_name", "name", "rename", "file_name", "text", "enter_new_file", "new_file_name"}}},
			Values: func(n int) Values {
				return Values{"file": papers[n%len(papers)] + ".txt", "name": some(n, "hook.txt", "cask.txt", "needle.txt", "skiff.txt")}
			},
			Demo: func(p *person.Person, v Values) {
				ticked(p, v["file"], ".rename-button")
				p.Write(at(".modal-dialog input", "", ""), v["name"])
				p.Press(at(".modal-dialog button", "Rename", ""))
			},
			Expect: func(v Values) Facts { return Facts{v["file"]: "", v["name"]: said(v)} },
		}, {
			Name: "delete-file", Goal: "Delete a file", Grave: true, Inputs: []Input{file}, Values: files(1),
			Demo: func(p *person.Person, v Values) {
				ticked(p, v["file"], ".delete-button")
				p.Press(at(".modal-dialog button", "Delete", ""))
			},
			Expect: func(v Values) Facts { return Facts{v["file"]: ""} },
		}, {
			Name: "duplicate-file", Goal: "Duplicate a file", Inputs: []Input{file}, Values: files(2),
			Demo: func(p *person.Person, v Values) {
				ticked(p, v["file"], ".duplicate-button")
				p.Press(at(".modal-dialog button", "Duplicate", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{strings.TrimSuffix(v["file"], ".txt") + "-Copy1.txt": said(v)}
			},
		}, {
			Name: "move-file", Goal: "Move a file to another folder",
			Inputs: []Input{file, {"folder", []string{"folder", "path", "directory", "new_path", "enter_new_destination", "destination"}}},
			Values: func(n int) Values {
				return Values{"file": papers[(n+3)%len(papers)] + ".txt", "folder": some(n, "attic", "cellar", "attic", "cellar")}
			},
			Demo: func(p *person.Person, v Values) {
				ticked(p, v["file"], ".move-button")
				p.Write(at(".modal-dialog input", "", ""), v["folder"])
				p.Press(at(".modal-dialog button", "Move", ""))
			},
			Expect: func(v Values) Facts { return Facts{v["file"]: "", v["folder"] + "/" + v["file"]: said(v)} },
		}}}
}
