package archive

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// Collector applies the rules of an archive to files from a folder or a repository.
type Collector struct {
	u    unpacker
	from string
}

// NewCollector begins a collection. from names the source in errors, for example "the folder".
func NewCollector(lim Limits, from string) *Collector {
	return &Collector{from: from, u: unpacker{ctx: context.Background(), lim: lim.orDefault(), packed: 1 << 62, paths: newPaths()}}
}

// Folder records a folder.
func (c *Collector) Folder(name string) error {
	_, _, err := c.u.entry(name, true)
	return c.named(err)
}

// named rewords an error for a source that is not an archive.
func (c *Collector) named(err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		f.Message = strings.Replace(f.Message, "the archive", c.from, 1)
		if ReasonOf(f) == Link {
			f.Hint = "put the files themselves there instead of links"
		}
	}
	return err
}

// File reads one file. Symlinks and special files are refused before they are opened.
func (c *Collector) File(name string, mode fs.FileMode, size int64, open func() (io.ReadCloser, error)) error {
	return c.named(c.file(name, mode, size, open))
}

func (c *Collector) file(name string, mode fs.FileMode, size int64, open func() (io.ReadCloser, error)) error {
	switch {
	case mode&fs.ModeSymlink != 0:
		return refuse(Link, c.u.entries+1)
	case mode&fs.ModeType != 0:
		return refuse(Special, c.u.entries+1)
	case mode&(fs.ModeSetuid|fs.ModeSetgid) != 0:
		return refuse(Setuid, c.u.entries+1)
	}
	path, skip, err := c.u.entry(name, false)
	if err != nil {
		return err
	}
	r, err := open()
	if err != nil {
		return fault.Wrap(err, fault.SkillImportSourceFailed, "a file of the skill cannot be read")
	}
	defer r.Close()
	return c.u.file(path, uint32(mode.Perm()), r, size, skip)
}

// Files returns what was collected.
func (c *Collector) Files() []skill.File { return c.u.out.Files }
