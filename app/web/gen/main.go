// Package main writes the list of Showhow's components with their licences, for the page that shows it: the Go
// modules that the program is built from on Linux and the npm packages in its pages.
//
// A licence is identified by its own text; one that is not recognised is "see its files", never guessed.
//
//	go run ./app/web/gen frontend/public/licences.json frontend/package-lock.json
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"showhow/internal/generated"
)

type part struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Licence string `json:"licence"`
	Kind    string `json:"kind"` // go, npm
}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(out, lock string) error {
	parts, err := modules()
	if err != nil {
		return err
	}
	rules, err := copied("capture/redact/gitleaks")
	if err != nil {
		return err
	}
	parts = append(parts, rules)
	npm, err := packages(lock)
	if err != nil {
		return err
	}
	parts = append(parts, npm...)
	slices.SortFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	var b strings.Builder
	b.WriteString("[\n")
	for i, p := range parts { // one a line, so that a change is a line
		line, _ := json.Marshal(p)
		b.Write(line)
		b.WriteString(map[bool]string{true: ",\n", false: "\n"}[i < len(parts)-1])
	}
	b.WriteString("]\n")
	return generated.Write(out, []byte(b.String()))
}

// modules are the modules of the program's packages.
func modules() ([]part, error) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	lines := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(string(text), "\t", "|"), " ", ""))
	slices.Sort(lines)
	var out []part
	for _, l := range slices.Compact(lines) {
		f := strings.SplitN(l, "|", 3)
		out = append(out, part{f[0], f[1], licenceOf(f[2]), "go"})
	}
	return out, nil
}

// copied is a module of which files are copied into a folder, with its version and licence beside them.
func copied(dir string) (part, error) {
	b, err := os.ReadFile(filepath.Join(dir, "VERSION"))
	if err != nil {
		return part{}, err
	}
	name, version, _ := strings.Cut(strings.TrimSpace(string(b)), "@")
	return part{name, version, licenceOf(dir), "go"}, nil
}

// licenceOf reads the licence file of the module.
func licenceOf(dir string) string {
	for _, pattern := range []string{"LICEN[SC]E*", "licen[sc]e*", "COPYING*"} {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, name := range found {
			if b, err := os.ReadFile(name); err == nil {
				if l := recognise(string(b)); l != "" {
					return l
				}
			}
		}
	}
	return "see its files"
}

// recognise identifies a licence by unique phrases.
func recognise(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, k := range []struct{ words, name string }{
		{"Apache License Version 2.0", "Apache-2.0"},
		{"Mozilla Public License Version 2.0", "MPL-2.0"},
		{"Mozilla Public License, version 2.0", "MPL-2.0"},
		{"Permission is hereby granted, free of charge, to any person obtaining a copy", "MIT"},
		{"Permission to use, copy, modify, and/or distribute this software for any purpose", "ISC"},
		{"Permission to use, copy, modify, and distribute this software for any purpose", "ISC"},
		{"Neither the name of", "BSD-3-Clause"},
		{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
		{"This is free and unencumbered software released into the public domain", "Unlicense"},
	} {
		if strings.Contains(text, k.words) {
			return k.name
		}
	}
	return ""
}

// packages are the packages of the lock file except development tools; npm wrote their licences into it.
func packages(lock string) ([]part, error) {
	b, err := os.ReadFile(lock)
	if err != nil {
		return nil, err
	}
	var l struct {
		Packages map[string]struct {
			Version string
			License string
			Dev     bool
			Peer    bool
		}
	}
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, err
	}
	var out []part
	for path, p := range l.Packages {
		if path == "" || p.Dev || p.Peer {
			continue
		}
		name := path[strings.LastIndex(path, "node_modules/")+len("node_modules/"):]
		out = append(out, part{name, p.Version, cmp.Or(p.License, "see its files"), "npm"})
	}
	slices.SortFunc(out, func(a, b part) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version)) })
	return slices.Compact(out), nil
}
