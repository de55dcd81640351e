package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipes are the descriptors 3 to 5 of bubblewrap: the shell's farewell, bubblewrap's own status, and the filter.
type pipes struct {
	state, info           *os.File
	toState, toInfo, rule *os.File
}

func openPipes(filter []byte) (*pipes, error) {
	p := &pipes{}
	var err error
	if p.state, p.toState, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.info, p.toInfo, err = os.Pipe(); err != nil {
		p.close()
		return nil, err
	}
	fd, err := unix.MemfdCreate("filter", unix.MFD_CLOEXEC)
	if err != nil {
		p.close()
		return nil, err
	}
	p.rule = os.NewFile(uintptr(fd), "filter")
	if _, err = p.rule.Write(filter); err == nil {
		_, err = p.rule.Seek(0, 0)
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *pipes) theirs() []*os.File { return []*os.File{p.toState, p.toInfo, p.rule} }

// started closes our copies of the box's ends.
func (p *pipes) started() {
	for _, f := range p.theirs() {
		f.Close()
	}
}

func (p *pipes) close() {
	for _, f := range []*os.File{p.state, p.info, p.toState, p.toInfo, p.rule} {
		if f != nil {
			f.Close()
		}
	}
}
