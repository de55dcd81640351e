package wire

// AdapterInfo is an adapter's declaration. `showhow doctor`, the docs and the UI print exactly this.
type AdapterInfo struct {
	Kind         AdapterKind   `json:"kind"`
	ID           string        `json:"adapter_id" maxLength:"80"`
	Title        string        `json:"title"`
	Sees         []string      `json:"sees"`         // in plain words
	NeverSees    []string      `json:"never_sees"`   //
	DataClasses  []string      `json:"data_classes"` // page_actions, typed_values, commands, ...
	Platforms    []string      `json:"platforms"`    // GOOS values
	Permissions  []string      `json:"permissions"`  // what the person must grant, in words
	Phase        string        `json:"phase" enum:"phase_1,phase_2,phase_3"`
	Alternatives []AdapterKind `json:"alternatives"` // what to use when it is not available
}

// AdapterHealthState is the state of an adapter.
type AdapterHealthState string

// AdapterHealth is an adapter's state and how to mend it.
type AdapterHealth struct {
	State  AdapterHealthState `json:"state" enum:"ready,degraded,unavailable"`
	Code   string             `json:"code,omitempty" maxLength:"120"` // stable: not_in_build, browser_missing, ...
	Reason string             `json:"reason,omitempty"`
	Fix    string             `json:"fix,omitempty"`
}
