package link_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"showhow/daemon/connector"
	"showhow/daemon/connector/link"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// mortal is a server that notes each call in $1/calls. It ends when there is $1/die, and
// in other ways when a call tells it to. Each of its lives may belong to another user.
const mortal = `
umask 0
( while [ ! -e "$1/die" ]; do sleep 0.02; done; rm "$1/die"; kill $$ ) &
while read -r line; do
	id=${line#*\"id\":}; id=${id%%,*}
	case "$line" in
	*'"initialize"'*) echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},` +
	`\"serverInfo\":{\"name\":\"mortal\",\"version\":\"1\"}}}" ;;
	*'"tools/list"'*) echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"tools\":[{\"name\":\"get_a\",` +
	`\"inputSchema\":{\"type\":\"object\"}}]}}" ;;
	*'"tools/call"'*)
		echo call >>"$1/calls"
		case "$line" in
		*exit*) exit ;;
		*garbage*) echo 'no message' ;;
		*endless*) printf '{"a":"'; while :; do printf '%065536d' 0; done ;;
		esac
		echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"content\":[]}}" ;;
	*'"notifications/'*) ;;
	*) echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32601,\"message\":\"unknown\"}}" ;;
	esac
done
`

// A program that has ended, or has said what is no message, is started again for the next call, which does not notice. A call that it got
// is not made again.
func TestAProgramThatEnds(t *testing.T) {
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	for _, how := range []string{"die", "exit", "garbage", "endless"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			dir, err := os.MkdirTemp("", "mortal")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
			if err := os.Chmod(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			l := link.New(link.Spec{Entry: connector.Entry{ServerID: "mortal", Transport: "local_bridge", LocalBridge: &wire.MCPLocalBridge{
				Command: []string{"sh", "-c", mortal, "mortal", dir}, Folders: []string{dir}}}})
			t.Cleanup(l.Close)
			d := first(t, l)
			call := func(args string) error {
				_, err := l.Call(t.Context(), link.Call{Tool: d.Name, Hash: d.Hash, Args: json.RawMessage(args)})
				return err
			}
			want := 1
			if how == "die" {
				if err := os.WriteFile(filepath.Join(dir, "die"), nil, 0o666); err != nil {
					t.Fatal(err)
				}
			} else {
				want++
				err := call(`{"how":"` + how + `"}`)
				if !fault.Is(err, fault.ConnectorUnreachable) || (fault.From(err).Details["reason"] == link.TooLarge) != (how == "endless") {
					t.Error(err)
				}
			}
			if !await.Within(20*time.Second, func() bool { return !l.Connected() }) {
				t.Fatal("the conversation is not dropped")
			}
			if err := call(`{}`); err != nil {
				t.Error(err)
			}
			if b, err := os.ReadFile(filepath.Join(dir, "calls")); err != nil || strings.Count(string(b), "call") != want {
				t.Errorf("%q %v, want %d", b, err, want)
			}
		})
	}
}

// A service that has forgotten the session gets the call again, because it has done nothing. One that answers with the code by which the
// SDK tells that a conversation has ended got it, and does not.
func TestACallIsSentOnce(t *testing.T) {
	for name, x := range map[string]struct {
		answer func(w http.ResponseWriter, id json.RawMessage, n int64)
		calls  int64
		ok     bool
	}{
		"forgotten": {func(w http.ResponseWriter, id json.RawMessage, n int64) {
			if n == 1 {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, id)
		}, 2, true},
		"the SDK's code": {func(w http.ResponseWriter, id json.RawMessage, _ int64) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32004,"message":"x"}}`, id)
		}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			var calls atomic.Int64
			ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var q struct {
					ID     json.RawMessage `json:"id"`
					Method string          `json:"method"`
				}
				if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&q) != nil {
					w.WriteHeader(http.StatusMethodNotAllowed)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				switch {
				case len(q.ID) == 0:
					w.WriteHeader(http.StatusAccepted)
				case q.Method == "tools/call":
					x.answer(w, q.ID, calls.Add(1))
				case q.Method == "initialize":
					w.Header().Set("Mcp-Session-Id", "one")
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, q.ID, hello)
				case q.Method == "tools/list":
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"get_a","inputSchema":{"type":"object"}}]}}`, q.ID)
				default:
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`, q.ID)
				}
			}))
			t.Cleanup(ts.Close)
			l := open(t, ts.URL, nil)
			d := first(t, l)
			_, err := l.Call(t.Context(), link.Call{Tool: d.Name, Hash: d.Hash})
			if (err == nil) != x.ok || calls.Load() != x.calls {
				t.Errorf("%v, %d calls", err, calls.Load())
			}
		})
	}
}
