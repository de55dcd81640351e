package message

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Most is how long a message may be over HTTP.
const Most = mcp.DefaultMaxRequestBodyBytes

// TooLong refuses a message of more bytes than are read.
func TooLong(most int) *Refusal { return Invalid(fmt.Sprintf("a message has at most %d bytes", most)) }

// Pass lets a posted message through to next, or answers why it is none.
func (c *Conversation) Pass(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if r.Method != http.MethodPost {
		next.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, Most))
	if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
		answer(w, http.StatusRequestEntityTooLarge, TooLong(Most))
		return
	}
	if err != nil {
		answer(w, http.StatusBadRequest, Invalid("the message did not arrive"))
		return
	}
	if refused := c.Check(body); refused != nil {
		status := http.StatusBadRequest
		if refused.Code == jsonrpc.CodeMethodNotFound && r.Header.Get("MCP-Protocol-Version") >= SelfContained {
			status = http.StatusNotFound // as this revision wants it
		}
		answer(w, status, refused)
		return
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	next.ServeHTTP(w, r)
}

func answer(w http.ResponseWriter, status int, r *Refusal) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(r.Bytes(), '\n'))
}
