package scan

import (
	"context"
	"strings"

	"showhow/daemon/skill/scan/flow"
	"showhow/daemon/skill/scan/prose"
	"showhow/daemon/skill/scan/source"
)

// effects judges what the skill's texts add up to, the entry first, with each file that a sentence names read where it is named.
func (b *bundle) effects() {
	var files []*file
	for _, f := range b.files {
		if f.Kind == source.Markdown {
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
	if b.entry != nil {
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
	if joined := b.joined(); len(joined) > 0 {
		flow.NewWorld(b.ours).Follow(ctx, joined)
	}
}

// joined is the code of the files that ask others, and of the files that these ask.
func (b *bundle) joined() []*flow.Unit {
	knows := map[flow.Fact][]int{}
	for i, f := range b.files {
		if f.world != nil {
			for _, x := range f.world.Known() {
				knows[x] = append(knows[x], i)
			}
		}
	}
	in := make([]bool, len(b.files))
	for i, f := range b.files {
		if f.world == nil {
			continue
		}
		for x := range f.world.Asked {
			for _, j := range knows[x] {
				if i != j && (!x.ByName() || flow.Mentions(f.File, b.files[j].Path)) {
					in[i], in[j] = true, true
				}
			}
		}
	}
	var out []*flow.Unit
	for i, f := range b.files {
		if in[i] {
			out = append(out, f.code...)
		}
	}
	return out
}
