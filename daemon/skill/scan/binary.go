package scan

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path"
	"strings"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
)

// content compares what a file is with what it is called, and names what nobody can read.
func (f *file) content() {
	ext := strings.ToLower(path.Ext(f.Path))
	name, program := source.MagicOf(f.Data)
	switch {
	case program && !strings.Contains(name, fitOr(ext)):
		sev := report.High
		if ext != "" && source.Fits[ext] == "" || strings.Contains("PNG JPEG GIF PDF", fitOr(ext)) {
			sev = report.Critical
		}
		f.Add("type-mismatch", 0, "", report.With{Meaning: fmt.Sprintf("The file is %s, and its name does not say so.", name), Severity: sev})
	case program:
		f.Add("binary-program", 0, "", report.With{Meaning: fmt.Sprintf("The file is %s.", name)})
	case ext == ".pyc" || ext == ".pyo" || ext == ".node" || ext == ".o" || ext == ".a":
		f.Add("binary-program", 0, "", report.With{})
	case name != "" && source.Fits[ext] != "" && !strings.Contains(name, source.Fits[ext]):
		f.Add("type-mismatch", 0, "", report.With{Meaning: fmt.Sprintf("The file is %s, and its name says something else.", name),
			Severity: report.Medium})
	case name != "" && strings.Contains(name, "archive") && source.ByExt[ext] != "":
		f.Add("type-mismatch", 0, "", report.With{Meaning: fmt.Sprintf("The file is %s, and its name says text.", name)})
	case strings.Contains(name, "archive") && !source.Documents[ext]:
		f.archive(name)
	case f.Kind == source.Binaries && name == "" && !harmlessBytes[ext]:
		f.Add("unread", 0, "", report.With{Meaning: "Nobody can read this file: it is neither text nor of a kind that is known."})
	}
	f.picture(ext, name)
}

func fitOr(ext string) string {
	if s := source.Fits[ext]; s != "" {
		return s
	}
	return "\x00"
}

// picture: text or a program with a picture's name, or something after the picture's end.
func (f *file) picture(ext, name string) {
	want := source.Fits[ext]
	if want == "" || f.Kind == source.Binaries && name == "" {
		return
	}
	if f.Kind != source.Binaries && name == "" && len(f.Data) > 0 {
		sev := report.Medium
		if source.Shebang(f.Data) != "" || strings.Contains(f.Text[:min(len(f.Text), 2000)], "<?php") ||
			strings.Contains(f.Text[:min(len(f.Text), 2000)], "import ") {
			sev = report.High
		}
		f.Add("type-mismatch", 0, "", report.With{Meaning: "The file is text, and its name says something else.", Severity: sev})
		return
	}
	end := -1
	switch want {
	case "PNG":
		if i := bytes.LastIndex(f.Data, []byte("IEND")); i >= 0 {
			end = i + 8
		}
	case "JPEG":
		if i := bytes.LastIndex(f.Data, []byte("\xff\xd9")); i >= 0 {
			end = i + 2
		}
	}
	if end < 0 || end >= len(f.Data) {
		return
	}
	rest := f.Data[end:]
	if n, program := source.MagicOf(rest); program || strings.Contains(n, "archive") || len(rest) > 16 && source.Texty(rest) {
		f.Add("type-mismatch", 0, "", report.With{Meaning: "Something else stands behind the picture's end.", Severity: report.High})
	}
}

// archive looks at a list of names; what is inside is not unpacked here.
func (f *file) archive(name string) {
	w := report.With{Meaning: fmt.Sprintf("The file is %s.", name)}
	if z, err := zip.NewReader(bytes.NewReader(f.Data), int64(len(f.Data))); err == nil {
		for _, e := range z.File {
			if e.Flags&1 != 0 {
				w = report.With{Meaning: "The archive is locked with a password: neither people nor scanners can read it.", Severity: report.High}
			}
		}
	}
	f.Add("nested-archive", 0, "", w)
}

// harmlessBytes are fonts, sounds and pictures without a mark of their own that is looked for.
var harmlessBytes = source.Words(".ttf .otf .woff .woff2 .eot .ico .webp .bmp .tif .tiff .mp3 .mp4 .wav .ogg .webm .mov .avif .icns")
