package mcpconfig

import (
	"path/filepath"
	"slices"
	"strings"

	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// The registries of packages.
const (
	NPM  = "npm"
	PyPI = "pypi"
)

// Package is a package that a command would fetch, and what it would run of it.
type Package struct {
	Kind    string // NPM, PyPI
	Name    string
	Extras  string // of a Python package, "[a,b]"
	Version string // a version, a range or a tag; "" the newest
	Bin     string // "" the package's own program
	Args    []string
}

var (
	packageName    = lazyre.New(`^(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*$`)
	packageVersion = lazyre.New(`^[0-9A-Za-z.^~*+<>=-]{1,64}$`)
	pyRequirement  = lazyre.New(`^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(\[[A-Za-z0-9._,-]+\])?` +
		`(?:@([0-9A-Za-z.+!_-]{1,64})|((?:[=<>!~]=|[<>])[0-9A-Za-z.+!*_,=<>~-]{1,64}))?$`)
	runsOfDash = lazyre.New(`[-_.]+`)
)

// PyName is a Python package's name in the normal form of its registries.
func PyName(s string) string { return strings.ToLower(runsOfDash.ReplaceAllString(s, "-")) }

// Fetches reports whether a program is one that fetches what it runs.
func Fetches(program string) bool { return fetcher(program) != "" }

func fetcher(program string) string {
	name, _, _ := strings.Cut(strings.ToLower(filepath.Base(program)), ".")
	if slices.Contains([]string{"npx", "pnpx", "bunx", "uvx", "pipx"}, name) {
		return name
	}
	return ""
}

// flags are what a fetching program's command may have before the package: flags that do not matter here, and those
// that name the package, where the first word then names its program.
type flags struct {
	kind   string
	ignore []string
	names  []string
	usage  string
}

var fetchers = map[string]flags{
	"npx": {NPM, []string{"-y", "--yes", "-q", "--quiet"}, []string{"-p", "--package"}, "npx -y NAME[@VERSION] ARGUMENTS"},
	"uvx": {PyPI, []string{"-q", "--quiet", "-n", "--no-cache", "--isolated", "--refresh", "-U", "--upgrade"}, []string{"--from"},
		"uvx [--from PACKAGE] NAME[@VERSION] ARGUMENTS"},
	"pipx": {PyPI, []string{"-q", "--quiet", "--no-cache"}, []string{"--spec"}, "pipx run [--spec PACKAGE] NAME ARGUMENTS"},
}

// PackageOf reads a command that fetches what it runs.
func PackageOf(command []string) (Package, error) {
	var w Package
	if len(command) == 0 {
		return w, refused("the command is empty", "npx")
	}
	name, rest := fetcher(command[0]), command[1:]
	if name == "pnpx" {
		name = "npx"
	}
	f, ok := fetchers[name]
	if !ok {
		return w, fault.New(fault.UnsupportedInBuild, "packages of "+name+" are not installed").
			WithHint("install the package in a folder of its own, then name its program, and let it read that folder")
	}
	if name == "pipx" {
		if len(rest) == 0 || rest[0] != "run" {
			return w, refused("pipx runs a package by `pipx run`", name)
		}
		rest = rest[1:]
	}
	spec := ""
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		flag, value, given := strings.Cut(rest[0], "=")
		rest = rest[1:]
		switch {
		case slices.Contains(f.ignore, flag):
			continue
		case flag == "--":
		case slices.Contains(f.names, flag):
			if !given {
				if len(rest) == 0 {
					return w, refused(flag+" names no package", name)
				}
				value, rest = rest[0], rest[1:]
			}
			if spec != "" {
				return w, refused("it names several packages", name)
			}
			spec = value
			continue
		default:
			return w, refused("its flag "+flag+" is not one of "+strings.Join(slices.Concat(f.ignore, f.names), ", "), name)
		}
		break
	}
	if len(rest) == 0 {
		return w, refused("it names no program", name)
	}
	if spec == "" {
		spec = rest[0]
	} else {
		w.Bin = rest[0]
	}
	w.Kind, w.Args = f.kind, rest[1:]
	if !w.read(spec) {
		return w, refused("its package is not one of the registry's: a name, or NAME@VERSION", name)
	}
	return w, nil
}

// read reads the package's name and version.
func (w *Package) read(spec string) bool {
	if w.Kind == PyPI {
		m := pyRequirement.FindStringSubmatch(spec)
		if m == nil || len(m[1]) > 214 {
			return false
		}
		w.Name, w.Extras, w.Version = PyName(m[1]), m[2], m[3]+m[4]
		if w.Version == "latest" {
			w.Version = ""
		}
		return true
	}
	at := strings.LastIndexByte(spec, '@')
	if at <= 0 {
		at = len(spec)
	}
	w.Name, w.Version = spec[:at], strings.TrimPrefix(spec[at:], "@")
	return packageName.MatchString(w.Name) && len(w.Name) <= 214 && (w.Version == "" || packageVersion.MatchString(w.Version))
}

// Requirement is a Python package as pip takes it.
func (w Package) Requirement() string {
	version := w.Version
	if version != "" && !strings.ContainsAny(version[:1], "=<>!~") {
		version = "==" + version
	}
	return w.Name + w.Extras + version
}

func refused(why, fetcher string) error {
	return fault.New(fault.InvalidRequest, "the command cannot be installed: "+why).WithHint(fetchers[fetcher].usage)
}

// String is the package as a person reads it.
func (w Package) String() string {
	switch {
	case w.Version == "":
		return w.Name + ", the newest version"
	case strings.ContainsAny(w.Version[:1], "=<>!~"):
		return w.Name + " " + w.Version
	}
	return w.Name + "@" + w.Version
}
