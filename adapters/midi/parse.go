package midi

// message is a complete message: a status byte, with the channel if it has one, and its data.
type message struct {
	status byte
	a, b   byte
}

// Status bytes, without the channel.
const (
	noteOff         = 0x80
	noteOn          = 0x90
	keyPressure     = 0xA0
	controlChange   = 0xB0
	programChange   = 0xC0
	channelPressure = 0xD0
	pitchBend       = 0xE0
	exclusive       = 0xF0 // as a message: a machine control command, in a
	songPosition    = 0xF2
	exclusiveEnd    = 0xF7
	start           = 0xFA
	goOn            = 0xFB
	stop            = 0xFC
)

// parser parses a byte stream into messages. It handles running status, real-time bytes inside other messages,
// messages cut short by the next one, and system exclusive data of any length. (The library's reader takes a status
// byte in the middle of a message for data and panics on long exclusive data.)
type parser struct {
	status byte // of the message under way, and after it the running status; 0: data bytes mean nothing
	data   [2]byte
	n      int // data bytes so far

	exclusive bool
	head      [5]byte // how the exclusive data begins
	length    int
}

// feed takes one byte and reports whether it completed a relevant message.
func (p *parser) feed(b byte) (message, bool) {
	switch {
	case b >= 0xF8: // real time: it may stand anywhere and changes nothing
		return message{status: b}, b >= start && b <= stop
	case b >= 0x80:
		return p.begin(b)
	case p.exclusive:
		if p.length < len(p.head) {
			p.head[p.length] = b
		}
		p.length++
		return message{}, false
	case p.status == 0:
		return message{}, false
	}
	p.data[p.n] = b
	if p.n++; p.n < dataBytes(p.status) {
		return message{}, false
	}
	m := message{status: p.status, a: p.data[0]}
	if p.n == 2 {
		m.b = p.data[1]
	}
	p.n = 0
	return m, true
}

// begin handles a status byte. System common messages end the running status and say nothing about what a person
// does.
func (p *parser) begin(b byte) (m message, ok bool) {
	if b == exclusiveEnd && p.exclusive {
		m, ok = p.command()
	}
	p.exclusive, p.length, p.n, p.status = b == exclusive, 0, 0, 0
	if b < exclusive {
		p.status = b
	}
	return m, ok
}

// command decodes exclusive data as a machine control command: 7F device 06 command.
func (p *parser) command() (message, bool) {
	if p.length != 4 || p.head[0] != 0x7F || p.head[2] != 0x06 {
		return message{}, false
	}
	return message{status: exclusive, a: p.head[3]}, true
}

func dataBytes(status byte) int {
	switch status & 0xF0 {
	case programChange, channelPressure:
		return 1
	}
	return 2
}
