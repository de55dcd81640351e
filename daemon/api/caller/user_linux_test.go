package caller

import (
	"net"
	"testing"
)

func TestTableAddress(t *testing.T) {
	if a := tableAddress(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}); a != "0100007F:1F90" {
		t.Error(a)
	}
}
