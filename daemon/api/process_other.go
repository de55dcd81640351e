//go:build !linux && !darwin

package api

type noTable struct{}

func newProcessTable() processTable { return noTable{} }

func (noTable) process(int) (process, error) { return process{}, errNoProcess }
