// Package learning has the commands that show a task: learn and what stands below it, up to the end of the demonstration.
// Package cli alone imports it.
package learning

import (
	"github.com/spf13/cobra"

	"showhow/cli/kit"
)

// env is the command line's as this room's commands know it.
type env struct{ *kit.Env }

// LearnCommand makes the command.
func LearnCommand(e *kit.Env) *cobra.Command { return learnCommand(&env{e}) }

// MineCommand makes the command.
func MineCommand(e *kit.Env) *cobra.Command { return mineCommand(&env{e}) }
