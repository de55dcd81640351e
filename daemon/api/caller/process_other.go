//go:build !linux && !darwin

package caller

type noTable struct{}

func newProcessTable() processTable { return noTable{} }

func (noTable) process(int) (process, error) { return process{}, errNoProcess }
