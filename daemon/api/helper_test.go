//go:build unix

package api

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"showhow/internal/await"
)

// helper is what this test binary does as somebody else's child: API_TEST_HELPER says what.
//
//	call       one request (API_METHOD, API_PATH, API_BODY, API_HEADERS) over API_SOCKET, or to API_TCP; prints "STATUS BODY"
//	spawn      runs call in a child whose environment holds nothing but what call needs
//	orphan     runs call in a background child of the same session, after this process has ended
func helper() int {
	switch os.Getenv("API_TEST_HELPER") {
	case "call":
		if parent := os.Getenv("API_ORPHAN"); parent != "" && !await.Within(time.Minute, func() bool { return os.Getppid() != atoi(parent) }) {
			fmt.Print("the parent does not end")
			return 1
		}
		fmt.Print(call())
	case "spawn":
		c := exec.Command("/proc/self/exe")
		c.Env = callEnv()
		out, err := c.Output()
		if err != nil {
			fmt.Print(err)
		}
		fmt.Print(string(out))
	case "orphan":
		c := exec.Command("/proc/self/exe")
		c.Env, c.Stdout = append(callEnv(), fmt.Sprintf("API_ORPHAN=%d", os.Getpid())), os.Stdout
		if os.Getenv("API_SETSID") != "" {
			c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		}
		if err := c.Start(); err != nil {
			fmt.Print(err)
		}
	}
	return 0
}

func atoi(s string) (n int) { fmt.Sscan(s, &n); return n }

func callEnv() []string {
	env := []string{"API_TEST_HELPER=call"}
	for _, k := range []string{"API_SOCKET", "API_METHOD", "API_PATH", "API_BODY", "API_HEADERS"} {
		env = append(env, k+"="+os.Getenv(k))
	}
	return env
}

func call() string {
	c := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		if a := os.Getenv("API_TCP"); a != "" {
			return net.Dial("tcp4", a)
		}
		return net.Dial("unix", os.Getenv("API_SOCKET"))
	}}}
	host := "socket"
	if a := os.Getenv("API_TCP"); a != "" {
		host = a
	}
	req, err := http.NewRequest(os.Getenv("API_METHOD"), "http://"+host+os.Getenv("API_PATH"), strings.NewReader(os.Getenv("API_BODY")))
	if err != nil {
		return err.Error()
	}
	for h := range strings.SplitSeq(os.Getenv("API_HEADERS"), "\n") {
		if k, v, ok := strings.Cut(h, ": "); ok {
			req.Header.Add(k, v)
		}
	}
	res, err := c.Do(req)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	return fmt.Sprintf("%d %s", res.StatusCode, b)
}
