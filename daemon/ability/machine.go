package ability

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

const (
	reachPatience = 300 * time.Millisecond // for one port of this computer
	reachFor      = 3 * time.Second        // how long an answer counts
)

// machine checks what an ability needs of this computer.
type machine struct {
	*base
	reach reach
}

// missing names the first requirement of the ability that this machine does not meet.
func (s *machine) missing(a Ability) (reason, code string) {
	for _, c := range a.RequiredCommands {
		if _, err := s.o.Env.LookPath(c); err != nil {
			return fmt.Sprintf("the command %q is not installed here", c), "command_missing"
		}
	}
	for _, k := range a.RequiredAdapters {
		if s.o.Env.Adapter == nil {
			break
		}
		if ok, why := s.o.Env.Adapter(k); !ok {
			return strings.TrimSuffix(fmt.Sprintf("%s is not available here: %s", k, why), ": "), "adapter_missing"
		}
	}
	for _, x := range []struct {
		needs []string
		can   func(string) (why, code string)
	}{{a.RequiredConnectors, s.o.Env.Connector}, {a.RequiredProviders, s.o.Env.Provider}} {
		if x.can == nil {
			continue
		}
		for _, name := range x.needs {
			if why, code := x.can(name); why != "" {
				return why, code
			}
		}
	}
	for _, site := range a.RequiredSites {
		if !s.reach.answers(site, s.now().Time) {
			return "nothing answers at " + site + " on this computer", "site_unreachable"
		}
	}
	return "", ""
}

// reach checks whether something listens at a site of this computer: it opens and closes a connection and sends
// nothing. Other sites are not checked: a question about usability must not cause network traffic.
type reach struct {
	mu sync.Mutex
	of map[string]reached
}

type reached struct {
	ok bool
	at time.Time
}

// answers reports whether the site can be used, as far as that may be checked.
func (r *reach) answers(site string, now time.Time) bool {
	if !local(site) {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if x, ok := r.of[site]; ok && now.Sub(x.at) < reachFor && !now.Before(x.at) {
		return x.ok
	}
	ok := listens(site)
	r.of[site] = reached{ok, now}
	return ok
}

// local reports whether a site is a loopback one.
func local(site string) bool {
	host := site
	if h, _, err := net.SplitHostPort(site); err == nil {
		host = h
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func listens(site string) bool {
	host, port, err := net.SplitHostPort(site)
	ports := []string{port}
	if err != nil {
		host, ports = strings.Trim(site, "[]"), []string{"80", "443"}
	}
	ctx, cancel := context.WithTimeout(context.Background(), reachPatience)
	defer cancel()
	for _, p := range ports {
		if c, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(host, p)); err == nil {
			_ = c.Close()
			return true
		}
	}
	return false
}
