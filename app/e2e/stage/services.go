package main

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/app/e2e/calendar"
)

// services are two services that a person can connect: notes, open to anybody, and a calendar that requires a sign-in; and
// a registry of skills.
type services struct {
	notes, calendar string // addresses
	registry        string // HOST:PORT
	server          *mcp.Server
	more            sync.Once
}

func openServices() (*services, error) {
	s := &services{}
	s.server = mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	for name, about := range map[string]string{"list_notes": "Lists the titles of all notes.", "read_note": "Reads a note by its title.",
		"write_note": "Writes a note, over an older one of the same title.", "delete_note": "Deletes a note."} {
		s.add(s.server, name, about)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", serve(s.server))
	mux.Handle("/wordy", serve(s.wordy()))
	address, err := listen(mux)
	if err != nil {
		return nil, err
	}
	s.notes = address + "/mcp"
	if s.calendar, err = calendar.Serve(); err != nil {
		return nil, err
	}
	address, err = listen(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	s.registry = strings.TrimPrefix(address, "http://")
	return s, err
}

// wordy is a service of long names, as some languages have them; its address is /wordy beside the notes'.
func (s *services) wordy() *mcp.Server {
	w := mcp.NewServer(&mcp.Implementation{Name: "wordy", Version: "1"}, nil)
	for name, about := range map[string]string{
		"aufenthaltserlaubnisverlaengerungsantraege_auflisten": "Listet Aufenthaltserlaubnisverlängerungsanträge der Ausländerbehörde auf.",
		"grundstuecksverkehrsgenehmigung_erteilen":             strings.Repeat("Erteilt Grundstücksverkehrsgenehmigungen. ", 30),
	} {
		s.add(w, name, about)
	}
	return w
}

// change makes the notes offer one more tool from now on.
func (s *services) change() {
	s.more.Do(func() { s.add(s.server, "send_note", "Sends a note to somebody.") })
}

func (s *services) add(to *mcp.Server, name, about string) {
	to.AddTool(&mcp.Tool{Name: name, Description: about, InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}}, nil
		})
}

func serve(s *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
}

func listen(h http.Handler) (address string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	go srv.Serve(l)
	return "http://" + l.Addr().String(), nil
}
