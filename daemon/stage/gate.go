package stage

import (
	"net"

	"showhow/daemon/rehearse/policy"
	"showhow/daemon/sandbox"
	"showhow/internal/fault"
)

// gate is the only way out for a rehearsal's browser: a proxy that lets through the run's hosts and nothing else. Requests are
// judged one by one before they come here (player.Guard); the gate holds what no request stands for, like sockets and connections
// that are opened ahead. It listens on loopback, and leads whoever finds it only where anybody on this machine can go anyhow.
type gate struct {
	address string
	proxy   *sandbox.Proxy
	served  chan struct{}
}

func openGate(hosts []string) (*gate, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the rehearsal's way to the network cannot be opened")
	}
	g := &gate{address: ln.Addr().String(), served: make(chan struct{}),
		proxy: sandbox.NewWebProxy(func(hostport string) bool { return policy.Allows(hosts, hostport) })}
	go func() {
		defer close(g.served)
		_ = g.proxy.Serve(ln) // ends with Close
	}()
	return g, nil
}

// Close ends every connection and waits.
func (g *gate) Close() {
	_ = g.proxy.Close()
	<-g.served
}
