package values

import (
	"path"
	"slices"
	"strings"

	"showhow/daemon/compile/shell"
	"showhow/internal/plain"
)

// labelOfArgument names an argument. If only its command would name it, it takes the label of a fragment with the same
// value, or the noun of the goal.
func labelOfArgument(s *Study, w shell.Word, p *Param) string {
	if w.RunsText() {
		return "program"
	}
	if w.Flag == "<<" {
		return "text"
	}
	label := argumentLabel(w)
	if !strings.HasSuffix(label, " argument") {
		return label
	}
	for _, f := range s.frags {
		if f.rank < 8 && sameAll(f.texts, p.Texts) {
			return f.label
		}
	}
	noun := goalNoun(s)
	if noun == "" || slices.ContainsFunc(s.Params, func(q *Param) bool { return q.Label == noun }) {
		return label
	}
	return noun
}

// argumentLabel names an argument by its flag, else by its form, else by its command.
func argumentLabel(w shell.Word) string {
	if strings.HasPrefix(w.Flag, "--") {
		return strings.ReplaceAll(strings.TrimPrefix(w.Flag, "--"), "-", " ")
	}
	if name := shell.FlagNames[w.Flag]; name != "" && !plainFlags[w.Program+" "+w.Flag] {
		return name
	}
	if w.Program == "mkdir" || w.Program == "rmdir" {
		return "folder"
	}
	if n := len(w.Flag); n > 2 && n < 6 && w.Flag[0] == '-' && plain.Letters(w.Flag) == n-1 && shell.FlagNames["-"+w.Flag[n-1:]] != "" {
		return shell.FlagNames["-"+w.Flag[n-1:]] // of flags combined in one word, the last one takes the argument
	}
	if w.Redirect == "<" {
		return "input file"
	}
	if w.FileLike() {
		if ext := strings.TrimPrefix(path.Ext(w.Text), "."); ext != "" &&
			slices.Contains([]string{"csv", "json", "txt", "pdf", "xlsx", "log", "xml", "md", "zip", "png", "jpg", "wav", "mp3", "mp4", "sql",
				"html"}, strings.ToLower(ext)) {
			return strings.ToLower(ext) + " file"
		}
		return "file"
	}
	if w.Program != "" {
		if w.Program == "echo" || w.Program == "printf" {
			return "text"
		}
		return strings.TrimSuffix(path.Base(w.Program), path.Ext(w.Program)) + " argument"
	}
	return "argument"
}

// plainFlags are flags that take no argument in these programs, or one of another meaning.
var plainFlags = plain.SetOf("mkdir -p", "cp -p", "cp -u", "cp -f", "cp -t", "cp -n", "mv -f", "mv -u", "mv -n", "mv -t", "rm -f", "rm -d",
	"ln -f", "ln -n", "gzip -f", "gunzip -f", "bzip2 -f", "xz -f",
	"sort -n", "sort -u", "sort -f", "sort -d", "sort -h", "sort -b", "uniq -u", "uniq -d", "ls -t", "ls -h", "ls -n", "ls -d", "du -h",
	"df -h", "diff -u", "diff -b", "grep -n", "grep -h", "grep -o", "cat -n",
	"cat -e", "cat -t", "unzip -o", "unzip -n", "unzip -u", "zip -u", "zip -m", "rsync -u", "rsync -n", "rsync -p", "rsync -t", "touch -m",
	"wc -m", "curl -d", "curl -f", "test -f", "test -d", "test -n",
	"test -e", "sed -n", "tee -p", "tar -p", "ssh -t", "ssh -n")
