// Package keeping has the commands for notes, tasks, captured items, documents, and mail and calendars of Outlook. Only package
// cli imports it.
// imports it.
package keeping

import (
	"github.com/spf13/cobra"

	"showhow/cli/kit"
)

// env adds this package's commands to the shared environment.
type env struct{ *kit.Env }

// NotesCommand makes the command.
func NotesCommand(e *kit.Env) *cobra.Command { return notesCommand(&env{e}) }

// OutlookCommand makes the command.
func OutlookCommand(e *kit.Env) *cobra.Command { return outlookCommand(&env{e}) }

// PDFCommand makes the command.
func PDFCommand(e *kit.Env) *cobra.Command { return pdfCommand(&env{e}) }

// TaskCommand makes the command.
func TaskCommand(e *kit.Env) *cobra.Command { return taskCommand(&env{e}) }

// WordCommand makes the command.
func WordCommand(e *kit.Env) *cobra.Command { return wordCommand(&env{e}) }
