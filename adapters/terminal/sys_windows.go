package terminal

import (
	"io/fs"
	"os"

	"showhow/internal/fault"
)

func absentHere() error {
	return fault.New(fault.UnsupportedInBuild, "shell capture is not available on this operating system")
}

// SetNonblock is for the shell hook, which does not exist here.
func SetNonblock(int) error { return absentHere() }

func ownedByUs(fs.FileInfo) bool { return true }

func makePipe(string) (os.FileInfo, error) { return nil, absentHere() }

func openPipe(string, os.FileInfo) (*os.File, error) { return nil, absentHere() }

func readNow(uintptr, []byte) (int, error) { return 0, absentHere() }

func alive(int) bool { return false }

func resized(int) {}

func usable(string) bool { return false }
