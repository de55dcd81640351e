package midi

import (
	"fmt"
	"testing"
	"unsafe"
)

// The kernel expects structures of exactly these sizes (64 bits): the size is part of each request.
func TestStructures(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("sizes of a 64-bit kernel")
	}
	for name, sizes := range map[string][2]uintptr{
		"snd_seq_client_info": {unsafe.Sizeof(seqClient{}), 188}, "snd_seq_port_info": {unsafe.Sizeof(seqPort{}), 168},
		"snd_seq_client_pool": {unsafe.Sizeof(seqPool{}), 88}, "snd_seq_port_subscribe": {unsafe.Sizeof(seqSubscription{}), 80},
		"snd_rawmidi_info": {unsafe.Sizeof(rawInfo{}), 268},
	} {
		if sizes[0] != sizes[1] {
			t.Errorf("%s has %d bytes, want %d", name, sizes[0], sizes[1])
		}
	}
	if seqNextPort != 0xC0A85352 || seqSubscribe != 0x40505330 || ctlRawInfo != 0xC10C5541 {
		t.Errorf("requests %#x %#x %#x", seqNextPort, seqSubscribe, ctlRawInfo)
	}
}

func TestEncode(t *testing.T) {
	event := func(kind byte, data []byte, param uint32, value int32) *[eventSize]byte {
		var e [eventSize]byte
		e[0] = kind
		copy(e[16:], data)
		if kind >= evController && kind < evStart {
			order.PutUint32(e[20:], param)
			order.PutUint32(e[24:], uint32(value))
		}
		return &e
	}
	for _, tc := range []struct {
		e    *[eventSize]byte
		long []byte
		want string
	}{
		{event(evNoteOn, []byte{1, 60, 90}, 0, 0), nil, "91 3C 5A"}, {event(evNoteOff, []byte{1, 60, 0}, 0, 0), nil, "81 3C 00"},
		{event(evKeyPressure, []byte{0, 60, 5}, 0, 0), nil, "A0 3C 05"}, {event(evController, []byte{2}, 7, 100), nil, "B2 07 64"},
		{event(evProgram, nil, 0, 9), nil, "C0 09"}, {event(evPressure, nil, 0, 9), nil, "D0 09"},
		{event(evBend, nil, 0, -8192), nil, "E0 00 00"}, {event(evBend, nil, 0, 8191), nil, "E0 7F 7F"},
		{event(evBend, nil, 0, 0), nil, "E0 00 40"},
		{event(evController14, nil, 7, 385), nil, "B0 07 03 27 01"}, {event(evController14, nil, 64, 127), nil, "B0 40 7F"},
		{event(evPrivate, nil, 136, 8320), nil, "B0 63 01 62 08 06 41 26 00"},
		{event(evRegistered, nil, 1, 64), nil, "B0 65 00 64 01 06 00 26 40"},
		{event(evStart, nil, 0, 0), nil, "FA"}, {event(evContinue, nil, 0, 0), nil, "FB"}, {event(evStop, nil, 0, 0), nil, "FC"},
		{event(evExclusive, nil, 0, 0), []byte{0xF0, 0x7F, 1, 6, 2, 0xF7}, "F0 7F 01 06 02 F7"}, {event(36, nil, 0, 0), nil, ""},
		{event(42, nil, 0, 0), nil, ""},
	} {
		if got := fmt.Sprintf("% X", encode(nil, tc.e, tc.long)); got != tc.want {
			t.Errorf("event %d: %s, want %s", tc.e[0], got, tc.want)
		}
	}
}
