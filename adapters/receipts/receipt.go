package receipts

import (
	"path"
	"path/filepath"
	"strings"
	"time"

	"showhow/adapters/receipts/report"
	"showhow/capture"
	"showhow/capture/cmdline"
)

// Receipt is one report: a tool call of an agent, a wrapped command, or the end of an agent's run.
type Receipt = report.Receipt

// Observation converts a receipt, as of now: it happened when the call began. Key is left to the caller.
func Observation(r Receipt, now time.Time) capture.Observation {
	took := time.Duration(r.DurationMS) * time.Millisecond
	o := capture.Observation{Kind: capture.Kind(r.Kind), OccurredAt: now.Add(-took), Verb: capture.Call, Surface: capture.SurfaceMCP,
		Origin: capture.Origin{App: app(r), Own: cmdline.OwnCommand(r.Command)}}
	connector := ""
	if r.Kind == report.Wrapped {
		o.Surface, o.Origin.Folder = capture.SurfaceWrapper, r.Cwd
	}
	if AtDoor(r) {
		r.Tool, r.Args = behindDoor(r)
		if name, _, ok := strings.Cut(r.Tool, "__"); ok {
			connector, o.Surface = name, capture.SurfaceConnector
		}
	}
	if r.Tool != "" || r.Agent != "" {
		o.Call = &capture.RawCall{Agent: r.Agent, RunID: r.RunID, Tool: r.Tool, Connector: connector, Failed: r.Outcome == report.Failed,
			Duration: took}
		for _, a := range r.Args {
			o.Call.Args = append(o.Call.Args, capture.RawArg{Name: a.Name, Value: capture.RawValue{Text: a.Value}})
		}
	}
	before, after := effects(r)
	o.Changed = len(after)+len(before) > 0 && r.Outcome != report.Failed
	switch {
	case r.Command != "":
		o.Verb = capture.Run
		o.Command = &capture.RawCommand{Line: r.Command, Shell: "bash", CwdFrom: r.Cwd, CwdTo: r.Cwd, Exit: exit(r), Duration: took}
		o.Before, o.After = &capture.State{Cwd: r.Cwd, Files: before}, &capture.State{Cwd: r.Cwd, Files: after}
	case len(r.Files) > 0:
		f := file(r, r.Files[0])
		f.Change = r.Files[0].Change
		o.File = &f
		o.Before, o.After = &capture.State{Cwd: r.Cwd, Files: before}, &capture.State{Cwd: r.Cwd, Files: after}
	}
	return o
}

// app is what the scope checks: the agent, or the program of a person's wrapped command.
func app(r Receipt) string {
	if r.Agent != "" {
		return r.Agent
	}
	if r.Kind == report.Wrapped {
		return program(r.Command)
	}
	return ""
}

// exit is the exit code: 1 for a failure without a code, 0 if the outcome is unknown, as a reader would assume.
func exit(r Receipt) int {
	switch {
	case r.ExitCode != nil:
		return *r.ExitCode
	case r.Outcome == report.Failed:
		return 1
	}
	return 0
}

// effects returns the files that are gone and those that are new or changed.
func effects(r Receipt) (gone, there []capture.File) {
	for _, f := range r.Files {
		if f.Change == "removed" {
			gone = append(gone, file(r, f))
		} else {
			there = append(there, file(r, f))
		}
	}
	return gone, there
}

func file(r Receipt, f report.File) capture.File {
	p := f.Path
	if rel, err := filepath.Rel(r.Cwd, p); err == nil && r.Cwd != "" && filepath.IsAbs(p) && filepath.IsLocal(rel) {
		p = rel
	}
	p = filepath.ToSlash(p)
	return capture.File{Name: path.Base(p), Path: p, Ext: strings.ToLower(path.Ext(p)), Size: f.Size}
}

// program is the first program that a line runs; "" if it runs none or cannot be parsed.
func program(line string) string {
	if names, _ := cmdline.Programs(line); len(names) > 0 {
		return strings.ToLower(names[0])
	}
	return ""
}
