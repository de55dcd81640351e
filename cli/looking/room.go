// Package looking has the commands that show the state: status, doctor, history, receipts, logs, and all of a
// person's data. Only package cli imports it.
package looking

import (
	"github.com/spf13/cobra"

	"showhow/cli/kit"
)

// env adds this package's commands to the shared environment.
type env struct{ *kit.Env }

// BrowserCommand makes the command.
func BrowserCommand(e *kit.Env) *cobra.Command { return browserCommand(&env{e}) }

// ConfigCommand makes the command.
func ConfigCommand(e *kit.Env) *cobra.Command { return configCommand(&env{e}) }

// DataCommands makes the command.
func DataCommands(e *kit.Env) []*cobra.Command { return dataCommands(&env{e}) }

// DoctorCommand makes the command.
func DoctorCommand(e *kit.Env) *cobra.Command { return doctorCommand(&env{e}) }

// EventsCommand makes the command.
func EventsCommand(e *kit.Env) *cobra.Command { return eventsCommand(&env{e}) }

// HistoryCommand makes the command.
func HistoryCommand(e *kit.Env) *cobra.Command { return historyCommand(&env{e}) }

// InboxCommand makes the command.
func InboxCommand(e *kit.Env) *cobra.Command { return inboxCommand(&env{e}) }

// LogsCommand makes the command.
func LogsCommand(e *kit.Env) *cobra.Command { return logsCommand(&env{e}) }

// OpenCommand makes the command.
func OpenCommand(e *kit.Env) *cobra.Command { return openCommand(&env{e}) }

// ReceiptsCommand makes the command.
func ReceiptsCommand(e *kit.Env) *cobra.Command { return receiptsCommand(&env{e}) }

// ShellInit makes the command.
func ShellInit(e *kit.Env) *cobra.Command { return shellInit(&env{e}) }

// StatusCommand makes the command.
func StatusCommand(e *kit.Env) *cobra.Command { return statusCommand(&env{e}) }

// SupportCommand makes the command.
func SupportCommand(e *kit.Env) *cobra.Command { return supportCommand(&env{e}) }

// TargetsCommand makes the command.
func TargetsCommand(e *kit.Env) *cobra.Command { return targetsCommand(&env{e}) }

// VersionCommand makes the command.
func VersionCommand(e *kit.Env) *cobra.Command { return versionCommand(&env{e}) }
