package agentrun

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"log"
	"net/url"
	"os"
	"slices"
	"strings"

	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/regular"
	"showhow/internal/twin"
)

var quiet = log.New(io.Discard, "", 0)

func (b baseline) json() []byte {
	out, _ := json.MarshalIndent(b, "", "  ") // of strings: cannot fail
	return append(out, '\n')
}

// extract extracts the skills from the workspace: the one at its root, and new ones under skills. Each is taken whole
// or not at all, and a refused one does not affect the others. What the agent did not change stays untouched, trust
// included. Nothing found there is run.
func (l *live) extract(ctx context.Context, e Evidence) {
	root, err := l.box.Files()
	if err != nil {
		l.note(refused(l.result(l.plan.skill), err))
		return
	}
	defer root.Close()
	if res, ok := l.extraction(ctx, root, l.plan.skill, e); ok {
		l.note(res)
	}
	for _, name := range furtherSkills(root) {
		if sub, err := root.OpenRoot(name); err == nil {
			if res, ok := l.extraction(ctx, sub, nil, e); ok {
				l.note(res)
			}
			sub.Close()
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.run.Skills
	if l.run.SkillSlug == "" && len(all) > 0 && !slices.ContainsFunc(all, func(r SkillResult) bool { return r.Outcome != "refused" }) {
		l.run.State, l.run.ReasonCode, l.run.Reason, l.run.Retryable = Failed, "skill_refused",
			"the skill that the agent wrote cannot be taken over", true
	}
}

// maxSkills bounds how many further skills are extracted from one workspace.
const maxSkills = 20

// furtherSkills lists the folders under skills that hold a SKILL.md, by name.
func furtherSkills(root *os.Root) []string {
	entries, err := fs.ReadDir(root.FS(), "skills")
	if err != nil {
		return nil
	}
	var out []string
	for _, d := range entries {
		p := "skills/" + d.Name()
		if _, err := root.Lstat(p + "/" + skill.Entry); err == nil && d.IsDir() && len(out) < maxSkills {
			out = append(out, p)
		}
	}
	return out
}

func (l *live) note(res SkillResult) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.run.Skills = append(l.run.Skills, res)
}

func (l *live) result(k *Skill) SkillResult {
	res := SkillResult{Outcome: "refused", Added: []string{}, Changed: []string{}, Deleted: []string{}, Problems: []string{}}
	if k != nil {
		res.SkillSlug, res.AbilityID, res.Trust = k.Slug, k.AbilityID, k.Trust
	}
	return res
}

// extraction extracts one skill from the folder at root; k is the skill that the agent was given there, nil for a new
// one.
func (l *live) extraction(ctx context.Context, root *os.Root, k *Skill, e Evidence) (res SkillResult, ok bool) {
	res = l.result(k)
	if _, err := root.Lstat(skill.Entry); k == nil && err != nil {
		return res, false // it was not about a skill
	}
	mine, err := harvest(root)
	if err != nil {
		return refused(res, err), true
	}
	base, theirs := baseline{}, []skill.File(nil)
	if k != nil {
		base = l.plan.base
		now, err := l.s.o.Skills.Skill(ctx, k.AbilityID)
		if err != nil {
			return refused(res, err), true
		}
		theirs = slices.DeleteFunc(slices.Clone(now.Bundle.Files), func(f skill.File) bool { return f.Path == skill.HostManaged })
	}
	m := merge(base, mine, theirs)
	res.Added, res.Changed, res.Deleted = filled(m.added), filled(m.changed), filled(m.deleted)
	switch {
	case len(m.conflicts) > 0:
		res.Problems = append(res.Problems, "changed by somebody else while the agent worked: "+strings.Join(m.conflicts, ", "))
		return res, true
	case m.nothing():
		res.Outcome = "unchanged"
		return res, true
	}
	return l.install(ctx, res, k, m, e), true
}

func filled(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func refused(res SkillResult, err error) SkillResult {
	res.Problems = append(res.Problems, fault.From(err).Message)
	return res
}

// install checks the result as a whole and passes it to Skills.Extract.
func (l *live) install(ctx context.Context, res SkillResult, k *Skill, m merged, e Evidence) SkillResult {
	b, err := skill.New("", m.files)
	if err != nil {
		return refused(res, err)
	}
	doc, err := skill.Parse(b)
	if err != nil {
		return refused(res, err)
	}
	b.Name = doc.Name
	if k != nil && doc.Name != k.Slug {
		res.Problems = append(res.Problems, "SKILL.md names another skill than the one that the run was given")
		return res
	}
	for _, f := range skill.Validate(b, false) {
		if f.Severity == "error" && len(res.Problems) < 20 {
			res.Problems = append(res.Problems, f.Subject+": "+f.Message)
		}
	}
	if len(res.Problems) > 0 {
		return res
	}
	if l.s.o.Scan != nil {
		r, err := l.s.o.Scan(ctx, b)
		if err != nil {
			return refused(res, err)
		}
		res.Verdict, res.Findings = string(r.Verdict), twin.To[[]wire.ScanFinding](r.Findings[:min(len(r.Findings), 50)])
	}
	x := Extraction{RunID: l.id, Bundle: b, Evidence: e}
	res.SkillSlug = b.Name
	outcome := "created"
	if k != nil {
		x.Replaces, outcome = k.AbilityID, "updated"
	}
	id, trust, err := l.s.o.Skills.Extract(ctx, x)
	if err != nil {
		return refused(res, err)
	}
	res.Outcome, res.AbilityID, res.Trust, res.ContentHash = outcome, id, trust, b.Hash()
	return res
}

// provenance is where the agent says that it got the skill from: policy.json belongs to the host, and nothing else of
// it is read.
func provenance(root *os.Root, e Evidence, now clock.Time) *Provenance {
	raw, err := regular.ReadIn(root, skill.HostManaged, 64<<10)
	if err != nil {
		return nil
	}
	var said struct {
		Provenance struct {
			Source string `json:"source"`
		} `json:"provenance"`
	}
	if json.Unmarshal(raw, &said) != nil {
		return nil
	}
	u, err := url.Parse(said.Provenance.Source)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || len(said.Provenance.Source) > 500 {
		return nil
	}
	u.RawQuery, u.Fragment = "", ""
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	return &Provenance{Source: u.String(), FetchedAt: now, Verified: slices.Contains(e.HostsReached, strings.ToLower(u.Hostname())+":"+port)}
}
