package agentrun

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"showhow/daemon/skill"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Dependency is a package that a skill's scripts need from a registry.
type Dependency struct {
	Kind     string `json:"kind" enum:"npm,pip"`
	Manifest string `json:"manifest" maxLength:"240" doc:"the skill's file that names the packages"`
	Packages int    `json:"packages" doc:"that the file names"`
	Prepared bool   `json:"prepared" doc:"they are in the cache, and a run has them read-only"`
	Problem  string `json:"problem,omitempty" maxLength:"240" doc:"why they cannot be prepared"`

	Installed []Package `json:"installed,omitempty" doc:"what was just installed, packages of packages included"`
	Lock      string    `json:"lock,omitempty" maxLength:"64" doc:"the name of that list"`

	key   string       // of the cache: what the files say
	files []skill.File // what the packages are installed by, at the top of a folder of their own
}

// maxManifests bounds how many package folders a skill may request.
const maxManifests = 5

// dependencies finds what a skill declares: package.json with a lock file, requirements.txt with exact versions.
func dependencies(b skill.Bundle) []Dependency {
	out := []Dependency{}
	for _, f := range b.Files {
		if never(f.Path) || len(out) == maxManifests {
			continue
		}
		var d Dependency
		switch path.Base(f.Path) {
		case "package.json":
			d = npmDependency(b, f)
		case "requirements.txt":
			d = pipDependency(f)
		}
		if d.Packages > 0 || d.Problem != "" {
			d.Manifest = f.Path
			out = append(out, d)
		}
	}
	return out
}

func npmDependency(b skill.Bundle, f skill.File) Dependency {
	d := Dependency{Kind: "npm"}
	var p struct {
		Dependencies         map[string]any `json:"dependencies"`
		OptionalDependencies map[string]any `json:"optionalDependencies"`
	}
	if json.Unmarshal(f.Data, &p) != nil {
		d.Problem = "it is no JSON"
		return d
	}
	if d.Packages = len(p.Dependencies) + len(p.OptionalDependencies); d.Packages == 0 {
		return d
	}
	lock := b.File(path.Join(path.Dir(f.Path), "package-lock.json"))
	if lock == nil {
		d.Problem = "there is no package-lock.json beside it, so nothing says which versions are meant"
		return d
	}
	if name := unhashed(lock.Data); name != "" {
		d.Problem = "package-lock.json has no hash for " + printable(name) + ", so its content is not pinned"
		return d
	}
	return d.of(skill.File{Path: "package.json", Data: f.Data}, skill.File{Path: "package-lock.json", Data: lock.Data})
}

// unhashed is the first package of a lock file without a hash, "" when there is none.
func unhashed(lock []byte) string {
	var l struct {
		Packages map[string]struct {
			Integrity string `json:"integrity"`
			Link      bool   `json:"link"`
			InBundle  bool   `json:"inBundle"`
		} `json:"packages"`
	}
	if json.Unmarshal(lock, &l) != nil {
		return "anything: it is no JSON"
	}
	for _, name := range slices.Sorted(maps.Keys(l.Packages)) {
		if p := l.Packages[name]; strings.Contains(name, "node_modules/") && p.Integrity == "" && !p.Link && !p.InBundle {
			return name[strings.LastIndex(name, "node_modules/")+len("node_modules/"):]
		}
	}
	return ""
}

// pinned matches a line of requirements.txt that names one version of one package.
var pinned = lazyre.New(`^[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9._, ` +
	`-]*\])?\s*==\s*[A-Za-z0-9][A-Za-z0-9.+!_-]*\s*(;[^\\]*)?((\s|\\)*--hash=sha(256|384|512):[0-9a-f]+)*\s*$`)

func pipDependency(f skill.File) Dependency {
	d := Dependency{Kind: "pip"}
	text := strings.ReplaceAll(strings.ReplaceAll(string(f.Data), "\r\n", "\n"), "\\\n", " ")
	for line := range strings.SplitSeq(text, "\n") {
		if i := strings.Index(line, "#"); i == 0 || i > 0 && (line[i-1] == ' ' || line[i-1] == '\t') {
			line = line[:i]
		}
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		d.Packages++
		if !pinned.MatchString(line) {
			d.Problem = "not every line names one version (name==1.2.3), so nothing says which are meant"
		}
	}
	if d.Packages == 0 || d.Problem != "" {
		return d
	}
	return d.of(skill.File{Path: "requirements.txt", Data: f.Data})
}

func (d Dependency) of(files ...skill.File) Dependency {
	d.files = files
	text := []byte(d.Kind)
	for _, f := range files {
		text = append(append(append(text, 0), f.Data...), 0)
	}
	d.key = d.Kind + "-" + digest(text)[:32]
	return d
}

// place is where a run finds the packages, within its workspace.
func (d Dependency) place() string {
	if d.Kind == "pip" {
		return ".showhow/python/" + d.key
	}
	return path.Join(path.Dir(d.Manifest), "node_modules")
}

// boxPath is where programs are looked up in the sandbox.
var boxPath = []string{"/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"}

func inBox(program string) bool {
	return slices.ContainsFunc(boxPath, func(dir string) bool {
		info, err := os.Stat(filepath.Join(dir, program))
		return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
	})
}

var programName = lazyre.New(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,79}$`)

// missingPrograms lists the programs that the skill's frontmatter requires and the sandbox lacks.
func missingPrograms(b skill.Bundle) []string {
	doc, err := skill.Parse(b)
	if err != nil {
		return nil
	}
	var missing []string
	for _, of := range []string{"openclaw.", "clawdbot.", "clawdis.", ""} {
		for _, name := range named(doc.Metadata[of+"requires.bins"]) {
			if !inBox(name) {
				missing = append(missing, name)
			}
		}
		if any := named(doc.Metadata[of+"requires.anyBins"]); len(any) > 0 && !slices.ContainsFunc(any, inBox) {
			missing = append(missing, strings.Join(any, " or "))
		}
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}

func named(list string) []string {
	var out []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); programName.MatchString(name) {
			out = append(out, name)
		}
	}
	return out
}

// planNeeds refuses a run whose requirements are missing, rather than let it fail inside.
func (s *Service) planNeeds(r StartRequest, p *Plan) error {
	if p.skill == nil || r.WithoutDependencies || r.Unapproved {
		return nil
	}
	if missing := missingPrograms(p.skill.Bundle); len(missing) > 0 {
		return fault.New(fault.DependenciesMissing, "the skill needs programs that the sandbox has not: "+strings.Join(missing, ", ")).WithDetail(
			"programs", missing).
			WithHint("install them with your system's package manager, or run it without: --without-dependencies")
	}
	for _, d := range s.needs(p.skill.Bundle) {
		switch {
		case d.Problem != "":
			return fault.New(fault.DependenciesMissing, "the skill needs packages that cannot be prepared: "+printable(d.Manifest)+": "+d.Problem).
				WithHint("have the skill pin them, or run it without: --without-dependencies")
		case !d.Prepared:
			return fault.New(fault.DependenciesMissing, "the skill needs packages that are not prepared: "+printable(d.Manifest)).WithDetail("kind",
				d.Kind).
				WithHint("showhow run prepare " + p.SkillSlug + " --registry " + strings.Join(usual[d.Kind],
					",") + " fetches them in the sandbox; or run it without: --without-dependencies")
		}
		p.Dependencies = append(p.Dependencies, d)
	}
	return nil
}

// usual are the hosts of a kind's public registry; they are reached only when a person names them.
var usual = map[string][]string{"npm": {"registry.npmjs.org"}, "pip": {"pypi.org", "files.pythonhosted.org"}}

// needs lists a skill's dependencies and whether they are cached.
func (s *Service) needs(b skill.Bundle) []Dependency {
	out := dependencies(b)
	for i, d := range out {
		if d.key != "" {
			info, err := os.Stat(s.prepared(d))
			out[i].Prepared = err == nil && info.IsDir()
		}
	}
	return out
}

// prepared is the folder of a dependency's packages.
func (s *Service) prepared(d Dependency) string { return filepath.Join(s.o.Cache, d.key) }
