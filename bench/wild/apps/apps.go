// Package apps runs real programs and judges by their own data.
package apps

import (
	"context"
	"fmt"
	"strings"

	"showhow/bench/corpus/person"
)

// Values are what one run is done with.
type Values map[string]string

// Workflow is one task.
type Workflow struct {
	Name, Goal string
	Values     func(n int) Values
	Demo       func(p *person.Person, v Values)
	Before     func(ctx context.Context, r Running, v Values) error // what has to be there already
	Done       func(ctx context.Context, r Running, v Values) (done, other bool, err error)
	Inputs     []string
	Grave      bool
}

// Running is a program that has been started.
type Running interface {
	URL() string
	Reset(ctx context.Context) error
	Close()
}

// App is one program.
type App struct {
	Name      string
	Start     func(ctx context.Context, dir string) (Running, error)
	Workflows []Workflow
}

// All are the programs.
func All() []App { return nil }

// Chosen are the programs of these names, or all.
func Chosen(names string) ([]App, error) {
	var out []App
	for _, a := range All() {
		if names == "all" || strings.Contains(","+names+",", ","+a.Name+",") {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no such application: %s", names)
	}
	return out, nil
}
