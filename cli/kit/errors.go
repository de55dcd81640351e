package kit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// AsFault converts cobra's own complaints to usage errors.
func (e *Env) AsFault(err error) *fault.Error {
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.Canceled):
		return fault.Wrap(err, fault.Cancelled, "cancelled")
	case e.running != nil:
		return fault.From(err)
	}
	return fault.New(fault.Usage, err.Error()).WithHint("see `showhow --help`")
}

// Usage is an error about flags or arguments.
func Usage(format string, args ...any) *fault.Error {
	return fault.Newf(fault.Usage, format, args...)
}

// Fail prints a failure and returns its exit code.
func (e *Env) Fail(f *fault.Error) int {
	if e.JSON {
		b, _ := json.Marshal(envelope(f)) // strings and what came as JSON: cannot fail
		fmt.Fprintln(e.ErrOut, string(b))
		return f.Code.Spec().Exit
	}
	code := " (" + string(f.Code) + ")"
	if f.Code == fault.Cancelled { // the person did it
		code = ""
	}
	message := f.Message
	list := violations(f, e.running)
	if len(list) > 0 { // they say it better
		message, list = list[0], list[1:]
	}
	fmt.Fprintf(e.ErrOut, "showhow: %s%s\n", plain.Visible(message), code)
	for _, v := range list {
		fmt.Fprintf(e.ErrOut, "  and %s\n", plain.Visible(v))
	}
	if f.Hint != "" {
		fmt.Fprintf(e.ErrOut, "  %s\n", plain.Visible(f.Hint))
	}
	return f.Code.Spec().Exit
}

// envelope is the failure as the API formats it. The client keeps the correlation id among the details.
func envelope(f *fault.Error) wire.Error {
	body := wire.ErrorBody{Code: f.Code, Message: f.Message, Retryable: f.Code.Spec().Retryable, Hint: f.Hint}
	for k, v := range f.Details {
		if id, ok := v.(string); ok && k == "correlation_id" {
			body.CorrelationID = id
			continue
		}
		if body.Details == nil {
			body.Details = map[string]any{}
		}
		body.Details[k] = v
	}
	return wire.Error{Error: body}
}

// violations describes what a validation error lists, one line each, in the names that the running command has.
func violations(f *fault.Error, cmd *cobra.Command) []string {
	list, _ := f.Details["violations"].([]any)
	var out []string
	for _, v := range list {
		m, _ := v.(map[string]any)
		path, _ := m["path"].(string)
		rule, _ := m["rule"].(string)
		if path == "" || rule == "" { // it says nothing: the message does
			continue
		}
		out = append(out, fmt.Sprintf("%s %s", field(path, cmd), inWords(rule, m["limit"])))
	}
	return out
}

// fields maps the wire's fields to the command line's names.
var fields = map[string]string{
	"sessionId": "the session's id", "proposalId": "the proposal's id", "abilityId": "the ability", "runId": "the run's id",
	"eventId":  "the event's id",
	"importId": "the import's id", "categoryId": "the category's id", "practiceId": "the practice's id", "evidenceId": "the evidence's id",
	"entry_mode": "--mode", "observation_mode": "--observe", "build_policy": "--build", "execution_mode": "--execution",
	"value_policy": "--values", "literal_apps": "--literal", "example_of": "--example-of", "target_skill_id": "--improves",
	"source_run_ids": "--from",
	"goal":           "the goal", "user_query": "QUERY", "name": "NAME", "step_label": "LABEL", "goal_description": "TEXT",
	"to_event_id":    "EVENT",
	"approval_scope": "--scope", "approval_note": "--note", "install_lane": "--lane", "reason": "--reason", "evidence": "--evidence",
	"status": "--status", "dispatch_id": "--dispatch", "learn_session_id": "--session", "run_kinds": "--kind", "adapters": "--adapter",
	"apps": "--app", "sites": "--site", "folders": "--folder", "shells": "--shell", "devices": "--device", "checkpoint_id": "the checkpoint",
}

// field is what the user knows of a path on the wire (body.scope.apps[0], path.id): the flag or argument of the running
// command, else the path's last part in words.
func field(path string, cmd *cobra.Command) string {
	if edit, ok := strings.CutPrefix(path, "body.edited_fields."); ok {
		return "--edit " + edit
	}
	where, _, _ := strings.Cut(path, ".")
	last := path[strings.LastIndexByte(path, '.')+1:]
	last, _, _ = strings.Cut(last, "[")
	if name, ok := fields[last]; ok {
		return name
	}
	words := strings.FieldsFunc(camel.ReplaceAllString(last, "${1}_${2}"), func(r rune) bool { return r == '_' || r == '-' })
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	if cmd != nil {
		if where == "body" && where != last && cmd.Flags().Lookup("file") != nil { // it is the user's file that is wrong, at this key
			return last
		}
		if flag := flagFor(cmd, words); flag != "" && where != "path" {
			return "--" + flag
		}
		if name := argumentFor(cmd, words); name != "" && where == "path" {
			return name
		}
	}
	if where == last { // the body or the query as a whole
		return "the request"
	}
	return "the value of " + strings.Join(words, " ")
}

var camel = lazyre.New(`([a-z0-9])([A-Z])`)

// flagFor is the flag that has the words of a field, or the only one whose words are all among them.
func flagFor(cmd *cobra.Command, words []string) string {
	if f := cmd.Flags().Lookup(strings.Join(words, "-")); f != nil {
		return f.Name
	}
	var among []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !slices.ContainsFunc(strings.Split(f.Name, "-"), func(w string) bool { return !slices.Contains(words, w) }) {
			among = append(among, f.Name)
		}
	})
	if len(among) != 1 {
		return ""
	}
	return among[0]
}

// argumentFor is the argument whose words are all among a field's, or the only one.
func argumentFor(cmd *cobra.Command, words []string) string {
	required, optional, _ := arguments(cmd)
	all := append(required, optional...)
	for _, name := range all {
		if !slices.ContainsFunc(strings.Split(name, "-"), func(w string) bool { return !slices.Contains(words, strings.ToLower(w)) }) {
			return name
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return ""
}

// idForm matches the patterns of ids.
var idForm = lazyre.New(`^\^([a-z]+_)\[[^]]*\][+*{}0-9,]*\$$`)

func inWords(rule string, limit any) string {
	switch rule {
	case "required":
		return "is missing"
	case "enum":
		if list, ok := limit.([]any); ok {
			var names []string
			for _, v := range list {
				names = append(names, fmt.Sprint(v))
			}
			return "must be one of " + strings.Join(names, ", ")
		}
	case "max_length":
		return fmt.Sprintf("is longer than %v characters", limit)
	case "min_length":
		return "is empty or too short"
	case "max_items":
		return fmt.Sprintf("has more than %v entries", limit)
	case "minimum":
		return fmt.Sprintf("is less than %v", limit)
	case "maximum":
		return fmt.Sprintf("is more than %v", limit)
	case "format":
		if limit == "uuid" {
			return "does not have the form of an id: the lists show ids"
		}
		return fmt.Sprintf("is not a valid %v", limit)
	case "type":
		return fmt.Sprintf("is not a valid %v", limit)
	case "pattern":
		if m := idForm.FindStringSubmatch(fmt.Sprint(limit)); m != nil {
			return "does not have the form of an id, which begins with " + m[1] + ": the lists show ids"
		}
		return fmt.Sprintf("must look like %v", limit)
	case "min_items":
		return fmt.Sprintf("needs at least %v entries", limit)
	case "unknown_key":
		return "is not known to this daemon"
	}
	if strings.Contains(rule, " ") { // a sentence without its subject
		return rule
	}
	return "is refused: " + strings.ReplaceAll(rule, "_", " ")
}
