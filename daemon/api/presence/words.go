package presence

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/agentrun"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/mcpconfig"
	"showhow/internal/plain"
)

// Subject is the subject of an action in its current state.
type Subject struct {
	ID          string
	Revision    int
	ContentHash string
	ChangedAt   clock.Time
	Lines       []string // what a person should know about the subject and the request, line by line; not part of the claim
}

// DescribeClaim is the text on the terminal. Everything in it was checked against a plain alphabet.
func DescribeClaim(b *wire.ConfirmationRequest) string {
	text := strings.ReplaceAll(b.Action, "-", " ") + " " + b.SubjectID
	if b.Action == "widen-test-policy" {
		text = "let the test really write or send, where the draft " + b.SubjectID + " works"
	}
	if len(b.ContentHash) >= 12 {
		text += " (content " + strings.TrimPrefix(b.ContentHash, "sha256:")[:8] + ")"
	}
	return text
}

// SayAnswer adds a run's question, in the agent's words, and the answer that it gets.
func (x Subject) SayAnswer(r agentrun.Run, b *agentrun.AnswerRequest) Subject {
	x = x.Say("The agent “%s”", r.Agent)
	if r.For != "" {
		x = x.Say("What you answer can reach %s, on another computer", r.For)
	}
	if q := r.Question; q != nil {
		if q.Host != "" {
			x = x.Say("It asks to reach %s", q.Host)
		}
		if q.Text != "" {
			x = x.Say("It says: “%s”", q.Text)
		}
	}
	if b.Text != "" {
		x = x.Say("It is told what you typed: %d characters", len([]rune(b.Text)))
	}
	return x
}

func (x Subject) SayLeaving(l wire.Leaving, b *wire.LeaveRequest) Subject {
	count := map[string]int{}
	for _, o := range l.Outside {
		count[o.Kind]++
	}
	if n := count["skill"]; n > 0 && !b.KeepSkills {
		x = x.Say("Copies of skills taken from agents: %d", n)
	}
	if n := count["hook"]; n > 0 {
		x = x.Say("Hooks in agents' settings: %d", n)
	}
	if b.DestroyKeys {
		x = x.Say("The keys of sealed values: nobody can read those again")
		if n := count["tokens"]; n > 0 {
			x = x.Say("Connectors that are signed out: %d", n)
		}
		if count["signing_key"] > 0 {
			x = x.Say("The key that signs your skills: later pushes get a new one")
		}
	}
	if len(x.Lines) == 0 {
		x = x.Say("Nothing outside Showhow's own folders")
	}
	return x
}

func (x Subject) SaySession(l state.Session) Subject {
	if l.Goal == "" {
		return x.Say("The demonstration without a goal, of %s", l.CreatedAt.Local().Format("2 January, 15:04"))
	}
	return x.Say("The demonstration of “%s”", l.Goal)
}

// Bind is the content hash to confirm for a content with permissions of the request's own.
func Bind(hash string, lists ...[]string) string {
	b, _ := json.Marshal([]any{hash, lists}) // strings always encode
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Bound is the subject for a confirmation of one request. One without a content hash of its own gets that of the request
// and of the lines that a person reads about it: a code for it confirms nothing else.
func (x Subject) Bound(request [sha256.Size]byte) Subject {
	if x.ContentHash == "" {
		x.ContentHash = Bind(hex.EncodeToString(request[:]), x.Lines)
	}
	return x
}

// BindPermissions is the content hash to confirm for a content with exactly these permissions.
func BindPermissions(hash string, p ability.Permissions) string {
	return Bind(hash, p.Tools, p.Domains, p.Credentials, p.Agents)
}

// With is the subject with the request's permissions, if it names any.
func (x Subject) With(p *ability.Permissions) Subject {
	if p != nil {
		x.ContentHash = BindPermissions(x.ContentHash, *p)
	}
	return x.SayPermissions(p)
}

func (x Subject) SayAbility(e ability.AvailabilityEntry) Subject {
	return x.Say("The skill “%s” (%s), revision %d", e.Title, e.SkillSlug, e.Revision).SayContent()
}

// Questions are the window's questions to a person, by the presence that an operation requires: a sentence that says
// what follows.
var Questions = map[string]string{
	"allow-canary":           "Let Showhow check on its own whether this still works, by reading only?",
	"change-canary-settings": "Let Showhow check more on its own than before?",
	"clear-quarantine":       "Let agents use this skill again?",
	"allow-calls":            "Let agents use more of a connected service, without asking you?",
	"approve-call":           "Let the agent do exactly this?",
	"connect-service":        "Connect this, so that agents can reach it through Showhow?",
	"allow-remote":           "Let this caller in from another computer?",
	"open-remote-a2a":        "Answer agents on other computers in A2A?",
	"allow-remote-task":      "Run this skill here once, for a caller on another computer?",
	"open-remote":            "Let agents on other computers ask for access?",
	"add-agent":              "Give a new agent a token of its own?",
	"allow-model":            "Let the model on another machine see the texts of this draft?",
	"change-settings":        "Change which programs are started, or where skills and records go?",
	"answer-run":             "Answer what the agent's run asks?",
	"answer-question":        "Give the agent this answer?",
	"approve":                "Approve this skill for everything you do in this workspace, and install it?",
	"approve-ability":        "Trust this skill with exactly this content?",
	"delete-ability":         "Remove this skill from every agent?",
	"delete-session":         "Delete this recording, for good?",
	"erase-data":             "Delete everything that Showhow keeps on this computer, for good?",
	"export-data":            "Write everything that Showhow keeps into a readable file?",
	"grant-in-advance":       "Start with what you chose in advance: readable values, or installing without asking again?",
	"install":                "Install this for you, so that agents on this computer can use it?",
	"keep-runs":              "Keep this agent's last runs, redacted, for a day?",
	"mine":                   "Search your recorded work for tasks that you repeat?",
	"prepare-run":            "Fetch the packages that this skill names?",
	"promote-ability":        "Move this skill to the shared lane, which lookups prefer?",
	"purge-data":             "Purge all raw observations now?",
	"commit-notes":           "Write this into your notes?",
	"push-skill":             "Send this skill to a registry, where others read it?",
	"reject":                 "Reject this draft and purge what was observed?",
	"reject-ability":         "Refuse this skill?",
	"reject-import":          "Reject this import and delete its files?",
	"remove-credential":      "Delete this credential?",
	"set-credential":         "Keep this credential, for runs that are allowed to have it?",
	"start-run":              "Let the agent start with what it is to be given?",
	"uninstall":              "Take back what Showhow made on this computer?",
	"unquarantine-ability":   "Let agents use this skill again?",
	"widen-permissions":      "Give this skill more permissions?",
	"widen-scope":            "Let Showhow watch more than before?",
	"widen-test-policy":      "Rehearse this, and let the test do more than read?",
}

// Question is the question and below it exactly what it is about.
func Question(b *wire.ConfirmationRequest, says []string) string {
	lines := strings.Join(about(says, DescribeClaim(b)), "\n")
	if q := Questions[b.Action]; q != "" {
		return q + "\n\n" + lines
	}
	return lines
}

// The limits of what a menu shows in full: linesShown lines of about sayWidth. A longer challenge is not answered
// there.
const (
	sayWidth   = 70
	linesShown = 16
	lineShown  = 300
)

// Say adds one line for a person.
func (x Subject) Say(format string, args ...any) Subject { return x.line(fmt.Sprintf(format, args...)) }

// line adds a line, reduced to one line of printable characters: whatever it is made of, it comes through here.
func (x Subject) line(s string) Subject {
	x.Lines = append(x.Lines, plain.VisibleLine(s))
	return x
}

// SayList adds all items of a list, on as many lines as needed, and nothing for an empty one.
func (x Subject) SayList(what string, list []string) Subject {
	line := ""
	for i, s := range list {
		if s = plain.VisibleLine(s); line == "" {
			line = s
		} else {
			line += ", " + s
		}
		if i == len(list)-1 || len(line) > sayWidth {
			x, line = x.line(what+": "+line), ""
		}
	}
	return x
}

// SayContent names the content by the number that the pages show too. It covers what was read, not the options ticked
// beside it.
func (x Subject) SayContent() Subject {
	if h := strings.TrimPrefix(x.ContentHash, "sha256:"); len(h) >= contentShown {
		return x.Say("Fingerprint %s", h[:contentShown])
	}
	return x
}

// contentShown is how many characters of a hash a person compares.
const contentShown = 8

// SayRun describes a run that needs a confirmation: how far it may go, where, and with which values.
func (x Subject) SayRun(b *rehearse.ValidateRequest) Subject {
	x = x.SayPolicy(b.TestPolicy, b.Profile)
	if b.StartURL != "" {
		x = x.Say("It begins at %s", b.StartURL)
	}
	for _, name := range slices.Sorted(maps.Keys(b.StartURLs)) {
		x = x.Say("It begins at %s", b.StartURLs[name])
	}
	x = x.SayList("It may reach", b.AllowHosts)
	for _, name := range slices.Sorted(maps.Keys(b.Parameters)) {
		x = x.Say("%s: %s", strings.ReplaceAll(name, "_", " "), b.Parameters[name])
	}
	return x
}

func (x Subject) SayPermissions(p *ability.Permissions) Subject {
	if p == nil {
		return x.Say("It may use what it asks for")
	}
	x = x.SayList("Only these agents of this computer may use it", p.AgentsHere()).
		SayList("Callers from other computers may use it", p.AgentsElsewhere())
	if len(p.Tools)+len(p.Domains)+len(p.Credentials) == 0 {
		return x.Say("It may use nothing but what every skill may")
	}
	return x.SayList("It may use", p.Tools).SayList("It may reach", p.Domains).SayList("It may have the credentials", p.Credentials)
}

// policyNames names the policies as the pages do.
var policyNames = map[rehearse.PolicyMode]string{rehearse.ReadOnly: "only look", rehearse.CopyArtifact: "work on copies",
	rehearse.LiveReadSafeWrite: "do it, but send and delete nothing", rehearse.ControlledLiveTest: "really do it"}

func (x Subject) SayPolicy(p *rehearse.TestPolicy, profile string) Subject {
	if p != nil {
		x = x.Say("How far the test may go: %s", cmp.Or(policyNames[p.Mode], strings.ReplaceAll(string(p.Mode), "_", " ")))
		if !p.DestructiveForbidden() {
			x = x.Say("It may change and delete")
		}
		if !p.SendForbidden() {
			x = x.Say("It may send to others")
		}
		x = x.SayList("It may reach", p.AllowedDomains)
	}
	if profile == rehearse.ProfileManaged {
		x = x.Say("It works in the browser where you are signed in")
	}
	return x
}

// SayGrants lists what a new session is permitted in advance.
func (x Subject) SayGrants(b *wire.CreateLearnSessionRequest) Subject {
	if b.Goal != "" {
		x = x.Say("To be shown: “%s”", b.Goal)
	}
	if b.ValuePolicy == string(capture.Literal) {
		x = x.Say("What you type is kept readable (never what is secret)")
	}
	x = x.SayList("What you type is kept readable in", b.LiteralApps)
	if b.AllowPrivateInstall || b.BuildPolicy == state.PrivateAutoInstall {
		x = x.Say("The skill installs itself when every test passed")
	}
	return x
}

func (x Subject) SayScope(b *wire.ScopeRequest) Subject {
	s := b.Scope
	x = x.SayList("Sites", s.Sites).SayList("Programs", s.Apps).SayList("Shells", s.Shells).SayList("Folders", s.Folders).SayList("Devices",
		s.Devices)
	if b.ValuePolicy == string(capture.Literal) {
		x = x.Say("What you type is kept readable (never what is secret)")
	}
	return x.SayList("What you type is kept readable in", b.LiteralApps)
}

// BindService is the content hash to confirm for a registration: all of it except the client's request id, and where its package would come
// from.
func BindService(q wire.MCPServerCreateRequest, from string) string {
	q.ClientRequestID = ""
	b, _ := json.Marshal(q) // strings, numbers and maps of strings always encode, the maps in order
	return Bind(string(b), []string{from})
}

// SayService says what a registration connects to, and what it may use.
func (x Subject) SayService(q *wire.MCPServerCreateRequest, from string) Subject {
	x = x.Say("“%s”", q.DisplayName)
	if q.EndpointURL != "" {
		x = x.Say("At %s", q.EndpointURL)
	}
	for _, name := range slices.Sorted(maps.Keys(q.HeaderSecrets)) {
		x = x.Say("Sends the secret %s as %s", q.HeaderSecrets[name], name)
	}
	if q.AuthProfileID != "" {
		x = x.Say("Signs in with: %s", q.AuthProfileID)
	}
	if len(q.OperationFamilies) > 0 {
		if q.EndpointURL == "" {
			x = x.Say("At %s", "Microsoft Graph")
		}
		for _, family := range q.OperationFamilies {
			x = x.Say("Offers: %s", family)
		}
		x = x.Say("Asks Microsoft for: %s", strings.Join(q.RequestedScopes, " "))
		for _, l := range [][2]string{{"The application", q.ClientID}, {"The organisation", q.TenantID}, {"Sign-in method", q.AuthMode},
			{"Sends the secret", q.SecretRef}, {"Redirects to", q.RedirectURI}} {
			if l[1] != "" {
				x = x.Say("%s: %s", l[0], l[1])
			}
		}
	}
	b := q.LocalBridge
	if b == nil {
		return x
	}
	if mcpconfig.Fetches(b.Command[0]) {
		if w, err := mcpconfig.PackageOf(b.Command); err == nil {
			x = x.Say("Installs without running its scripts: %s", w).Say("From the registry %s", from)
		}
	}
	x = x.Say("Runs in a sandbox: %s", strings.Join(b.Command, " "))
	for _, l := range []struct {
		what string
		all  []string
	}{{"May change", b.Folders}, {"May read", b.ReadFolders}, {"May reach", b.Hosts}, {"Receives the secret",
		slices.Sorted(maps.Values(b.Credentials))}} {
		for _, s := range l.all {
			x = x.Say("%s: %s", l.what, s)
		}
	}
	return x
}

// SayCall describes what would be sent, in full: what would not show is spelled.
func (x Subject) SayCall(d wire.MCPAskFirstDispatchRecord) Subject {
	x = x.Say("%s: %s of %s", d.Agent, d.ToolName, d.ServerID)
	for _, s := range d.Asked() {
		x = x.Say("%s", plain.SpelledLine(s))
	}
	for _, s := range d.About {
		x = x.Say("%s", plain.SpelledLine(s))
	}
	for _, k := range slices.Sorted(maps.Keys(d.Arguments)) {
		b, _ := json.Marshal(d.Arguments[k])
		x = x.Say("%s: %s", plain.SpelledLine(k), plain.SpelledLine(string(b)))
	}
	if len(d.Changed) > 0 {
		x = x.Say("Since the last time: %s", strings.Join(d.Changed, ", "))
	}
	return x
}

// SayPush describes what a push sends, and where to.
func (x Subject) SayPush(p wire.SkillPushPreview) Subject {
	x = x.Say("The skill “%s” to %s", p.Title, p.Reference)
	x = x.Say("Files: %d, %d bytes", len(p.Files), p.Bytes).SayList("It names the sites", p.Sites)
	if n := len(p.Sentences); n > 0 {
		x = x.Say("Example requests in it: %d", n)
	}
	if n := len(p.NotFor); n > 0 {
		x = x.Say("Example requests that it must turn down: %d", n)
	}
	x = x.SayList("Once pulled, it asks for the agent tools", p.Asks.Tools).SayList("It asks for the hosts", p.Asks.Domains).
		SayList("It asks for the credentials", p.Asks.Credentials)
	for _, d := range p.Personal {
		x = x.Say("It holds what looks personal, in %s, line %d: %s", d.Path, d.Line, d.Text)
	}
	x = x.SayList("No text, so not looked into", p.NotText)
	kept := []string{}
	for _, l := range p.LeftOut {
		kept = append(kept, l.Path)
	}
	x = x.SayList("Kept back", kept)
	if !p.Signed {
		x = x.Say("It will not be signed")
	}
	if len(p.OtherKeys) > 0 {
		x = x.Say("Another key signed what is there: whoever accepted that key is refused this push")
	}
	if p.KeysUnread {
		x = x.Say("Whether another key signed what is there is unknown: the registry does not show what is there")
	}
	if r := p.Replaces; r != nil && !p.AlreadyThere {
		x = x.Say("The tag now points to other content, which this push replaces")
	}
	if len(p.ContentHash) >= contentShown {
		x = x.Say("Fingerprint %s", p.ContentHash[:contentShown])
	}
	return x
}
