package oci

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"showhow/capture/redact"
)

// isText reports whether a file is text of which all can be searched: UTF-8, or UTF-16 with its mark.
func isText(b []byte) bool {
	_, marked := utf16Order(b)
	return marked && len(b)%2 == 0 || utf8.Valid(b) && bytes.IndexByte(b, 0) < 0
}

// readings are the texts that a file may be. One with NUL bytes may be UTF-16 in either order, or something else with text
// in it, so it is read in all these ways.
func readings(b []byte) []string {
	if order, marked := utf16Order(b); marked {
		return []string{utf16Text(b[2:], order), redact.Clean(string(b))}
	}
	out := []string{redact.Clean(string(b))}
	if bytes.IndexByte(b, 0) >= 0 {
		out = append(out, utf16Text(b, binary.LittleEndian), utf16Text(b, binary.BigEndian))
	}
	return out
}

// utf16Order is the byte order that a mark at the beginning names.
func utf16Order(b []byte) (order binary.ByteOrder, marked bool) {
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		return binary.LittleEndian, true
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return binary.BigEndian, true
	}
	return nil, false
}

func utf16Text(b []byte, order binary.ByteOrder) string {
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, order.Uint16(b[i:]))
	}
	return redact.Clean(string(utf16.Decode(units)))
}
