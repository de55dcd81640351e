package checkup

import (
	"context"
	"fmt"

	"showhow/internal/agenthook"
)

// doctorHooks checks each hook, and when its agent last reported.
func (c *Checkup) doctorHooks(ctx context.Context, add func(name, state, detail, fix string)) {
	as, err := c.o.Agents(ctx)
	if err != nil {
		return
	}
	for _, a := range as {
		install := "showhow agent hook install " + a.Agent
		kept := "nothing is kept unless a session watches it"
		if a.Journal {
			kept = "its last runs are kept for a day"
		}
		if a.LastHeardAt != nil {
			kept += "; last heard " + a.LastHeardAt.Local().Format("2006-01-02 15:04")
		}
		switch {
		case a.Hook == nil && a.Journal && a.LastHeardAt == nil:
			add("hook "+a.Agent, "warning", "its runs are to be kept, but it never reported and has no hook of ours", install)
		case a.Hook == nil:
		case a.Hook.State == agenthook.Gone:
			add("hook "+a.Agent, "warning", "the hook is not in its settings any more",
				"run `"+install+"`, or `showhow agent hook remove "+a.Agent+"`")
		case a.Hook.State == agenthook.Changed:
			add("hook "+a.Agent, "warning", "the hook in its settings is not as this version writes it", install)
		case a.Missed > 0:
			add("hook "+a.Agent, "warning", fmt.Sprintf("%d reports could not be delivered; %s", a.Missed, kept), "")
		default:
			add("hook "+a.Agent, "ok", kept, "")
		}
	}
}
