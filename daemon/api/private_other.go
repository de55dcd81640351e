//go:build !unix

package api

import "os"

// private: mode bits mean nothing here; the folder inherits the access list of the user's profile.
func private(dir string) bool {
	st, err := os.Lstat(dir)
	return err == nil && st.IsDir()
}
