//go:build !linux

package browser

func memoryRoots() []string { return nil }

func roomy(string) bool { return false }
