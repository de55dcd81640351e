// Package page holds the script parts that read a web page: roles, accessible names, secret fields,
// descriptions of targets, locators, reachability and visibility, and the digest of what a page
// shows. The recorder (adapters/browserdom), the finder (browser/find) and the player
// (browser/player) share these parts, so that all three call the same thing "Save".
//
// Guarantees: the parts write nothing to the page, add no listeners and keep nothing but caches;
// they are made for an isolated world, out of reach of the page's own scripts. They never return
// text of a secret field.
//
// Not guaranteed: consistency between two reads. A page may change in between.
//
// How to test: the users' tests drive the parts in a real Chromium (adapters/browserdom,
// browser/find).
package page

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"showhow/internal/lang"
)

//go:embed parts/*.js reader/*.js
var files embed.FS

// Compose joins the shared parts and the user's own files (all *.js in the roots of own), ordered
// by file name, into one function expression with these parameters. It strips comments; the words
// for passwords, codes and turning pages come from internal/lang.
func Compose(params string, own ...fs.FS) string {
	type file struct {
		name string
		text []byte
	}
	var all []file
	for _, f := range append([]fs.FS{sub("parts")}, own...) {
		names, err := fs.Glob(f, "*.js")
		if err != nil {
			panic(err) // the pattern is right
		}
		for _, name := range names {
			text, err := fs.ReadFile(f, name)
			if err != nil {
				panic(err) // embedded: cannot fail
			}
			all = append(all, file{path.Base(name), text})
		}
	}
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var b strings.Builder
	b.WriteString("(function (" + params + ") {\n")
	for _, f := range all {
		for line := range strings.Lines(string(f.text)) {
			if !strings.HasPrefix(strings.TrimSpace(line), "//") {
				b.WriteString(line)
			}
		}
	}
	b.WriteString("})")
	return strings.NewReplacer("'{password words}'", strconv.Quote(lang.Pattern(lang.Secret, "en")),
		"'{code words}'", strconv.Quote(lang.Pattern(lang.Code, "en")),
		"'{turning words}'", strconv.Quote(lang.Pattern(lang.Forward)+"|"+lang.Pattern(lang.Backward))).Replace(b.String())
}

// Reader is the expression that defines globalThis.showhow in an isolated world that has none yet:
// {state(), describe(element)}, see reader/90-reader.js. Further files become part of the same
// function and may add to its constant api.
func Reader(own ...fs.FS) string {
	if len(own) == 0 {
		return reader()
	}
	return install(Compose("global", append([]fs.FS{sub("reader")}, own...)...))
}

var reader = sync.OnceValue(func() string { return install(Compose("global", sub("reader"))) })

func install(function string) string {
	return "(() => { if (!globalThis.showhow) " + function + "(globalThis); })()"
}

func sub(dir string) fs.FS {
	f, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // the directory is embedded
	}
	return f
}
