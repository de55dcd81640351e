//go:build !linux

package keys

import "runtime"

func keychainPresent() bool { return runtime.GOOS == "darwin" || runtime.GOOS == "windows" }
