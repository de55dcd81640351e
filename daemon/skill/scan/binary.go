package scan

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path"
	"strings"
)

// content compares what a file is with what it is called, and names what nobody can read.
func (f *file) content() {
	ext := strings.ToLower(path.Ext(f.path))
	name, program := magicOf(f.data)
	switch {
	case program && !strings.Contains(name, fitOr(ext)):
		sev := High
		if ext != "" && fits[ext] == "" || strings.Contains("PNG JPEG GIF PDF", fitOr(ext)) {
			sev = Critical
		}
		f.add("type-mismatch", 0, "", with{meaning: fmt.Sprintf("The file is %s, and its name does not say so.", name), severity: sev})
	case program:
		f.add("binary-program", 0, "", with{meaning: fmt.Sprintf("The file is %s.", name)})
	case ext == ".pyc" || ext == ".pyo" || ext == ".node" || ext == ".o" || ext == ".a":
		f.add("binary-program", 0, "", with{})
	case name != "" && fits[ext] != "" && !strings.Contains(name, fits[ext]):
		f.add("type-mismatch", 0, "", with{meaning: fmt.Sprintf("The file is %s, and its name says something else.", name), severity: Medium})
	case name != "" && strings.Contains(name, "archive") && byExt[ext] != "":
		f.add("type-mismatch", 0, "", with{meaning: fmt.Sprintf("The file is %s, and its name says text.", name)})
	case strings.Contains(name, "archive") && !documents[ext]:
		f.archive(name)
	}
	f.picture(ext, name)
}

func fitOr(ext string) string {
	if s := fits[ext]; s != "" {
		return s
	}
	return "\x00"
}

// picture: text or a program with a picture's name, or something after the picture's end.
func (f *file) picture(ext, name string) {
	want := fits[ext]
	if want == "" || f.kind == binaries && name == "" {
		return
	}
	if f.kind != binaries && name == "" && len(f.data) > 0 {
		sev := Medium
		if shebang(f.data) != "" || strings.Contains(f.text[:min(len(f.text), 2000)], "<?php") ||
			strings.Contains(f.text[:min(len(f.text), 2000)], "import ") {
			sev = High
		}
		f.add("type-mismatch", 0, "", with{meaning: "The file is text, and its name says something else.", severity: sev})
		return
	}
	end := -1
	switch want {
	case "PNG":
		if i := bytes.LastIndex(f.data, []byte("IEND")); i >= 0 {
			end = i + 8
		}
	case "JPEG":
		if i := bytes.LastIndex(f.data, []byte("\xff\xd9")); i >= 0 {
			end = i + 2
		}
	}
	if end < 0 || end >= len(f.data) {
		return
	}
	rest := f.data[end:]
	if n, program := magicOf(rest); program || strings.Contains(n, "archive") || len(rest) > 16 && texty(rest) {
		f.add("type-mismatch", 0, "", with{meaning: "Something else stands behind the picture's end.", severity: High})
	}
}

// archive looks at a list of names; what is inside is not unpacked here.
func (f *file) archive(name string) {
	w := with{meaning: fmt.Sprintf("The file is %s.", name)}
	if z, err := zip.NewReader(bytes.NewReader(f.data), int64(len(f.data))); err == nil {
		for _, e := range z.File {
			if e.Flags&1 != 0 {
				w = with{meaning: "The archive is locked with a password: neither people nor scanners can read it.", severity: High}
			}
		}
	}
	f.add("nested-archive", 0, "", w)
}
