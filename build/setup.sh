#!/bin/sh
# Installs what Showhow needs on Debian or Ubuntu, after listing it and asking once. On other systems it prints the list.
#   build/setup.sh run     what the product and its demo need: a Chromium, bubblewrap
#   build/setup.sh window  also for building the window: GTK 3, WebKitGTK
#   build/setup.sh test    also shells, compilers (race detector, MIDI), a JACK server, the validators from npm
# Does not ask as root or with CI=1. Returns quickly if everything is installed.
set -eu
cd "$(dirname "$0")/.."
what=${1:-run}

have() { command -v "$1" >/dev/null 2>&1; }
browser() { have chromium || have chromium-browser || have google-chrome || [ -n "${SHOWHOW_BROWSER:-}" ]; }

packages=
need() { have "$1" || packages="$packages $2"; }
# window: GTK and the newest WebKitGTK that this release has.
window() {
	need pkg-config pkg-config
	pkg-config --exists gtk+-3.0 webkit2gtk-4.1 2>/dev/null || pkg-config --exists gtk+-3.0 webkit2gtk-4.0 2>/dev/null ||
		packages="$packages libgtk-3-dev libwebkit2gtk-4.1-dev"
}

browser || packages="$packages chromium"
need bash bash
[ "$(uname -s)" != Linux ] || need bwrap bubblewrap
if [ "$what" = test ]; then
	need gcc gcc
	have gcc && [ ! -e /usr/include/stdlib.h ] && packages="$packages libc6-dev"
	[ "${packages#* gcc}" != "$packages" ] && packages="$packages libc6-dev"
	# Tests of pages need half the CPU time in Chromium's headless shell, where the release has one.
	if ! have chromium-headless-shell && apt-cache show chromium-headless-shell >/dev/null 2>&1; then
		packages="$packages chromium-headless-shell"
	fi
	need zsh zsh
	need fish fish
	need setsid util-linux
	need ps procps
	need tmux tmux
	need rsync rsync
	need vim vim
	need ed ed
	need jq jq
	need curl curl
	need Xvfb xvfb
	need openbox openbox
	# dbus-x11 stands for a session bus without systemd
	have gnome-keyring-daemon || packages="$packages gnome-keyring dbus-x11"
	need xmessage x11-utils
	need docker-registry docker-registry
	need pdftotext poppler-utils
	need qpdf qpdf
	need tesseract tesseract-ocr
	need jackd jackd2
	need g++ g++
	[ -e /usr/include/jack/jack.h ] || packages="$packages libjack-jackd2-dev"
	[ -e /usr/include/alsa/asoundlib.h ] || packages="$packages libasound2-dev"
	python3 -m pip --version >/dev/null 2>&1 || packages="$packages python3-pip"
	need dbus-daemon dbus-daemon
	if [ "$(uname -s)" = Linux ]; then # the window, and what it is tested with
		need xdotool xdotool
		[ -e /usr/libexec/at-spi-bus-launcher ] || packages="$packages at-spi2-core"
		window
	fi
fi

[ "$what" = window ] && window

if [ -n "$packages" ]; then
	if ! have apt-get; then
		echo "Showhow needs:$packages" >&2
		echo "Install them with your system's package manager and run this again." >&2
		exit 1
	fi
	sudo=
	if [ "$(id -u)" != 0 ]; then
		sudo=sudo
		if [ "${CI:-}" != 1 ] && [ "${CI:-}" != true ]; then
			printf 'Showhow needs these Debian packages:%s\nInstall them with sudo apt-get? [y/N] ' "$packages"
			read -r answer </dev/tty || answer=n
			case $answer in [yY]*) ;; *) echo "Nothing was installed." >&2; exit 1 ;; esac
		fi
	fi
	echo "Installing:$packages"
	faster=
	case ${CI:-} in 1 | true) faster='-o Dpkg::Options::=--force-unsafe-io' ;; esac # no power cut outlives such a machine
	install() {
		$sudo apt-get update -qq &&
			$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $faster --no-install-recommends $packages >/dev/null
	}
	install || { echo "apt failed once; trying again" >&2; sleep 5; install; }
fi

if [ "$what" = test ] && have npm; then
	stamp=build/judges/node_modules/.stamp
	if ! cmp -s build/judges/package-lock.json "$stamp"; then
		echo "Installing the validators from npm"
		(cd build/judges && npm ci --no-fund --no-audit --loglevel=error)
		cp build/judges/package-lock.json "$stamp"
	fi
fi
