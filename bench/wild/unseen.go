package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"

	"showhow/bench/wild/cases"
)

// unseenFile names the libraries whose failures nobody looks into.
const unseenFile = "bench/wild/unseen.json"

// drawn is the content of that file.
type drawn struct {
	Seed      uint64   `json:"seed"`
	Libraries []string `json:"libraries"`
}

// unseen are the three libraries drawn at the first measurement, with the seed of this run if it is the first.
func unseen(seed uint64) ([]string, error) {
	b, err := os.ReadFile(unseenFile)
	if errors.Is(err, fs.ErrNotExist) {
		d := draw(seed)
		if b, err = json.MarshalIndent(d, "", "  "); err == nil {
			err = os.WriteFile(unseenFile, append(b, '\n'), 0o644)
		}
		return d.Libraries, err
	}
	if err != nil {
		return nil, err
	}
	var d drawn
	return d.Libraries, json.Unmarshal(b, &d)
}

// draw draws three of the libraries that come from npm.
func draw(seed uint64) drawn {
	var all []string
	for _, l := range cases.Libraries {
		if l.NPM {
			all = append(all, l.Name)
		}
	}
	r := rand.New(rand.NewPCG(seed, 0x756e7365656e)) // the second word only has to be fixed
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	out := all[:min(3, len(all))]
	slices.Sort(out)
	return drawn{Seed: seed, Libraries: out}
}
