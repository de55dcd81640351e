package shell

import (
	"path"
	"strings"

	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// Several files in a row for one command are one list: another time there may be more of them, or fewer.

// takesMany are programs whose operands are all of one kind, so that two of them are a list already.
var takesMany = plain.Set("cat wc gzip gunzip bzip2 xz zstd rm head tail sort md5sum sha256sum sha1sum cksum chmod chown touch git ls " +
	"du file stat lpr lp open xdg-open grep less bat nl shred unzip zip tar pdfunite mogrify exiftool jq csvstack for")

// toLast are programs whose last operand is where the others go.
var toLast = plain.Set("cp mv ln install rsync scp")

// Group is a run of words [from, to) of a line that is a list.
type Group struct{ From, To int }

// ListsIn finds the lists of files in a line.
func ListsIn(l Line) []Group {
	var out []Group
	for i := 0; i < len(l.Words); {
		j := i
		for j < len(l.Words) && Listable(l.Words[j]) && l.Words[j].Program == l.Words[i].Program && Ending(l.Words[j]) == Ending(l.Words[i]) &&
			(j == i || l.Words[j].Flag == "") {
			j++
		}
		if n := j; n > i && toLast[l.Words[i].Program] && (n == len(l.Words) || l.Words[n].Program != l.Words[i].Program) {
			j-- // the last one is where they go
		}
		if n := j - i; n >= 3 || n == 2 && (takesMany[l.Words[i].Program] || toLast[l.Words[i].Program]) {
			out = append(out, Group{i, j})
		}
		i = max(i+1, j)
	}
	return out
}

// Listable reports whether a word can be one of several: a file by its name, sealed or not, that no flag or redirection claims.
func Listable(w Word) bool {
	return w.Redirect == "" && w.FileLike() && !strings.ContainsAny(w.Text, "*?") &&
		!(w.First && (withProgram[w.Program] || WithSubcommand[w.Program]))
}

// Ending is a word's file ending; of a sealed one what stands after its mask.
func Ending(w Word) string {
	return path.Ext(page.RefForm.ReplaceAllString(w.Text, "x"))
}
