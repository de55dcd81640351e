// Package using has the commands for learned and imported things: abilities, skills, categories, imports. Only
// package cli imports it.
package using

import (
	"github.com/spf13/cobra"

	"showhow/cli/kit"
)

// env adds this package's commands to the shared environment.
type env struct{ *kit.Env }

// AbilityCommand makes the command.
func AbilityCommand(e *kit.Env) *cobra.Command { return abilityCommand(&env{e}) }

// CanaryCommand makes the command.
func CanaryCommand(e *kit.Env) *cobra.Command { return canaryCommand(&env{e}) }

// CategoryCommand makes the command.
func CategoryCommand(e *kit.Env) *cobra.Command { return categoryCommand(&env{e}) }

// CheckpointCommand makes the command.
func CheckpointCommand(e *kit.Env) *cobra.Command { return checkpointCommand(&env{e}) }

// ConnectorCommand makes the command.
func ConnectorCommand(e *kit.Env) *cobra.Command { return connectorCommand(&env{e}) }

// ProjectCommand makes the command.
func ProjectCommand(e *kit.Env) *cobra.Command { return projectCommand(&env{e}) }

// SkillCommand makes the command.
func SkillCommand(e *kit.Env) *cobra.Command { return skillCommand(&env{e}) }
