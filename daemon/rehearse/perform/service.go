package perform

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

// callTool calls a connector's tool through the door. Unless the policy allows changes, the door may call it only if
// the tool, as described now, only reads.
func (p *Performance) callTool(ctx context.Context, s workflow.Step, sc *check.Scene) (told string, err error) {
	if p.Door == nil {
		return "", &halt{record.StepSkipped, record.CodeNotExamined, "nothing here can call a connector"}
	}
	args, err := p.toolArgs(s)
	if err != nil {
		return "", err
	}
	res, err := p.Door.Call(ctx, s.Tool, args, !policy.Writes(p.policy, policy.OnConnector))
	if err != nil {
		f := fault.From(err)
		if f.Code == fault.TestPolicyViolation || f.Code == fault.MCPAskFirstRequired || f.Code == fault.MCPAskFirstExpired {
			return "", &halt{record.StepSkipped, record.CodePolicyViolation, "it was not done: " + f.Message}
		}
		return "", &halt{record.StepFailed, record.CodeStepFailed, f.Message}
	}
	sc.Called = &res
	if res.Failed && !slices.ContainsFunc(p.checksOf(s), func(c workflow.Check) bool { return c.Kind == "output" }) {
		return "", &halt{record.StepFailed, record.CodeStepFailed, "the tool answered with an error"}
	}
	if s.Effect {
		return "called; what its service keeps is not taken back", nil
	}
	return "called; it only reads", nil
}

// toolArgs are a call's arguments with the run's values filled in.
func (p *job) toolArgs(s workflow.Step) ([]byte, error) {
	if s.ArgsCut {
		return nil, &halt{record.StepSkipped, record.CodeNeedsValue, "not all of its arguments are known"}
	}
	root := &node{}
	for _, a := range s.Args {
		if len(p.supply.Lacks(a.Value, p.supply.Known)) > 0 || strings.Contains(a.Value, supply.Unknown) {
			return nil, &halt{record.StepSkipped, record.CodeNeedsValue, "the argument " + a.Name + " is not known"}
		}
		v, ok := inForm(a.Form, p.supply.Text(a.Value))
		if !ok {
			return nil, &halt{record.StepSkipped, record.CodeNeedsValue, "the argument " + a.Name + " takes a " + a.Form}
		}
		root.put(strings.Split(a.Name, "."), v)
	}
	if root.members == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(root)
}

// inForm converts a text to the JSON type that the argument had when demonstrated; false when it does not fit.
func inForm(form, text string) (json.RawMessage, bool) {
	switch form {
	case "number":
		text = strings.TrimSpace(text)
		if _, err := strconv.ParseFloat(text, 64); err != nil || !json.Valid([]byte(text)) {
			return nil, false
		}
		return json.RawMessage(text), true
	case "truth":
		return json.RawMessage(strconv.FormatBool(ticked(text))), true
	case "nothing":
		return json.RawMessage("null"), true
	case "list":
		return json.RawMessage("[]"), true
	case "object":
		return json.RawMessage("{}"), true
	}
	b, err := json.Marshal(text)
	return b, err == nil
}

// node is a part of the arguments under construction: a leaf, or members by name. Names that count from 0 make a list.
type node struct {
	leaf    json.RawMessage
	names   []string
	members map[string]*node
}

func (n *node) put(path []string, v json.RawMessage) {
	if len(path) == 0 {
		n.leaf = v
		return
	}
	if n.members == nil {
		n.members = map[string]*node{}
	}
	m := n.members[path[0]]
	if m == nil {
		m = &node{}
		n.members[path[0]] = m
		n.names = append(n.names, path[0])
	}
	m.put(path[1:], v)
}

// MarshalJSON implements json.Marshaler.
func (n *node) MarshalJSON() ([]byte, error) {
	if n.members == nil {
		return n.leaf, nil
	}
	var items []*node
	for i := range n.names {
		if m := n.members[strconv.Itoa(i)]; m != nil {
			items = append(items, m)
		}
	}
	if len(items) == len(n.names) {
		return json.Marshal(items)
	}
	return json.Marshal(n.members)
}
