package mcpconfig

import (
	"path/filepath"
	"slices"
	"strings"

	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Package is a package that a command would fetch, and what it would run of it.
type Package struct {
	Name    string
	Version string // a version, a range or a tag; "" the newest
	Bin     string // "" the package's own program
	Args    []string
}

var (
	packageName    = lazyre.New(`^(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*$`)
	packageVersion = lazyre.New(`^[0-9A-Za-z.^~*+<>=-]{1,64}$`)
)

// Fetches reports whether a program is one that fetches what it runs.
func Fetches(program string) bool { return fetcher(program) != "" }

func fetcher(program string) string {
	name, _, _ := strings.Cut(strings.ToLower(filepath.Base(program)), ".")
	if slices.Contains([]string{"npx", "pnpx", "bunx", "uvx", "pipx"}, name) {
		return name
	}
	return ""
}

// PackageOf reads a command that fetches what it runs.
func PackageOf(command []string) (Package, error) {
	var w Package
	if len(command) == 0 {
		return w, refused("the command is empty")
	}
	if name := fetcher(command[0]); name != "npx" && name != "pnpx" {
		return w, fault.New(fault.UnsupportedInBuild, "packages of "+name+" are not installed").
			WithHint("install the package in a folder of its own, then name its program, and let it read that folder")
	}
	spec, rest := "", command[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		flag, value, given := strings.Cut(rest[0], "=")
		rest = rest[1:]
		switch flag {
		case "-y", "--yes", "-q", "--quiet":
			continue
		case "--":
		case "-p", "--package":
			if !given {
				if len(rest) == 0 {
					return w, refused(flag + " names no package")
				}
				value, rest = rest[0], rest[1:]
			}
			if spec != "" {
				return w, refused("it names several packages")
			}
			spec = value
			continue
		default:
			return w, refused("its flag " + flag + " is not one of -y, -q and -p")
		}
		break
	}
	if len(rest) == 0 {
		return w, refused("it names no program")
	}
	if spec == "" {
		spec = rest[0]
	} else {
		w.Bin = rest[0]
	}
	w.Args = rest[1:]
	at := strings.LastIndexByte(spec, '@')
	if at <= 0 {
		at = len(spec)
	}
	w.Name, w.Version = spec[:at], strings.TrimPrefix(spec[at:], "@")
	if !packageName.MatchString(w.Name) || len(w.Name) > 214 || w.Version != "" && !packageVersion.MatchString(w.Version) {
		return w, refused("its package is not one of the registry's: a name, or NAME@VERSION")
	}
	return w, nil
}

func refused(why string) error {
	return fault.New(fault.InvalidRequest, "the command cannot be installed: "+why).WithHint("npx -y NAME[@VERSION] ARGUMENTS")
}

// String is the package as a person reads it.
func (w Package) String() string {
	if w.Version == "" {
		return w.Name + ", the newest version"
	}
	return w.Name + "@" + w.Version
}
