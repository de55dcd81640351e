package agentrun

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"showhow/daemon/credential"
	"showhow/internal/fault"
)

// SaveTool is the program with which an agent hands over a credential that it obtained, such as the key of an account
// that it made. The value comes from standard input: others can read arguments.
const SaveTool = "showhow-save-credential"

// Bounds of what a run may hand over.
const (
	maxSaved      = 20
	maxCredential = 8192
)

type saveBody struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

const saveUsage = "usage: showhow-save-credential NAME < VALUE\n"

func saveMain(args []string, socket string, in io.Reader, errs io.Writer) int {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") {
		fmt.Fprint(errs, saveUsage)
		return 2
	}
	value, err := io.ReadAll(io.LimitReader(in, maxCredential+2))
	if err != nil {
		fmt.Fprintln(errs, "showhow-save-credential: the value cannot be read")
		return 2
	}
	var r askReply
	err = post(socket, "/credential", saveBody{args[0], strings.TrimRight(string(value), "\r\n")}, &r)
	switch {
	case err != nil:
		fmt.Fprintln(errs, "showhow-save-credential: this is no run of Showhow, or it is ending")
		return 3
	case r.Error != "":
		fmt.Fprintln(errs, "showhow-save-credential:", r.Error)
		return 1
	}
	return 0
}

// saved is what a run handed over. Values stay in memory until the run has ended well, then only in the keychain.
type saved struct {
	mu     sync.Mutex
	values map[string]string
}

func (s *saved) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.values))
}

func (s *saved) clone() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.values)
}

func (s *saved) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values = nil
}

// redact removes handed-over values from a text.
func (s *saved) redact(text string) string {
	for name, v := range s.clone() {
		if len(v) >= 4 {
			text = strings.ReplaceAll(text, v, "[[credential "+name+"]]")
		}
	}
	return text
}

func (l *live) takeCredential(w http.ResponseWriter, r *http.Request) {
	var b saveBody
	reply := askReply{Error: "the credential cannot be read"}
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&b) == nil {
		reply = askReply{Error: l.save(r.Context(), b)}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(reply)
}

// save accepts a credential; it returns why not, "" when it did. For an existing skill, only what its permissions name
// is accepted; what a new skill needs is decided by the person who approves it.
func (l *live) save(ctx context.Context, b saveBody) (refusal string) {
	k := l.plan.skill
	switch {
	case !l.why.Extract || l.s.o.Secrets == nil:
		return "nothing can be kept: there is no keychain, or this run keeps nothing"
	case credential.Variable(b.Name) == "" || slices.ContainsFunc(profiles, func(p profile) bool {
		return slices.Contains(p.credentials, credential.Variable(b.Name))
	}):
		return "a credential of this name cannot be kept"
	case b.Value == "" || len(b.Value) > maxCredential || strings.ContainsRune(b.Value, 0):
		return "the value is empty or too long"
	case k != nil && !slices.Contains(k.Credentials, b.Name):
		return "the skill's permissions do not name this credential"
	}
	if _, err := l.s.o.Secrets.Get(ctx, b.Name); err == nil {
		return "it is stored already; only a person replaces it"
	} else if !fault.Is(err, fault.NotFound) {
		return "the keychain cannot be asked"
	}
	l.saved.mu.Lock()
	defer l.saved.mu.Unlock()
	if _, again := l.saved.values[b.Name]; !again && len(l.saved.values) >= maxSaved {
		return "too many credentials"
	}
	if l.saved.values == nil {
		l.saved.values = map[string]string{}
	}
	l.saved.values[b.Name] = b.Value
	return ""
}

// keepSaved stores what the run handed over in the keychain. What an approved skill's permissions name is saved;
// anything else waits for the approval of the skill that the run made. If the run made none, nothing is kept.
func (l *live) keepSaved(ctx context.Context) []string {
	var kept []string
	owner := ""
	l.mu.Lock()
	for _, r := range l.run.Skills {
		if owner == "" && (r.Outcome == "created" || r.Outcome == "updated") {
			owner = r.AbilityID
		}
	}
	l.mu.Unlock()
	values := l.saved.clone()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		var err error
		switch {
		case owner != "":
			err = l.s.o.Secrets.Pend(ctx, owner, name, values[name])
		case l.plan.skill != nil: // unchanged, and its permissions name it
			_, err = l.s.o.Secrets.Set(ctx, name, values[name], nil)
		default:
			continue
		}
		if err != nil {
			l.s.o.Log.Error("a credential that a run obtained could not be kept", "code", string(fault.CodeOf(err)))
			continue
		}
		kept = append(kept, name)
	}
	return kept
}

func init() {
	runAs(SaveTool, func(args []string, socket string) int { return saveMain(args, socket, os.Stdin, os.Stderr) })
}
