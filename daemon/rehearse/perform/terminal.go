package perform

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

// terminal runs the command lines of a workflow in the sandbox.
type terminal struct {
	*job
	files *workspace
	shell port.Shell
	sent  []sending // by commands that do not report the result
}

// runCommand performs a command line in the sandbox.
func (p *terminal) runCommand(ctx context.Context, s workflow.Step, sc *check.Scene) (told string, err error) {
	if s.Command == "" {
		return "", &halt{record.StepSkipped, record.CodeNotExamined, "its line is not known"}
	}
	line := p.supply.Command(p.sites.Line(s.Command))
	if len(p.supply.Lacks(line, p.supply.Known)) > 0 || strings.Contains(line, supply.Unknown) {
		return "", &halt{record.StepSkipped, record.CodeNeedsValue, "a word of the line is not known"}
	}
	if p.shell == nil {
		if p.shell, err = p.room.Shell(ctx, port.ShellSpec{Hosts: namedHosts(p.Req), Fish: p.supply.Fish}); err != nil {
			return "", err
		}
	}
	dir := p.files.folder(s.Dir)
	sc.Dir = filepath.Join(p.room.Dir(), filepath.FromSlash(dir))
	if err := makeBelow(p.room.Dir(), dir); err != nil {
		return "", fault.Wrap(err, fault.Internal, "a folder of the run cannot be created")
	}
	res, err := p.shell.Run(ctx, line, cmp.Or(dir, "."), p.leftRunning(s))
	if err != nil {
		return "", err
	}
	sc.Command = &res
	p.heard(s, line, res)
	return p.ended(s, res)
}

// leftRunning lists the programs that a step's checkpoints expect to be running.
func (p *terminal) leftRunning(s workflow.Step) (out []string) {
	for _, c := range p.checksOf(s) {
		if name := p.supply.Text(c.Name); c.Kind == "process" && !c.Gone && name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// ended judges how a line ended if no checkpoint does.
func (p *terminal) ended(s workflow.Step, res port.CommandResult) (string, error) {
	told := ""
	if len(res.Refused) > 0 {
		told = fmt.Sprintf("the network is closed to %s", strings.Join(res.Refused[:min(len(res.Refused), 5)], ", "))
	}
	judged := slices.ContainsFunc(p.checksOf(s), func(c workflow.Check) bool { return c.Kind == "exit_code" })
	switch {
	case res.Killed != "":
		return "", &halt{record.StepFailed, record.CodeStepFailed, strings.TrimSpace("it was ended: " + res.Killed + "; " + told)}
	case len(res.Refused) > 0: // some programs take that for an answer
		return "", &halt{record.StepSkipped, record.CodePolicyViolation, told + ": name it with --allow if the run may reach it"}
	case judged || res.ExitCode == 0:
		return told, nil
	case res.ExitCode == 127:
		return "", &halt{record.StepFailed, record.CodeStepFailed, "a command of the line is not installed here"}
	}
	return "", &halt{record.StepFailed, record.CodeStepFailed, fmt.Sprintf("it ended with exit code %d", res.ExitCode)}
}

// namedHosts are the hosts that commands may reach: only those that somebody named, never the skill's sites by
// themselves.
func namedHosts(req record.Request) []string {
	return append(slices.Clone(policy.Of(req).AllowedDomains), req.AllowHosts...)
}
