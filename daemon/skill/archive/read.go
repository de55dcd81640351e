package archive

import (
	"context"
	"errors"
	"io"
	"strings"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// Contents are an archive's files, in its order, without what is never part of a skill.
type Contents struct {
	Files   []skill.File
	LeftOut int // files that are not unpacked: a repository's own, a desktop's
}

// Read reads a whole archive into memory. The first bytes decide the format, not the name.
func Read(ctx context.Context, src io.ReaderAt, size int64, lim Limits) (Contents, error) {
	lim = lim.orDefault()
	switch {
	case size > lim.Upload:
		return Contents{}, refuse(UploadLarge, 0)
	case size <= 0:
		return Contents{}, refuse(NoArchive, 0)
	}
	u := &unpacker{ctx: ctx, lim: lim, packed: size, paths: newPaths()}
	head := make([]byte, 512)
	n, err := src.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return Contents{}, damaged(err)
	}
	switch formatOf(head[:n]) {
	case formatZip:
		err = u.zip(src, size)
	case formatGzip:
		err = u.tarGz(io.NewSectionReader(src, 0, size))
	case formatTar:
		err = u.tar(io.NewSectionReader(src, 0, size))
	default:
		err = refuse(NoArchive, 0)
	}
	if err != nil {
		return Contents{}, err
	}
	if len(u.out.Files) == 0 {
		return Contents{}, refuse(Empty, 0)
	}
	return u.out, nil
}

type format int

const (
	formatNone format = iota
	formatZip
	formatGzip
	formatTar
	formatOther // packed, and not looked into
)

func formatOf(head []byte) format {
	s := string(head)
	switch {
	case strings.HasPrefix(s, "PK\x03\x04"), strings.HasPrefix(s, "PK\x05\x06"):
		return formatZip
	case strings.HasPrefix(s, "\x1f\x8b"):
		return formatGzip
	case len(s) >= 512 && (s[257:262] == "ustar" || oldTar(head)):
		return formatTar
	case strings.HasPrefix(s, "BZh"), strings.HasPrefix(s, "\xfd7zXZ\x00"), strings.HasPrefix(s, "7z\xbc\xaf\x27\x1c"), strings.HasPrefix(s,
		"Rar!\x1a\x07"), strings.HasPrefix(s, "\x28\xb5\x2f\xfd"):
		return formatOther
	}
	return formatNone
}

// oldTar recognises a pre-ustar header by its checksum.
func oldTar(h []byte) bool {
	sum, want := int64(0), int64(0)
	for i, b := range h[:512] {
		if i >= 148 && i < 156 {
			b = ' '
		}
		sum += int64(b)
	}
	digits := strings.Trim(string(h[148:156]), " \x00")
	if digits == "" || h[0] == 0 {
		return false
	}
	for _, d := range digits {
		if d < '0' || d > '7' {
			return false
		}
		want = want<<3 | int64(d-'0')
	}
	return sum == want
}

// unpacker reads one archive.
type unpacker struct {
	ctx     context.Context
	lim     Limits
	packed  int64
	paths   *paths
	entries int
	bytes   int64
	inner   inner
	out     Contents
}

// entry checks the next entry's name. skip means that it is fine, and is not kept.
func (u *unpacker) entry(name string, dir bool) (path string, skip bool, err error) {
	if err := u.ctx.Err(); err != nil {
		return "", false, fault.Wrap(err, fault.Cancelled, "the import was cancelled")
	}
	if u.entries++; u.entries > u.lim.Entries {
		return "", false, refuse(TooMany, u.entries)
	}
	if dir {
		name = strings.TrimSuffix(name, "/")
	}
	if name == "." && dir {
		return "", true, nil
	}
	name = strings.TrimPrefix(name, "./")
	if dir && name == "" { // "./"
		return "", true, nil
	}
	if why := checkName(name, u.lim.Depth); why != "" {
		return "", false, refuse(why, u.entries)
	}
	if why := u.paths.add(name, dir); why != "" {
		return "", false, refuse(why, u.entries)
	}
	if Junk(name) {
		if !dir {
			u.out.LeftOut++
		}
		return name, true, nil
	}
	return name, dir, nil
}

// file reads one file that claims to be size bytes. skip reads it only for its checks.
func (u *unpacker) file(path string, mode uint32, r io.Reader, size int64, skip bool) error {
	switch {
	case size < 0:
		return refuse(LyingSize, u.entries)
	case size > u.lim.File:
		return refuse(FileLarge, u.entries)
	case u.bytes+size > u.lim.Bytes:
		return refuse(TooLarge, u.entries)
	}
	data, err := io.ReadAll(io.LimitReader(r, size+1))
	if err != nil {
		return u.broken(err)
	}
	if int64(len(data)) != size {
		return refuse(LyingSize, u.entries)
	}
	u.bytes += size
	if u.bytes > small && u.bytes/max(u.packed, 1) > u.lim.Ratio {
		return refuse(Bomb, u.entries)
	}
	if skip {
		return nil
	}
	if err := u.inner.weigh(u.ctx, data, 1, u.lim); err != nil {
		return refuseInner(err, u.entries)
	}
	u.out.Files = append(u.out.Files, skill.File{Path: path, Mode: plain(mode), Data: data})
	return nil
}

func plain(mode uint32) uint32 {
	if mode&0o111 != 0 {
		return 0o755
	}
	return 0o644
}

// broken keeps a refusal that a reader passed on, and reports everything else as damage.
func (u *unpacker) broken(err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return f
	}
	g := refuse(Broken, u.entries)
	g.Err = err
	return g
}

func damaged(err error) error {
	f := refuse(Broken, 0)
	f.Err = err
	return f
}
