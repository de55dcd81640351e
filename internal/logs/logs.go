// Package logs writes the daemon's log: JSON lines in rotated files, five of five megabytes, readable by the owner
// only.
//
// It contains constant messages, ids, codes, counts, durations. It never contains captured values, typed text, URLs
// with queries, paths of a person. A recovered panic is logged by its place in the code, not by its value, which may
// contain data.
package logs

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"gopkg.in/natefinch/lumberjack.v2"
)

// File is the current log in dir.
func File(dir string) string { return filepath.Join(dir, "daemon.log") }

// Open returns a logger that writes to dir and the closer of its file.
func Open(dir string, level slog.Level) (*slog.Logger, io.Closer, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, err
	}
	w := &lumberjack.Logger{Filename: File(dir), MaxSize: 5, MaxBackups: 4}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level})), w, nil
}

// Panic logs a recovered panic: its type and where it happened, never its value.
func Panic(l *slog.Logger, where string, recovered any) {
	l.Error("recovered from a panic", "where", where, "type", fmt.Sprintf("%T", recovered), "stack", stack())
}

// stack names the functions and lines of this project that were running.
func stack() []string {
	pc := make([]uintptr, 40)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)])
	var out []string
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "showhow/") {
			out = append(out, fmt.Sprintf("%s:%d", f.Function, f.Line))
		}
		if !more || len(out) == 20 {
			return out
		}
	}
}
