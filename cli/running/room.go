// Package running has the commands that start, set up and remove Showhow itself: daemon, demo, window, tray,
// settings, uninstall. Only package cli imports it.
package running

import (
	"github.com/spf13/cobra"

	"showhow/cli/kit"
)

// env adds this package's commands to the shared environment.
type env struct{ *kit.Env }

// AppCommand makes the command.
func AppCommand(e *kit.Env) *cobra.Command { return appCommand(&env{e}) }

// DaemonCommand makes the command.
func DaemonCommand(e *kit.Env) *cobra.Command { return daemonCommand(&env{e}) }

// DemoCommand makes the command.
func DemoCommand(e *kit.Env) *cobra.Command { return demoCommand(&env{e}) }

// OverlayCommand makes the command.
func OverlayCommand(e *kit.Env) *cobra.Command { return overlayCommand(&env{e}) }

// SettingsCommand makes the command.
func SettingsCommand(e *kit.Env) *cobra.Command { return settingsCommand(&env{e}) }

// TrayCommand makes the command.
func TrayCommand(e *kit.Env) *cobra.Command { return trayCommand(&env{e}) }

// UninstallCommand makes the command.
func UninstallCommand(e *kit.Env) *cobra.Command { return uninstallCommand(&env{e}) }
