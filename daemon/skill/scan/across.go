package scan

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/skill/scan/flow"
	"showhow/daemon/skill/scan/prose"
	"showhow/daemon/skill/scan/reach"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
)

// effects judges what the skill's texts add up to, the entry first, with each file that a sentence names read where it is named.
func (b *bundle) effects() {
	b.effectsOf(true)
	b.effectsOf(false) // what nobody is led to adds to nothing that they are
}

func (b *bundle) effectsOf(led bool) {
	var files []*file
	for _, f := range b.files {
		if f.Kind == source.Markdown && (b.reach[f.File] == reach.Led) == led {
			files = append(files, f)
		}
	}
	read := map[*file]bool{}
	var all []prose.Told
	var add func(f *file)
	add = func(f *file) {
		if read[f] {
			return
		}
		read[f] = true
		for _, t := range f.told {
			all = append(all, t)
			if !strings.Contains(t.Text, ".md") {
				continue
			}
			for _, other := range files {
				if !read[other] && len(other.Path) > 4 && strings.Contains(t.Text, strings.ToLower(other.Path)) {
					add(other)
				}
			}
		}
	}
	if b.entry != nil && led {
		add(b.entry)
	}
	for _, f := range files {
		add(f)
	}
	prose.Judge(all, b.purpose)
}

// flows follows values from file to file. Each file was followed by itself before (follow), so only files that use
// another's values, and those others, are left; they are followed together, in the files' order.
func (b *bundle) flows(ctx context.Context) {
	if joined := joined(b.ledTo()); len(joined) > 0 {
		flow.NewWorld(b.ours).Follow(ctx, joined)
	}
	if len(b.ledTo()) == len(b.files) {
		return
	}
	known := map[*file]int{}
	for _, f := range b.files {
		if b.reach[f.File] == reach.Led {
			known[f] = len(f.Found)
		}
	}
	if joined := joined(b.files); len(joined) > 0 {
		flow.NewWorld(b.ours).Follow(ctx, joined)
	}
	for f, n := range known { // which come about only if somebody starts what nothing leads to
		for i := n; i < len(f.Found); i++ {
			f.Found[i].Severity = report.AtMost(f.Found[i].Severity, report.Medium)
		}
	}
}

// joined is the code of the files that ask others, and of the files that these ask.
func joined(files []*file) []*flow.Unit {
	knows := map[flow.Fact][]int{}
	for i, f := range files {
		if f.world != nil {
			for _, x := range f.world.Known() {
				knows[x] = append(knows[x], i)
			}
		}
	}
	in := make([]bool, len(files))
	for i, f := range files {
		if f.world == nil {
			continue
		}
		for x := range f.world.Asked {
			for _, j := range knows[x] {
				if i != j && (!x.ByName() || flow.Mentions(f.File, files[j].Path)) {
					in[i], in[j] = true, true
				}
			}
		}
	}
	var out []*flow.Unit
	for i, f := range files {
		if in[i] {
			out = append(out, f.code...)
		}
	}
	return out
}

// lead finds what the skill leads to.
func (b *bundle) lead() {
	files := make([]*source.File, len(b.files))
	for i, f := range b.files {
		files[i] = f.File
	}
	var entry *source.File
	if b.entry != nil {
		entry = b.entry.File
	}
	b.reach = reach.Of(files, entry)
}

// ledTo are the files that the skill leads to.
func (b *bundle) ledTo() []*file {
	return slices.DeleteFunc(slices.Clone(b.files), func(f *file) bool { return b.reach[f.File] != reach.Led })
}
