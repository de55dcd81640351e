package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"strings"
)

// A zip describes every file twice, before its data and in the directory at the end, and readers differ in whom they
// believe. Here both must agree, the standard library must read the same, and the entries must fill the file without a
// gap.

const (
	sigLocal      = 0x04034b50
	sigCentral    = 0x02014b50
	sigEnd        = 0x06054b50
	sigDescriptor = 0x08074b50
	endLen        = 22
	centralLen    = 46
	localLen      = 30
	maxComment    = 1024
	extraZip64    = 0x0001
	extraASi      = 0x756e // modes and links of old archivers
	extraUnicode  = 0x7075 // another name for the same file
	flagEncrypted = 1 << 0
	flagStream    = 1 << 3 // sizes follow the data
	flagPatch     = 1 << 5
	flagStrong    = 1 << 6
	flagMasked    = 1 << 13
)

// zipEntry is one file in the directory.
type zipEntry struct {
	number        int // from 1, in the directory's order
	name          string
	flags, method uint16
	crc           uint32
	packed, size  int64
	creator       uint16
	attrs         uint32
	local, data   int64 // offsets of its header and its data
	end           int64 // behind its data and descriptor
}

func (u *unpacker) zip(src io.ReaderAt, size int64) error {
	z := zipReader{src: src, size: size, lim: u.lim}
	entries, err := z.read()
	if err != nil {
		return err
	}
	for i := range entries {
		if err := u.zipEntry(src, &entries[i]); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacker) zipEntry(src io.ReaderAt, e *zipEntry) error {
	dir := strings.HasSuffix(e.name, "/")
	if why := e.kind(dir); why != "" {
		return refuse(why, e.number)
	}
	path, skip, err := u.entry(e.name, dir)
	if err != nil {
		return err
	}
	if dir {
		if e.size != 0 {
			return refuse(LyingSize, e.number)
		}
		if e.packed > 2 { // what deflate makes of nothing
			return refuse(Extra, e.number)
		}
		return nil
	}
	if e.size > small && e.size <= u.lim.File && e.size/max(e.packed, 1) > u.lim.Ratio {
		return refuse(Bomb, e.number)
	}
	section := bufio.NewReader(io.NewSectionReader(src, e.data, e.packed))
	var r io.Reader = section
	if e.method == zip.Deflate {
		f := flate.NewReader(section)
		defer f.Close()
		r = f
	}
	sum := crc32.NewIEEE()
	if err := u.file(path, e.mode(), io.TeeReader(r, sum), e.size, skip); err != nil {
		return err
	}
	if sum.Sum32() != e.crc {
		return refuse(Broken, e.number)
	}
	if _, err := section.ReadByte(); err != io.EOF { // behind the compressed data, inside the entry
		return refuse(Extra, e.number)
	}
	return nil
}

// unix reports whether the attributes hold a Unix mode.
func (e *zipEntry) unix() bool { return e.creator == 3 || e.creator == 19 }

func (e *zipEntry) mode() uint32 {
	if !e.unix() {
		return 0o644
	}
	return e.attrs >> 16
}

// kind refuses everything but files and folders.
func (e *zipEntry) kind(dir bool) Reason {
	mode := e.attrs >> 16 // of whatever system: extractors do not always ask which
	switch mode & 0o170000 {
	case 0, 0o100000:
		if dir && mode&0o170000 != 0 {
			return Disagree
		}
	case 0o040000:
		if !dir {
			return Disagree
		}
	case 0o120000:
		return Link
	default:
		return Special
	}
	if !dir && mode&0o6000 != 0 {
		return Setuid
	}
	return ""
}

type zipReader struct {
	src  io.ReaderAt
	size int64
	lim  Limits
}

// read lists the entries and checks that they are all there is.
func (z *zipReader) read() ([]zipEntry, error) {
	start, length, count, err := z.findEnd()
	if err != nil {
		return nil, err
	}
	if count == 0 {
		return nil, refuse(Empty, 0)
	}
	dir := make([]byte, length)
	if _, err := z.src.ReadAt(dir, start); err != nil {
		return nil, damaged(err)
	}
	entries := make([]zipEntry, 0, count)
	for n := 1; n <= count; n++ {
		e, rest, err := central(dir, n)
		if err != nil {
			return nil, err
		}
		if err := z.local(&e, start); err != nil {
			return nil, err
		}
		entries, dir = append(entries, e), rest
	}
	if len(dir) > 0 {
		return nil, refuse(Extra, 0)
	}
	if err := tile(entries, start); err != nil {
		return nil, err
	}
	return entries, z.secondOpinion(entries)
}

// findEnd reads the end record, which must end the file and directly follow the directory.
func (z *zipReader) findEnd() (start int64, length, count int, err error) {
	tail := make([]byte, min(z.size, endLen+maxComment))
	if _, err := z.src.ReadAt(tail, z.size-int64(len(tail))); err != nil && err != io.EOF {
		return 0, 0, 0, damaged(err)
	}
	sig := []byte("PK\x05\x06")
	at := bytes.Index(tail, sig)
	for at >= 0 && at+endLen <= len(tail) && at+endLen+int(le16(tail[at+20:])) != len(tail) { // a signature by chance, in the data before it
		next := bytes.Index(tail[at+1:], sig)
		if next < 0 {
			return 0, 0, 0, refuse(Extra, 0)
		}
		at += 1 + next
	}
	if at < 0 || at+endLen > len(tail) {
		return 0, 0, 0, refuse(Broken, 0)
	}
	end := tail[at:]
	if bytes.Contains(end[4:], sig) { // a second end for other readers
		return 0, 0, 0, refuse(Disagree, 0)
	}
	if le16(end[4:]) != 0 || le16(end[6:]) != 0 || le16(end[8:]) != le16(end[10:]) {
		return 0, 0, 0, refuse(Disagree, 0) // one of several volumes
	}
	begin := z.size - int64(len(end))
	length, start, count = int(le32(end[12:])), int64(le32(end[16:])), int(le16(end[10:]))
	if count > z.lim.Entries { // before the gap that more than 65,534 entries leave here for their larger numbers
		return 0, 0, 0, refuse(TooMany, 0)
	}
	if start > begin || int64(length) > begin || start+int64(length) != begin {
		return 0, 0, 0, refuse(Extra, 0) // data in front, or between directory and end
	}
	return start, length, count, nil
}

// central reads one record of the directory.
func central(b []byte, n int) (e zipEntry, rest []byte, err error) {
	if len(b) < centralLen || le32(b) != sigCentral {
		return e, nil, refuse(Broken, n)
	}
	nameLen, extraLen, commentLen := int(le16(b[28:])), int(le16(b[30:])), int(le16(b[32:]))
	whole := centralLen + nameLen + extraLen + commentLen
	if len(b) < whole {
		return e, nil, refuse(Broken, n)
	}
	e = zipEntry{number: n, creator: le16(b[4:]) >> 8, flags: le16(b[8:]), method: le16(b[10:]), crc: le32(b[16:]),
		packed: int64(le32(b[20:])), size: int64(le32(b[24:])), attrs: le32(b[38:]), local: int64(le32(b[42:])),
		name: string(b[centralLen : centralLen+nameLen])}
	if le16(b[34:]) != 0 || e.packed == 0xffffffff || e.size == 0xffffffff || e.local == 0xffffffff {
		return e, nil, refuse(Disagree, n) // another volume, or sizes that only a much larger archive needs
	}
	if why := extras(b[centralLen+nameLen:centralLen+nameLen+extraLen], e.name); why != "" {
		return e, nil, refuse(why, n)
	}
	switch {
	case e.flags&(flagEncrypted|flagStrong|flagMasked) != 0 || e.method == 99:
		return e, nil, refuse(Encrypted, n)
	case e.method != zip.Store && e.method != zip.Deflate || e.flags&flagPatch != 0:
		return e, nil, refuse(Method, n)
	case e.method == zip.Store && e.packed != e.size:
		return e, nil, refuse(LyingSize, n)
	}
	return e, b[whole:], nil
}

// extras refuses extension fields that redefine the entry.
func extras(b []byte, name string) Reason {
	for len(b) >= 4 {
		id, n := le16(b), int(le16(b[2:]))
		if len(b) < 4+n {
			return Broken
		}
		field := b[4 : 4+n]
		switch {
		case id == extraASi:
			return Special
		case id == extraUnicode && (len(field) < 5 || string(field[5:]) != name):
			return Disagree
		}
		b = b[4+n:]
	}
	return ""
}

// local compares the entry's own header with the directory's record and finds its data.
func (z *zipReader) local(e *zipEntry, start int64) error {
	h := make([]byte, localLen)
	if e.local+localLen > start {
		return refuse(Overlap, e.number)
	}
	if _, err := z.src.ReadAt(h, e.local); err != nil {
		return damaged(err)
	}
	if le32(h) != sigLocal {
		return refuse(Disagree, e.number)
	}
	nameLen, extraLen := int(le16(h[26:])), int(le16(h[28:]))
	rest := make([]byte, nameLen+extraLen)
	if e.local+localLen+int64(len(rest)) > start {
		return refuse(Overlap, e.number)
	}
	if _, err := z.src.ReadAt(rest, e.local+localLen); err != nil {
		return damaged(err)
	}
	if string(rest[:nameLen]) != e.name || le16(h[8:]) != e.method || (le16(h[6:])^e.flags)&^(1<<1|1<<2|1<<11) != 0 {
		return refuse(Disagree, e.number)
	}
	if why := extras(rest[nameLen:], e.name); why != "" {
		return refuse(why, e.number)
	}
	e.data = e.local + localLen + int64(len(rest))
	e.end = e.data + e.packed
	if e.end > start {
		return refuse(Overlap, e.number)
	}
	crc, packed, size := le32(h[14:]), int64(le32(h[18:])), int64(le32(h[22:]))
	if e.flags&flagStream == 0 {
		if packed == 0xffffffff && size == 0xffffffff {
			packed, size = zip64(rest[nameLen:])
		}
		if crc != e.crc || packed != e.packed || size != e.size {
			return refuse(Disagree, e.number)
		}
		return nil
	}
	return z.descriptor(e, start)
}

// zip64 reads the sizes that a streaming writer put into the extension.
func zip64(b []byte) (packed, size int64) {
	for len(b) >= 4 {
		id, n := le16(b), int(le16(b[2:]))
		if len(b) < 4+n {
			break
		}
		if id == extraZip64 && n >= 16 {
			return int64(binary.LittleEndian.Uint64(b[12:])), int64(binary.LittleEndian.Uint64(b[4:]))
		}
		b = b[4+n:]
	}
	return -1, -1
}

// descriptor finds the record after the data: with or without a signature, with sizes of four or eight bytes.
func (z *zipReader) descriptor(e *zipEntry, start int64) error {
	b := make([]byte, min(24, start-e.end))
	if _, err := z.src.ReadAt(b, e.end); err != nil && err != io.EOF {
		return damaged(err)
	}
	for _, signed := range []bool{true, false} {
		d := b
		at := 0
		if signed {
			if len(b) < 4 || le32(b) != sigDescriptor {
				continue
			}
			d, at = b[4:], 4
		}
		if len(d) >= 20 && le32(d) == e.crc && int64(binary.LittleEndian.Uint64(d[4:])) == e.packed &&
			int64(binary.LittleEndian.Uint64(d[12:])) == e.size {
			e.end += int64(at + 20)
			return nil
		}
		if len(d) >= 12 && le32(d) == e.crc && int64(le32(d[4:])) == e.packed && int64(le32(d[8:])) == e.size {
			e.end += int64(at + 12)
			return nil
		}
	}
	return refuse(Disagree, e.number)
}

// tile checks that the entries follow each other without gaps from the first byte to the directory.
func tile(entries []zipEntry, start int64) error {
	by := slices.Clone(entries)
	slices.SortStableFunc(by, func(a, b zipEntry) int { return int(a.local - b.local) })
	at := int64(0)
	for _, e := range by {
		if e.local < at {
			return refuse(Overlap, e.number)
		}
		if e.local > at {
			return refuse(Extra, e.number)
		}
		at = e.end
	}
	if at != start {
		return refuse(Extra, 0)
	}
	return nil
}

// secondOpinion compares with the standard library, which many other programs use.
func (z *zipReader) secondOpinion(entries []zipEntry) error {
	r, err := zip.NewReader(z.src, z.size)
	if err != nil && (r == nil || len(r.File) == 0) {
		return damaged(err)
	}
	if len(r.File) != len(entries) {
		return refuse(Disagree, 0)
	}
	for i, f := range r.File {
		e := entries[i]
		at, err := f.DataOffset()
		if err != nil || at != e.data || f.Name != e.name || int64(f.UncompressedSize64) != e.size || int64(f.CompressedSize64) != e.packed {
			return refuse(Disagree, e.number)
		}
	}
	return nil
}

func le16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }
func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
