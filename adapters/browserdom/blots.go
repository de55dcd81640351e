package browserdom

import (
	"slices"
	"strconv"

	"showhow/adapters"
	"showhow/capture"
	"showhow/capture/secret"
)

// pageBlot is a keyed hash of a secret that stayed in its page (page/25-blots.js).
type pageBlot struct {
	Kind secret.Kind `json:"kind"`
	Size int         `json:"size"`
	Hash string      `json:"hash"`
}

// blots hands on what must be unreadable wherever else it turns up.
func (r *recorder) blots(told []pageBlot) {
	sink, ok := r.sink.(adapters.Blotter)
	if !ok {
		return
	}
	known := make([]capture.Blot, 0, len(told))
	for _, b := range told {
		hash, err := strconv.ParseUint(b.Hash, 16, 64)
		if err != nil {
			continue
		}
		if !slices.Contains(secret.Kinds, b.Kind) { // it goes into texts
			b.Kind = secret.Secret
		}
		known = append(known, capture.Blot{Hash: hash, Size: b.Size, Kind: b.Kind})
	}
	sink.Blot(known)
}
