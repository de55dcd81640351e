package browser

import (
	"bytes"
	"os"
	"strconv"
)

// groupLives reports whether a process of a group still does anything. One that has ended and waits for somebody to ask how
// (a zombie) holds nothing open; how soon the machine's first process asks is its own affair.
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
