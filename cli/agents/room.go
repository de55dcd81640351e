// Package agents has the commands for and about agents: runs in the sandbox, practice, credentials, hooks, wrapped commands.
// Packages cli and cli/learning import it.
package agents

import (
	"github.com/spf13/cobra"

	"showhow/cli/kit"
)

// env adds this package's commands to the shared environment.
type env struct{ *kit.Env }

// AgentCommand makes the command.
func AgentCommand(e *kit.Env) *cobra.Command { return agentCommand(&env{e}) }

// CredentialCommand makes the command.
func CredentialCommand(e *kit.Env) *cobra.Command { return credentialCommand(&env{e}) }

// HookCommand makes the command.
func HookCommand(e *kit.Env) *cobra.Command { return hookCommand(&env{e}) }

// DoorCommand makes the command.
func DoorCommand(e *kit.Env) *cobra.Command { return doorCommand(&env{e}) }

// PracticeCommand makes the command.
func PracticeCommand(e *kit.Env) *cobra.Command { return practiceCommand(&env{e}) }

// PracticesCommand makes the command.
func PracticesCommand(e *kit.Env) *cobra.Command { return practicesCommand(&env{e}) }

// RunCommand makes the command.
func RunCommand(e *kit.Env) *cobra.Command { return runCommand(&env{e}) }

// WrapCommand makes the command.
func WrapCommand(e *kit.Env) *cobra.Command { return wrapCommand(&env{e}) }
