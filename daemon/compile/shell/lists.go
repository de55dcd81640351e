package shell

import (
	"path"
	"strings"

	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// A run of several files in one command is one list: another time there may be more or fewer of them.
//
// manyOperands are programs whose operands are all of one kind, so that two of them already make a list.
var manyOperands = plain.Set("cat wc gzip gunzip bzip2 xz zstd rm head tail sort md5sum sha256sum sha1sum cksum chmod chown touch git ls " +
	"du file stat lpr lp open xdg-open grep less bat nl shred unzip zip tar pdfunite mogrify exiftool jq csvstack for")

// destinationLast are programs whose last operand is the destination of the others.
var destinationLast = plain.Set("cp mv ln install rsync scp")

// Group is a run of words [From, To) of a line that forms a list.
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
		if n := j; n > i && destinationLast[l.Words[i].Program] && (n == len(l.Words) || l.Words[n].Program != l.Words[i].Program) {
			j-- // the last one is the destination
		}
		if n := j - i; n >= 3 || n == 2 && (manyOperands[l.Words[i].Program] || destinationLast[l.Words[i].Program]) {
			out = append(out, Group{i, j})
		}
		i = max(i+1, j)
	}
	return out
}

// Listable reports whether a word can be an item of a list: a file name, sealed or not, that belongs to no flag or
// redirection.
func Listable(w Word) bool {
	return w.Redirect == "" && w.FileLike() && !strings.ContainsAny(w.Text, "*?") &&
		!(w.First && (takesScript[w.Program] || WithSubcommand[w.Program]))
}

// Ending returns the file extension of a word, also behind a sealed name.
func Ending(w Word) string {
	return path.Ext(page.RefForm.ReplaceAllString(w.Text, "x"))
}
