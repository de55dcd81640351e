package stage

import (
	"net"

	"showhow/daemon/rehearse/policy"
	"showhow/daemon/sandbox"
	"showhow/internal/fault"
)

// gate is the only way out for a rehearsal's browser: a proxy that admits only the run's hosts. Requests are judged
// one by one before they get here (player.Guard); the gate stops what is not a request, like sockets and
// preconnections. It listens on loopback, and leads a local program that finds it only to hosts that it could reach
// anyway.
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
