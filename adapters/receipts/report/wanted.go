package report

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Dir is the folder of the marks below the state root (paths.Roots.State). A mark is a small file named after an
// agent: it exists while somebody wants the agent's receipts.
func Dir(state string) string { return filepath.Join(state, "receipts") }

// Why an agent's receipts are wanted: the content of its mark.
const (
	ForSession = "session\n" // a session captures; the mark goes with it
	ForJournal = "journal\n" // the person lets its runs be kept; the mark outlives the daemon, so that the hook can start it
)

// Wanted reports whether anybody wants an agent's receipts. It costs one stat.
func Wanted(dir, agent string) bool {
	_, err := os.Lstat(filepath.Join(dir, agent))
	return err == nil
}

// AnyWanted reports whether anybody wants receipts of any agent, or of wrapped commands.
func AnyWanted(dir string) bool {
	marks, _ := os.ReadDir(dir)
	for _, m := range marks {
		if m.Name() == wrapMark || !strings.HasPrefix(m.Name(), ".") {
			return true
		}
	}
	return false
}

// MayStart reports whether the hook may start the daemon for an agent: the person consented to keeping its runs, and
// there was no attempt within the last minute. It records the attempt.
func MayStart(dir, agent string, now time.Time) bool {
	why, err := os.ReadFile(filepath.Join(dir, agent))
	if err != nil || string(why) != ForJournal {
		return false
	}
	tried := filepath.Join(dir, ".started")
	if fi, err := os.Stat(tried); err == nil && now.Sub(fi.ModTime()) < time.Minute && fi.ModTime().Before(now.Add(time.Minute)) {
		return false
	}
	return os.WriteFile(tried, nil, 0o600) == nil
}

const (
	wrapMark   = ".wrap" // no agent's name begins with a dot
	missPrefix = ".missed-"
	maxMisses  = 1_000_000
)

// Miss counts a receipt that could not be delivered, without saying what it was: the file's size is the count.
func Miss(dir, agent string) {
	f, err := os.OpenFile(filepath.Join(dir, missPrefix+agent), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	if fi, err := f.Stat(); err == nil && fi.Size() < maxMisses {
		f.Write([]byte{'.'})
	}
}

// Missed returns how many of an agent's receipts could not be delivered since Forget.
func Missed(dir, agent string) int64 {
	fi, err := os.Stat(filepath.Join(dir, missPrefix+agent))
	if err != nil {
		return 0
	}
	return fi.Size()
}

// Forget resets the count of an agent's missed receipts.
func Forget(dir, agent string) error {
	err := os.Remove(filepath.Join(dir, missPrefix+agent))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Mark sets exactly these marks: agents with the reason why their receipts are wanted; wrap for commands that a
// person wraps.
func Mark(dir string, agents map[string]string, wrap bool) error {
	want := map[string]string{}
	for a, why := range agents {
		want[a] = why
	}
	if wrap {
		want[wrapMark] = ForSession
	}
	if len(want) > 0 {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	there, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var errs []error
	for _, m := range there {
		if _, keep := want[m.Name()]; keep || m.Name() != wrapMark && strings.HasPrefix(m.Name(), ".") {
			continue
		}
		errs = append(errs, os.Remove(filepath.Join(dir, m.Name())))
	}
	for name, why := range want {
		path := filepath.Join(dir, name)
		if old, err := os.ReadFile(path); err == nil && string(old) == why {
			continue
		}
		errs = append(errs, write(path, why))
	}
	return errors.Join(errs...)
}

// write replaces a mark atomically: a hook that reads it meanwhile sees the old one or the new one.
func write(path, why string) error {
	tmp := filepath.Join(filepath.Dir(path), ".new")
	err := os.WriteFile(tmp, []byte(why), 0o600)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp)
	}
	return err
}
