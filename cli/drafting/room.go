// Package drafting has the commands that decide on what was drafted: proposals, their questions, revisions, validation, rehearsal.
// Packages cli and cli/learning import it.
package drafting

import (
	"github.com/spf13/cobra"

	"showhow/cli/kit"
)

// env adds this package's commands to the shared environment.
type env struct{ *kit.Env }

// DraftCommands makes the command.
func DraftCommands(e *kit.Env) []*cobra.Command { return draftCommands(&env{e}) }

// ImportCommand makes the command.
func ImportCommand(e *kit.Env) *cobra.Command { return importCommand(&env{e}) }

// ProposalCommand makes the command.
func ProposalCommand(e *kit.Env) *cobra.Command { return proposalCommand(&env{e}) }
