package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// crafted is an archive and what Read must make of it; want "" means that it must be accepted.
type crafted struct {
	name string
	data []byte
	want Reason
}

const goodSkill = "---\nname: tidy\ndescription: Tidies a folder of invoices by month.\n---\n\nSort the files.\n"

// raw writes a zip byte by byte, so that it can lie.
type raw struct {
	entries []rawEntry
	prefix  string
	between string // before the directory
	gap     string // between directory and end
	suffix  string
	comment string
	count   int // claimed, when not 0
	disk    uint16
}

type rawEntry struct {
	name, local   string // local: another name in front of the data
	data          []byte // as it is stored
	method, flags uint16
	crc           uint32
	packed, size  uint32 // as claimed
	localSize     *uint32
	attrs         uint32
	creator       uint16
	extra         []byte
	at            *uint32 // another place than its own
	descriptor    []byte
	skipLocal     bool // only in the directory
}

func stored(name, content string) rawEntry {
	return rawEntry{name: name, data: []byte(content), crc: crc32.ChecksumIEEE([]byte(content)), packed: uint32(len(content)),
		size: uint32(len(content)), creator: 3, attrs: 0o100644 << 16}
}

func deflated(name string, content []byte) rawEntry {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, 9)
	w.Write(content)
	w.Close()
	return rawEntry{name: name, data: b.Bytes(), method: 8, crc: crc32.ChecksumIEEE(content), packed: uint32(b.Len()),
		size: uint32(len(content)), creator: 3, attrs: 0o100644 << 16}
}

func (e rawEntry) with(f func(*rawEntry)) rawEntry { f(&e); return e }

func (z raw) bytes() []byte {
	var b bytes.Buffer
	b.WriteString(z.prefix)
	places := make([]uint32, len(z.entries))
	le := func(v ...any) {
		for _, x := range v {
			binary.Write(&b, binary.LittleEndian, x)
		}
	}
	for i, e := range z.entries {
		places[i] = uint32(b.Len() - len(z.prefix))
		if e.skipLocal {
			continue
		}
		name, size, crc, packed := e.local, e.size, e.crc, e.packed
		if name == "" {
			name = e.name
		}
		if e.localSize != nil {
			size = *e.localSize
		}
		if e.flags&flagStream != 0 {
			size, crc, packed = 0, 0, 0
		}
		le(uint32(sigLocal), uint16(20), e.flags, e.method, uint32(0), crc, packed, size, uint16(len(name)), uint16(len(e.extra)))
		b.WriteString(name)
		b.Write(e.extra)
		b.Write(e.data)
		b.Write(e.descriptor)
	}
	b.WriteString(z.between)
	start := b.Len() - len(z.prefix)
	for i, e := range z.entries {
		at := places[i]
		if e.at != nil {
			at = *e.at
		}
		le(uint32(sigCentral), e.creator<<8|20, uint16(20), e.flags, e.method, uint32(0), e.crc, e.packed, e.size,
			uint16(len(e.name)), uint16(len(e.extra)), uint16(0), uint16(0), uint16(0), e.attrs, at)
		b.WriteString(e.name)
		b.Write(e.extra)
	}
	length := b.Len() - len(z.prefix) - start
	b.WriteString(z.gap)
	n := len(z.entries)
	if z.count != 0 {
		n = z.count
	}
	le(uint32(sigEnd), z.disk, uint16(0), uint16(n), uint16(n), uint32(length), uint32(start), uint16(len(z.comment)))
	b.WriteString(z.comment)
	b.WriteString(z.suffix)
	return b.Bytes()
}

func zipOf(entries ...rawEntry) []byte {
	return raw{entries: append([]rawEntry{stored("SKILL.md", goodSkill)}, entries...)}.bytes()
}

func tarOf(headers ...tar.Header) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range append([]tar.Header{{Name: "SKILL.md", Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(goodSkill))}}, headers...) {
		content := strings.Repeat("x", int(h.Size))
		if h.Name == "SKILL.md" {
			content = goodSkill
		}
		if err := w.WriteHeader(&h); err != nil {
			panic(err)
		}
		io.WriteString(w, content)
	}
	w.Close()
	return b.Bytes()
}

func gz(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func zipStd(files map[string]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for n, c := range files {
		e, _ := w.Create(n)
		io.WriteString(e, c)
	}
	w.Close()
	return b.Bytes()
}

func descriptor(e rawEntry, signed bool) []byte {
	var b bytes.Buffer
	if signed {
		binary.Write(&b, binary.LittleEndian, uint32(sigDescriptor))
	}
	binary.Write(&b, binary.LittleEndian, []uint32{e.crc, e.packed, e.size})
	return b.Bytes()
}

func unicodePath(name string) []byte {
	b := []byte{0x75, 0x70, byte(5 + len(name)), 0, 1, 0, 0, 0, 0}
	return append(b, name...)
}

// nestedZip is n zips inside each other.
func nestedZip(n int) []byte {
	data := zipStd(map[string]string{"a.txt": "a"})
	for range n - 1 {
		data = raw{entries: []rawEntry{{name: "in.zip", data: data, crc: crc32.ChecksumIEEE(data), packed: uint32(len(data)),
			size: uint32(len(data))}}}.bytes()
	}
	return data
}

// attacks is every archive that must not be unpacked. They are also the fuzzer's seeds.
func attacks() []crafted {
	var out []crafted
	add := func(name string, want Reason, data []byte) { out = append(out, crafted{name, data, want}) }
	paths := []struct {
		path string
		want Reason
	}{
		{"../evil", Traversal}, {"a/../../evil", Traversal}, {"..", Traversal}, {"a/..", Traversal}, {"./../evil", Traversal},
		{".. /evil", Traversal}, {".../evil", Traversal},
		{`..\evil`, Traversal}, {`a\..\..\evil`, Traversal}, {"%2e%2e/evil", Traversal}, {"%2e%2e%2fevil", Traversal},
		{"%252e%252e%252fevil", Traversal}, {"..%5cevil", Traversal},
		{"\uff0e\uff0e/evil", Traversal}, {"\uff0e\uff0e\uff0fevil", Traversal}, {"\u2025/evil", Traversal},
		{"\u2024\u2024\u2215evil", Traversal}, {"..\u2044evil", Traversal},
		{"..\xc0\xafevil", BadName}, {"\xc0\xae\xc0\xae/evil", BadName}, {"a\xff", BadName},
		{"/etc/evil", Absolute}, {"//server/share/evil", Absolute}, {`\\server\share\evil`, Absolute}, {`\evil`, Absolute},
		{"C:/evil", Absolute}, {`c:\evil`, Absolute}, {"C:evil", Absolute}, {"%2fetc/evil", Absolute}, {"\uff0fetc", Absolute},
		{"a/./b", BadName}, {"a//b", BadName}, {"evil:stream", BadName}, {`a\b`, BadName}, {"a?", BadName}, {"a*", BadName},
		{"trailing.", BadName}, {"trailing ", BadName}, {"dir./x", BadName}, {" lead", BadName},
		{"a\x00b", Hidden}, {"a\nb", Hidden}, {"a\x1b[2Jb", Hidden}, {"a\x7f", Hidden}, {"a\u200bb", Hidden}, {"gpj.\u202eexe", Hidden},
		{"a\U000e0041", Hidden}, {"a\ufe0f", Hidden}, {"a\u2028b", Hidden}, {"a\ufeff", Hidden},
		{"CON", Reserved}, {"aux.txt", Reserved}, {"a/nul", Reserved}, {"COM1.md", Reserved}, {"lpt9", Reserved}, {"com\u00b9", Reserved},
		{"CONOUT$", Reserved}, {"con .txt", Reserved},
		{strings.Repeat("a", 241), LongPath}, {strings.Repeat("a/", 20) + "b", LongPath},
	}
	for _, p := range paths {
		add("zip "+p.path, p.want, zipOf(stored(p.path, "evil")))
		if !strings.ContainsRune(p.path, 0) {
			add("tar "+p.path, p.want, tarOf(tar.Header{Name: p.path, Typeflag: tar.TypeReg, Mode: 0o644, Size: 4}))
		}
	}
	add("folder that leads out", Traversal, zipOf(stored("../evil/", "").with(func(e *rawEntry) { e.attrs = 0o040755 << 16 })))

	for _, pair := range [][2]string{{"a.txt", "a.txt"}, {"a.txt", "A.TXT"}, {"caf\u00e9", "cafe\u0301"}, {"stra\u00dfe", "STRASSE"},
		{"\ufb01x", "fix"}, {"Scripts/a", "scripts/b"},
		{"a", "a/b"}, {"a/b", "a"}, {"\u212a", "k"}, {"skill.md", "x"}} {
		add("collision "+pair[0]+" "+pair[1], Collision, zipOf(stored(pair[0], "1"), stored(pair[1], "2")))
		add("tar collision "+pair[0]+" "+pair[1], Collision,
			gz(tarOf(tar.Header{Name: pair[0], Typeflag: tar.TypeReg, Size: 1}, tar.Header{Name: pair[1], Typeflag: tar.TypeReg, Size: 1})))
	}

	mode := func(m uint32) rawEntry {
		return stored("evil", "/etc/passwd").with(func(e *rawEntry) { e.attrs = m << 16 })
	}
	add("zip link", Link, zipOf(mode(0o120777)))
	add("zip link from DOS", Link, zipOf(mode(0o120777).with(func(e *rawEntry) { e.creator = 0 })))
	add("zip device", Special, zipOf(mode(0o020644)))
	add("zip pipe", Special, zipOf(mode(0o010644)))
	add("zip socket", Special, zipOf(mode(0o140644)))
	add("zip setuid", Setuid, zipOf(mode(0o104755)))
	add("zip setgid", Setuid, zipOf(mode(0o102755)))
	add("zip old link field", Special, zipOf(mode(0o100644).with(func(e *rawEntry) { e.extra = []byte{0x6e, 0x75, 0, 0} })))
	add("zip folder that is a file", Disagree, zipOf(stored("evil/", "").with(func(e *rawEntry) { e.attrs = 0o100644 << 16 })))
	for typ, want := range map[byte]Reason{tar.TypeSymlink: Link, tar.TypeLink: Link, tar.TypeChar: Special, tar.TypeBlock: Special,
		tar.TypeFifo: Special, tar.TypeCont: Special} {
		h := tar.Header{Name: "evil", Typeflag: typ}
		if want == Link {
			h.Linkname = "../../etc/passwd"
		}
		add("tar type "+string(typ), want, tarOf(h))
		add("tar.gz type "+string(typ), want, gz(tarOf(h)))
	}
	add("tar link then file through it", Link, tarOf(tar.Header{Name: "d", Typeflag: tar.TypeSymlink, Linkname: "/tmp"},
		tar.Header{Name: "d/evil", Typeflag: tar.TypeReg, Size: 4}))
	add("tar setuid", Setuid, tarOf(tar.Header{Name: "evil", Typeflag: tar.TypeReg, Mode: 0o4755, Size: 1}))

	enc := func(f uint16) []byte { return zipOf(stored("a", "b").with(func(e *rawEntry) { e.flags = f })) }
	add("encrypted", Encrypted, enc(flagEncrypted))
	add("strongly encrypted", Encrypted, enc(flagEncrypted|flagStrong))
	add("masked directory", Encrypted, enc(flagMasked))
	add("AES", Encrypted, zipOf(stored("a", "b").with(func(e *rawEntry) { e.method = 99 })))
	for _, m := range []uint16{1, 6, 9, 12, 14, 93, 95, 98} {
		add("method", Method, zipOf(stored("a", "b").with(func(e *rawEntry) { e.method = m })))
	}

	first := stored("SKILL.md", goodSkill)
	add("overlap: two entries, one place", Overlap,
		raw{entries: []rawEntry{first, first.with(func(e *rawEntry) { e.at, e.skipLocal = new(uint32(0)), true })}}.bytes())
	kernel := deflated("b", bytes.Repeat([]byte("b"), 4000))
	add("overlap: quoted headers", Overlap, raw{entries: []rawEntry{
		first.with(func(e *rawEntry) { e.packed += 40; e.size += 40 }), kernel}}.bytes())
	add("overlap with the directory", Overlap,
		raw{entries: []rawEntry{first.with(func(e *rawEntry) { e.packed, e.size = 4000, 4000 })}}.bytes())
	add("prepended", Extra, raw{entries: []rawEntry{first}, prefix: "PK\x03\x04#!/bin/sh\nexit\n"}.bytes())
	add("prepended program", NoArchive, raw{entries: []rawEntry{first}, prefix: "#!/bin/sh\nexit\n"}.bytes())
	add("data before the directory", Extra, raw{entries: []rawEntry{first}, between: "hidden"}.bytes())
	add("data behind the directory", Extra, raw{entries: []rawEntry{first}, gap: "hidden"}.bytes())
	add("trailing", Extra, raw{entries: []rawEntry{first}, suffix: "hidden"}.bytes())
	add("two ends", Disagree, raw{entries: []rawEntry{first}, comment: "PK\x05\x06" + strings.Repeat("\x00", 18)}.bytes())
	add("volumes", Disagree, raw{entries: []rawEntry{first}, disk: 1}.bytes())
	add("unlisted entry", Extra, raw{entries: []rawEntry{first}, between: string(zipOf()[:40])}.bytes())
	add("more claimed than there", Broken, raw{entries: []rawEntry{first}, count: 2}.bytes())
	add("fewer claimed than there", Extra, raw{entries: []rawEntry{first, stored("evil", "x")}, count: 1}.bytes())
	add("another name in front", Disagree, zipOf(stored("a", "b").with(func(e *rawEntry) { e.local = "../evil" })))
	add("another name in the extension", Disagree, zipOf(stored("a", "b").with(func(e *rawEntry) { e.extra = unicodePath("../evil") })))
	add("another size in front", Disagree, zipOf(stored("a", "bcd").with(func(e *rawEntry) { e.localSize = new(uint32(1)) })))
	add("stored with two sizes", LyingSize, zipOf(stored("a", "bcd").with(func(e *rawEntry) { e.size = 1 })))
	add("longer than claimed", LyingSize, zipOf(deflated("a", []byte("long enough")).with(func(e *rawEntry) { e.size = 2 })))
	add("shorter than claimed", LyingSize, zipOf(deflated("a", []byte("short")).with(func(e *rawEntry) { e.size = 500 })))
	add("wrong checksum", Broken, zipOf(stored("a", "b").with(func(e *rawEntry) { e.crc++ })))
	add("behind the deflated data", Extra,
		zipOf(deflated("a", []byte("hello")).with(func(e *rawEntry) { e.data = append(e.data, "hidden"...); e.packed += 6 })))
	add("content of a folder", LyingSize, zipOf(stored("d/", "hidden").with(func(e *rawEntry) { e.attrs = 0 })))
	add("no descriptor where one is due", Disagree, zipOf(deflated("a", []byte("x")).with(func(e *rawEntry) { e.flags = flagStream })))
	add("false descriptor", Disagree, zipOf(deflated("a", []byte("x")).with(func(e *rawEntry) {
		e.flags = flagStream
		d := *e
		d.size++
		e.descriptor = descriptor(d, true)
	})))

	zeros := make([]byte, 900<<10)
	add("bomb", Bomb, zipOf(deflated("zeros", zeros)))
	add("tar bomb", Bomb, gz(tarOf(tar.Header{Name: "zeros", Typeflag: tar.TypeReg, Size: 900 << 10})))
	add("file too large", FileLarge, zipOf(deflated("large", bytes.Repeat([]byte("0123456789abcdef"), 70000))))
	add("claims a huge file", FileLarge, zipOf(deflated("large", []byte("x")).with(func(e *rawEntry) { e.size = 0xfffffff0 })))
	add("nested too deep", NestedBomb, zipOf(stored("assets/in.zip", string(nestedZip(4)))))
	add("nested bomb", NestedBomb, zipOf(stored("assets/in.gz", string(gz(bytes.Repeat(zeros, 80))))))
	add("nested zip bomb", NestedBomb,
		zipOf(stored("in.zip", string(raw{entries: []rawEntry{deflated("z", bytes.Repeat(zeros, 80))}}.bytes()))))
	var many []rawEntry
	for i := range Default.Entries {
		many = append(many, stored("f"+string(rune('a'+i%26))+strings.Repeat("x", i/26), ""))
	}
	add("too many", TooMany, zipOf(many...))
	add("100,000 files", TooMany, raw{entries: []rawEntry{first}, count: 0xffff, gap: strings.Repeat("\x00", 56+20)}.bytes())
	var fat []rawEntry
	for i := range 12 {
		fat = append(fat, stored("fat"+string(rune('a'+i)), strings.Repeat("0123456789", 100_000)))
	}
	add("too large together", TooLarge, zipOf(fat...))

	add("empty zip", Empty, raw{}.bytes())
	add("only folders", Empty, raw{entries: []rawEntry{stored("d/", "").with(func(e *rawEntry) { e.attrs = 0 })}}.bytes())
	add("cut off", Broken, zipOf()[:len(zipOf())-1])
	add("no archive", NoArchive, []byte("#!/bin/sh\nrm -rf /\n"))
	add("gzip of no tar", NoArchive, gz([]byte(goodSkill)))
	add("gzip with a tail", Extra, append(gz(tarOf()), "hidden"...))
	add("two gzips", Extra, append(gz(tarOf()), gz([]byte("hidden"))...))
	add("tar with a tail", Extra, append(tarOf(), "hidden"...))
	add("tar cut off", Broken, tarOf(tar.Header{Name: "a", Typeflag: tar.TypeReg, Size: 3000})[:2000])
	return out
}

// harmless is what common tools make, and must be read.
func harmless() []crafted {
	var out []crafted
	add := func(name string, data []byte) { out = append(out, crafted{name, data, ""}) }
	add("stored", zipOf(stored("scripts/run.sh", "true\n").with(func(e *rawEntry) { e.attrs = 0o100755 << 16 })))
	add("folders", zipOf(stored("references/", "").with(func(e *rawEntry) { e.attrs = 0o040755 << 16 }), stored("references/a.md", "a")))
	add("from DOS", zipOf(stored("a.md", "a").with(func(e *rawEntry) { e.creator, e.attrs = 0, 0x20 })))
	add("Go's", zipStd(map[string]string{"SKILL.md": goodSkill, "references/a.md": "a"}))
	add("with a comment", raw{entries: []rawEntry{stored("SKILL.md", goodSkill)}, comment: strings.Repeat("f", 40)}.bytes())
	add("streamed", zipOf(deflated("a", []byte("x")).with(func(e *rawEntry) { e.flags = flagStream; e.descriptor = descriptor(*e, true) })))
	add("streamed without signature", zipOf(deflated("a", []byte("x")).with(func(e *rawEntry) {
		e.flags = flagStream
		e.descriptor = descriptor(*e, false)
	})))
	add("a Unicode name", zipOf(stored("references/\u6ce8\u6587.md", "a").with(func(e *rawEntry) {
		e.extra = unicodePath("references/\u6ce8\u6587.md")
	})))
	add("desktop's droppings", zipOf(stored("__MACOSX/._SKILL.md", "x"), stored(".DS_Store", "x"),
		stored(".git/config", "[core]\nfsmonitor = evil\n")))
	add("a document", zipOf(stored("assets/form.docx", string(nestedZip(2)))))
	add("compressible text", zipOf(deflated("references/log.txt", logText())))
	add("tar", tarOf(tar.Header{Name: "references/", Typeflag: tar.TypeDir, Mode: 0o2755},
		tar.Header{Name: "references/a.md", Typeflag: tar.TypeReg, Size: 3}))
	add("tar.gz", gz(tarOf(tar.Header{Name: "./a.md", Typeflag: tar.TypeReg, Size: 3})))
	add("tar of git", gz(append(globalHeader(), tarOf()...)))
	add("tar padded to a tape's record", append(tarOf(), make([]byte, 10240)...))
	return out
}

func globalHeader() []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header",
		PAXRecords: map[string]string{"comment": strings.Repeat("a", 40)}})
	w.Flush()
	return b.Bytes()
}

// logText compresses as logs do.
func logText() []byte {
	var b bytes.Buffer
	for i := range 20000 {
		fmt.Fprintf(&b, "order %d was shipped on the 3rd\n", i*7919)
	}
	return b.Bytes()
}
