// Package learning has the commands for demonstrating a task: learn and its subcommands, up to the end of the
// demonstration. Only package cli imports it.
package learning

import (
	"github.com/spf13/cobra"

	"showhow/cli/kit"
)

// env adds this package's commands to the shared environment.
type env struct{ *kit.Env }

// LearnCommand makes the command.
func LearnCommand(e *kit.Env) *cobra.Command { return learnCommand(&env{e}) }

// MineCommand makes the command.
func MineCommand(e *kit.Env) *cobra.Command { return mineCommand(&env{e}) }
