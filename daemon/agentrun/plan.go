package agentrun

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"showhow/daemon/credential"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Plan is everything that a run will be given, shown before it starts. Hash covers all of it: a person confirms
// exactly this.
type Plan struct {
	Agent         string       `json:"agent" maxLength:"60"`
	SkillSlug     string       `json:"skill_slug,omitempty" maxLength:"120"`
	SkillTrust    string       `json:"skill_trust,omitempty"`
	Hosts         []string     `json:"hosts"`
	Credentials   []string     `json:"credentials" doc:"names, delivered as environment variables"`
	ReadOnly      []string     `json:"read_only"`
	Dependencies  []Dependency `json:"dependencies" doc:"packages of the skill's that are prepared for the run"`
	Hash          string       `json:"hash" maxLength:"80"`
	SchemaVersion int          `json:"schema_version" enum:"1"`

	skill   *Skill
	base    baseline
	secrets map[string]string
	hook    bool
}

var (
	hostForm = lazyre.New(`^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$|^\[[0-9a-f:.]+\](:[0-9]{1,5})?$`)
)

// normalHost is a host in comparable form, "" for an invalid one.
func normalHost(h string) string {
	h = strings.ToLower(strings.TrimSpace(h))
	if !hostForm.MatchString(h) || strings.Contains(h, "..") || len(h) > 255 {
		return ""
	}
	return h
}

// Plan computes what a request would give a run. It refuses what cannot be started.
func (s *Service) Plan(ctx context.Context, r StartRequest) (Plan, error) {
	p := Plan{Hosts: []string{}, Credentials: []string{}, Dependencies: []Dependency{}, SchemaVersion: 1, secrets: map[string]string{},
		base: baseline{}}
	if len(r.Command) == 0 || r.Command[0] == "" {
		return p, fault.New(fault.InvalidRequest, "there is no command to run").WithHint("showhow run -- COMMAND")
	}
	prof := profileOf(r.Agent, r.Command[0])
	p.Agent, p.hook = prof.agent, prof.hook
	hosts, err := normalHosts(slices.Concat(r.Domains, prof.hosts))
	if err != nil {
		return p, err
	}
	var declared []string
	if r.Skill != "" {
		if declared, err = s.planSkill(ctx, r, &p); err != nil {
			return p, err
		}
		hosts = append(hosts, p.skillHosts()...)
	} else if len(r.Credentials) > 0 {
		return p, undeclared(r.Credentials[0])
	}
	slices.Sort(hosts)
	p.Hosts = slices.Compact(hosts)
	if err := s.planSecrets(ctx, r, declared, prof.credentials, &p); err != nil {
		return p, err
	}
	if err := s.planNeeds(r, &p); err != nil {
		return p, err
	}
	if p.ReadOnly, err = s.readable(r); err != nil {
		return p, err
	}
	p.Hash, err = p.hash(r)
	return p, err
}

func normalHosts(in []string) ([]string, error) {
	out := []string{}
	for _, h := range in {
		n := normalHost(h)
		if n == "" {
			return nil, fault.New(fault.InvalidRequest, "a domain is no host").WithHint("write host, host:port or *.host, without https:// and path")
		}
		out = append(out, n)
	}
	return out, nil
}

// commandMissing is the reason why a skill is not usable when a program is not installed here.
const commandMissing = "command_missing"

// planSkill finds the skill and the credentials that it declares.
func (s *Service) planSkill(ctx context.Context, r StartRequest, p *Plan) (declared []string, err error) {
	k, err := s.o.Skills.Skill(ctx, r.Skill)
	if err != nil {
		return nil, err
	}
	approved := k.Trust == "approved" && k.Usable
	if approved && !(wire.AbilityPermissions{Agents: k.Agents}).Admits(p.Agent) {
		approved, k.Reason = false, "it is approved for other agents"
	}
	switch {
	case k.Code == commandMissing && !r.Unapproved:
		return nil, fault.New(fault.DependenciesMissing,
			"the skill cannot be used as it is: "+k.Reason).WithHint("install it with your system's package manager")
	case !approved && !r.Unapproved:
		return nil, fault.New(fault.TrustRequired, "the skill cannot be used as it is: "+k.Reason).
			WithHint("approve it first; or let an agent work on it with --unapproved and the hosts that you name, without credentials")
	case !approved:
		k.Domains, k.Credentials = nil, nil
	}
	files := make([]skill.File, 0, len(k.Bundle.Files))
	for _, f := range k.Bundle.Files {
		if f.Path != skill.HostManaged {
			files = append(files, f)
		}
	}
	k.Bundle.Files = files
	p.skill, p.base, p.SkillSlug, p.SkillTrust = &k, baselineOf(k.Bundle), k.Slug, k.Trust
	if r.Credentials == nil {
		return k.Credentials, nil
	}
	for _, name := range r.Credentials {
		if !slices.Contains(k.Credentials, name) {
			return nil, undeclared(name)
		}
	}
	return r.Credentials, nil
}

func undeclared(name string) error {
	f := fault.New(fault.Forbidden, "a credential is not declared by an approved skill").WithHint(
		"credentials are allowed by name when the skill is approved")
	if credential.Variable(name) != "" {
		f = f.WithDetail("credential", name)
	}
	return f
}

func (p *Plan) skillHosts() []string {
	out := []string{}
	for _, h := range p.skill.Domains {
		if n := normalHost(h); n != "" {
			out = append(out, n)
		}
	}
	return out
}

// planSecrets reads the declared credentials, which must exist, and the agent's own key, if there is one.
func (s *Service) planSecrets(ctx context.Context, r StartRequest, declared, own []string, p *Plan) error {
	for _, name := range declared {
		env := credential.Variable(name)
		if env == "" {
			return fault.New(fault.InvalidRequest, "a declared credential has a name that no environment variable can have")
		}
		if s.o.Secrets == nil {
			return fault.New(fault.AdapterUnavailable, "there is no keychain here, and secrets are delivered from nowhere else").WithHint(
				"start one (gnome-keyring, KWallet), or run without credentials: --credentials none")
		}
		v, err := s.o.Secrets.Get(ctx, name)
		if err != nil {
			return err
		}
		p.secrets[env] = v
		p.Credentials = append(p.Credentials, name)
	}
	for _, name := range own {
		if s.o.Secrets == nil || r.Unapproved || r.Credentials != nil && len(r.Credentials) == 0 {
			break // a person who wants none gets none
		}
		if v, err := s.o.Secrets.Get(ctx, name); err == nil && p.secrets[name] == "" {
			p.secrets[name] = v
			p.Credentials = append(p.Credentials, name)
		}
	}
	return nil
}

// readable lists what the run may read besides the system: the program and what the person named, but nothing of
// Showhow's, and no folder that contains the home folder or Showhow's.
func (s *Service) readable(r StartRequest) ([]string, error) {
	paths, err := programPaths(r.Command[0])
	if err != nil {
		return nil, err
	}
	for _, p := range r.ReadOnly {
		if !filepath.IsAbs(p) {
			return nil, fault.New(fault.InvalidRequest, "a path to read is not absolute")
		}
		if _, err := os.Stat(p); err != nil {
			return nil, fault.Wrap(err, fault.InvalidRequest, "a path to read is not there")
		}
		paths = append(paths, filepath.Clean(p))
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	for _, p := range paths {
		if s.private(p) {
			return nil, fault.New(fault.Forbidden, "a run may not read Showhow's own folders, nor a folder that holds them or the home").WithHint(
				"name a folder of its own for what the agent needs")
		}
	}
	if paths == nil {
		paths = []string{}
	}
	return paths, nil
}

func (s *Service) private(p string) bool {
	if real, err := filepath.EvalSymlinks(p); err == nil {
		p = real
	}
	holds := func(dir, what string) bool {
		rel, err := filepath.Rel(dir, what)
		return err == nil && filepath.IsLocal(rel)
	}
	if s.o.Home != "" && holds(p, s.o.Home) {
		return true
	}
	return slices.ContainsFunc(s.o.Private, func(own string) bool {
		if real, err := filepath.EvalSymlinks(own); err == nil {
			own = real
		}
		return own != "" && (holds(p, own) || holds(own, p))
	})
}

// hash covers everything that a person would confirm.
func (p *Plan) hash(r StartRequest) (string, error) {
	content := ""
	if p.skill != nil {
		content = p.skill.Bundle.Hash()
	}
	b, err := json.Marshal([]any{r.Command, p.Agent, p.SkillSlug, content, p.Hosts, p.Credentials, p.ReadOnly, r.Goal, r.Hints})
	if err != nil {
		return "", fault.Wrap(err, fault.InvalidRequest, "the command cannot be written down")
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
