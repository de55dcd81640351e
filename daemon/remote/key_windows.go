package remote

import "io/fs"

// ownFile leaves it to the folder's access list, which modes do not show here.
func ownFile(fs.FileInfo) bool { return true }
