package browser

import (
	"bytes"
	"os"
	"strconv"
)

// groupLives reports whether any process of a group still runs. Zombies do not count: they hold
// nothing open, and how soon init reaps them is up to init.
func groupLives(group int) bool {
	all, err := os.ReadDir("/proc")
	if err != nil {
		return false
	}
	for _, e := range all {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // it has gone meanwhile
		}
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name before may hold anything
		if len(f) > 2 && string(f[2]) == strconv.Itoa(group) && string(f[0]) != "Z" && string(f[0]) != "X" {
			return true
		}
	}
	return false
}
