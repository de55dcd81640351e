package mutate

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"showhow/browser/find"
)

//go:embed judges.mjs
var judgesScript string

// judges are the other players, in a separate process that drives the same tab.
type judges struct {
	cmd *exec.Cmd
	dir string
	in  io.WriteCloser
	out *bufio.Reader
}

type located struct {
	Playwright []Outcome `json:"playwright"`
	Replay     []Outcome `json:"replay"`
}

// startJudges starts the other players. A step that found nothing within patience is refused.
func startJudges(ctx context.Context, modules, ws string, patience time.Duration) (*judges, error) {
	if _, err := os.Stat(filepath.Join(modules, "@puppeteer", "replay")); err != nil {
		return nil, fmt.Errorf("@puppeteer/replay is not installed in %s (npm ci in build/judges): %w", modules, err)
	}
	node := filepath.Join(modules, ".bin", "node")
	if _, err := os.Stat(node); err != nil {
		node = "node"
	}
	dir, err := os.MkdirTemp("", "showhow-judges-")
	if err != nil {
		return nil, err
	}
	j := &judges{dir: dir}
	script := filepath.Join(dir, "judges.mjs")
	if err := os.WriteFile(script, []byte(judgesScript), 0o600); err != nil {
		j.close()
		return nil, err
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		j.close()
		return nil, err
	}
	j.cmd = exec.CommandContext(ctx, node, script, ws, strconv.FormatInt(patience.Milliseconds(), 10))
	j.cmd.Stderr = os.Stderr
	stdout, err := j.cmd.StdoutPipe()
	if err == nil {
		j.in, err = j.cmd.StdinPipe()
	}
	if err == nil {
		err = j.cmd.Start()
	}
	if err != nil {
		j.cmd = nil
		j.close()
		return nil, err
	}
	j.out = bufio.NewReader(stdout)
	return j, j.ask(map[string]any{"do": "hello"}, nil)
}

// ask sends a line and decodes the answer's line.
func (j *judges) ask(q, into any) error {
	b, err := json.Marshal(q)
	if err != nil {
		return err
	}
	if _, err := j.in.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("asking the other players: %w", err)
	}
	line, err := j.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the other players ended: %w", err)
	}
	var answer struct {
		Error string          `json:"error"`
		Value json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return err
	}
	if answer.Error != "" {
		return fmt.Errorf("the other players: %s", answer.Error)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, into)
}

// record makes them record how they would find the targets of the open page.
func (j *judges) record(at string, wants []find.Want) error {
	type named struct {
		Role string `json:"role"`
		Name string `json:"name"`
	}
	var targets []named
	for _, w := range wants {
		targets = append(targets, named{w.Target.Role, w.Target.Name})
	}
	return j.ask(map[string]any{"do": "record", "targets": targets, "at": at}, nil)
}

// locate makes them find all targets, and replay some.
func (j *judges) locate(at string, n int, replayed []int) (located, error) {
	var got located
	err := j.ask(map[string]any{"do": "locate", "n": n, "replay": replayed, "at": at}, &got)
	return got, err
}

func (j *judges) close() {
	if j.in != nil {
		_ = j.in.Close() // it ends at the end of its input
	}
	if j.cmd != nil {
		_ = j.cmd.Wait()
	}
	_ = os.RemoveAll(j.dir)
}
