package compile

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"showhow/capture"
)

// Several files in a row for one command are one list: another time there may be more of them, or fewer.

// takesMany are programs whose operands are all of one kind, so that two of them are a list already.
var takesMany = set("cat wc gzip gunzip bzip2 xz zstd rm head tail sort md5sum sha256sum sha1sum cksum chmod chown touch git ls du file stat lpr lp open xdg-open grep less bat nl shred unzip zip tar pdfunite mogrify exiftool jq csvstack for")

// toLast are programs whose last operand is where the others go.
var toLast = set("cp mv ln install rsync scp")

// group is a run of words [from, to) of a line that is a list.
type group struct{ from, to int }

// listsIn finds the lists of files in a line.
func listsIn(l shellLine) []group {
	var out []group
	for i := 0; i < len(l.words); {
		j := i
		for j < len(l.words) && listable(l.words[j]) && l.words[j].program == l.words[i].program && ending(l.words[j]) == ending(l.words[i]) && (j == i || l.words[j].flag == "") {
			j++
		}
		if n := j; n > i && toLast[l.words[i].program] && (n == len(l.words) || l.words[n].program != l.words[i].program) {
			j-- // the last one is where they go
		}
		if n := j - i; n >= 3 || n == 2 && (takesMany[l.words[i].program] || toLast[l.words[i].program]) {
			out = append(out, group{i, j})
		}
		i = max(i+1, j)
	}
	return out
}

// listable reports whether a word can be one of several: a file by its name, sealed or not, that no flag or redirection claims.
func listable(w shellWord) bool {
	return w.redirect == "" && w.fileLike() && !strings.ContainsAny(w.text, "*?") && !(w.first && (withProgram[w.program] || withSubcommand[w.program]))
}

// ending is a word's file ending; of a sealed one what stands after its mask.
func ending(w shellWord) string {
	return path.Ext(refForm.ReplaceAllString(w.text, "x"))
}

// list makes one parameter of the files between from and to.
func (s *study) list(lines, more []shellLine, base int, g group) {
	w := lines[base].words[g.from]
	p := &param{source: "argument", where: strconv.Itoa(g.from), texts: make([]string, len(lines))}
	p.Kind, p.Required, p.List = capture.KindFile, true, true
	p.Label = argumentLabel(shellWord{text: "x" + s.endingOf(lines[base].words[g.from:g.to]), program: w.program}) + "s"
	if !strings.HasSuffix(p.Label, "files") {
		p.Label = "files"
	}
	for t, l := range lines {
		p.texts[t] = strings.Join(s.listOf(l, w.program, ending(w)), "\n")
	}
	for k, l := range more {
		p.rounds, p.roundOf = append(p.rounds, strings.Join(s.listOf(l, w.program, ending(w)), "\n")), append(p.roundOf, s.roundN[s.here][k].trace)
	}
	tmpl := s.add(p)
	for t, text := range p.texts {
		for _, one := range strings.Split(text, "\n") {
			s.gens[t].add(one, tmpl)
			for _, link := range s.linksOf[strings.ToLower(one)] {
				s.gens[t].links[link] = tmpl
			}
		}
	}
}

// listOf are the files of a list as another demonstration, or another round, gave them.
func (s *study) listOf(l shellLine, program, end string) []string {
	for _, g := range listsIn(l) {
		if l.words[g.from].program == program && ending(l.words[g.from]) == end {
			var out []string
			for _, w := range l.words[g.from:g.to] {
				out = append(out, s.openRefs(w.text))
			}
			return out
		}
	}
	for _, w := range l.words { // one alone
		if w.program == program && listable(w) && ending(w) == end {
			return []string{s.openRefs(w.text)}
		}
	}
	return nil
}

func (s *study) endingOf(ws []shellWord) string {
	end := path.Ext(s.openRefs(ws[0].text))
	if slices.ContainsFunc(ws, func(w shellWord) bool { return path.Ext(s.openRefs(w.text)) != end }) {
		return ""
	}
	return end
}

// listRefs are the references to lists.
func (s *study) listRefs() map[string]bool {
	if s.lists == nil {
		s.lists = map[string]bool{}
		for _, p := range s.params {
			if p.List {
				s.lists[ref(p.ParamID)] = true
			}
		}
	}
	return s.lists
}

var repeated = regexp.MustCompile("(\uE000[^\uE000\uE001]*\uE001)(?:[\"']?\\s+[\"']?(\uE000[^\uE000\uE001]*\uE001))+")

// once writes a list's reference once where a line has it for every file.
func once(tmpl string, lists map[string]bool) string {
	return repeated.ReplaceAllStringFunc(tmpl, func(m string) string {
		refs := refForm.FindAllString(m, -1)
		var out []string
		for i, r := range refs {
			if i == 0 || r != refs[i-1] || !lists[r] {
				out = append(out, r)
			}
		}
		if len(out) == len(refs) {
			return m
		}
		return strings.Join(out, " ")
	})
}
