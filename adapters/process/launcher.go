package process

import (
	"slices"
	"strings"

	"showhow/internal/plain"
)

// place is the kind of launcher that a program is: what a launcher starts is a launch of its own.
type place int

const (
	noPlace place = iota
	prompt        // an interactive shell
	desktop       // a panel, menu, file manager or session manager
)

// tree says whose programs these are, if not the person's. It applies to everything below, up to an interactive
// shell.
type tree int

const (
	persons tree = iota
	owns         // Showhow's
	agents       // started by an agent
)

var (
	shells = plain.Set("sh bash dash zsh fish ksh ksh93 mksh ash yash tcsh csh nu xonsh elvish pwsh powershell cmd")

	desktops = plain.Set(`systemd init launchd explorer finder dock launchpad spotlight alfred raycast
		gnome-shell gnome-panel gnome-session gnome-session-binary nautilus plasmashell krunner kwin_x11 kwin_wayland kdeinit5 dolphin
		xfce4-panel xfce4-session xfdesktop xfce4-appfinder thunar mate-panel caja cinnamon nemo lxpanel lxqt-panel lxqt-runner pcmanfm
		pcmanfm-qt budgie-panel cosmic-panel cosmic-launcher openbox fluxbox icewm i3 i3bar sway hyprland awesome bspwm dwm herbstluftwm
		qtile xmonad-x86_64-linux rofi dmenu wofi fuzzel bemenu tofi ulauncher albert synapse tint2 polybar waybar sxhkd xbindkeys
		dbus-daemon dbus-broker xdg-desktop-portal spacefm ranger mc tmux screen zellij`)

	agentNames = plain.Set("claude codex openclaw gemini opencode aider goose cursor-agent amp crush copilot")

	terminals = plain.Set(`xterm uxterm rxvt urxvt gnome-terminal gnome-terminal-server konsole xfce4-terminal mate-terminal lxterminal
		qterminal alacritty kitty foot wezterm wezterm-gui ghostty tilix terminator st terminology terminal iterm iterm2 ptyxis kgx
		x-terminal-emulator`)

	browserNames = plain.Set(`chromium chrome google-chrome firefox navigator edge msedge microsoft-edge safari brave opera vivaldi
		webkit epiphany librewolf browser`)
)

func has(m map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return m[n] })
}

// placeOf returns the kind of launcher a program is.
func placeOf(i *image, names []string) place {
	switch {
	case has(desktops, names):
		return desktop
	case has(shells, names) && i.tty != "" && interactive(i.argv):
		return prompt
	}
	return noPlace
}

// valued are options of shells that take the next argument.
var valued = plain.Set("--rcfile --init-file -o +o -O +O -C --init-command")

// interactive: a shell without a script or command argument reads commands from its terminal.
func interactive(argv []string) bool {
	if len(argv) == 0 {
		return false
	}
	for n := 1; n < len(argv); n++ {
		a := argv[n]
		switch {
		case valued[a]:
			n++
		case a == "--" || a == "-":
			return n == len(argv)-1
		case strings.HasPrefix(a, "--"):
			if a == "--command" || strings.HasPrefix(a, "--command=") {
				return false
			}
		case strings.HasPrefix(a, "-") || strings.HasPrefix(a, "+"):
			if strings.ContainsRune(a, 'c') && a[0] == '-' {
				return false
			}
		default:
			return false
		}
	}
	return true
}
