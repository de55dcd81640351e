package midi

import (
	"fmt"
	"os"
	"path/filepath"
	"structs"
)

// rawInfo is struct snd_rawmidi_info of <sound/asound.h>.
type rawInfo struct {
	_                 structs.HostLayout
	device, subdevice uint32
	stream, card      int32
	flags             uint32
	id                [64]byte
	name              [80]byte
	subname           [32]byte
	count, avail      uint32
	reserved          [64]byte
}

const streamInput = 1

// control opens a card's control device.
func (s *raw) control(card int) (*os.File, error) {
	return os.OpenFile(filepath.Join(s.dev, fmt.Sprintf("controlC%d", card)), os.O_RDONLY, 0)
}

// subname is the name of one port of a device, "" if it has none.
func (s *raw) subname(at rawPort) string {
	ctl, err := s.control(at.card)
	if err != nil {
		return ""
	}
	defer ctl.Close()
	info := rawInfo{device: uint32(at.device), subdevice: uint32(at.sub), stream: streamInput}
	if ioctl(ctl, ctlRawInfo, &info) != nil {
		return ""
	}
	return text(info.subname[:])
}

// preferSubdevice selects the port of a device that the next open by this thread returns.
func preferSubdevice(ctl *os.File, sub int) error {
	n := int32(sub)
	return ioctl(ctl, ctlPreferSub, &n)
}
