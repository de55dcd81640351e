#!/bin/sh
# Installs, starts, upgrades, removes and purges the Debian package on this Debian, in a view of it that is thrown away: an
# overlay over / in a mount and process namespace of its own. Needs root, a kernel with overlayfs, and bin from `make build`.
# Not part of `make test`: two packages are built and dpkg takes its time.
#   packaging/test-deb.sh
set -eu
cd "$(dirname "$0")/.."
here=$(pwd)

case ${1:-} in
"") # outside
	[ "$(id -u)" = 0 ] || { echo "test-deb needs root, for a view of the system that is its own" >&2; exit 1; }
	work=$(mktemp -d)
	trap 'rmdir "$work"' EXIT
	unshare --mount --pid --fork --propagation private sh "$here/packaging/test-deb.sh" inside "$work"
	exit
	;;
inside)
	mount -t tmpfs -o mode=755 tmpfs "$2"
	cd "$2"
	mkdir upper work root debs
	for version in 0.9.1 0.9.2; do
		mv "$here/$("$here/packaging/deb.sh" $version)" debs
	done
	mount -t overlay overlay -o "lowerdir=/,upperdir=upper,workdir=work" root
	mount -t proc proc root/proc
	mount --rbind /dev root/dev
	mount -t tmpfs tmpfs root/run
	mount -t tmpfs -o mode=1777 tmpfs root/tmp
	mkdir root/tmp/debs
	cp debs/* root/tmp/debs
	cp "$here/packaging/test-deb.sh" root/tmp/test-deb.sh
	exec chroot root sh /tmp/test-deb.sh chroot
	;;
esac

# In the view.
cd /
step() { echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
list() { find /usr /etc /opt /lib/systemd -not -path '*.pyc' \( -type f -o -type l \) | LC_ALL=C sort; }
as_user() { setpriv --reuid="$uid" --regid="$uid" --clear-groups env -i HOME="$home" XDG_RUNTIME_DIR="/run/user/$uid" PATH=/usr/bin:/bin LANG=C.UTF-8 DISPLAY="${DISPLAY:-}" "$@"; }
export DEBIAN_FRONTEND=noninteractive
uid=4242 home=/home/showhow-test
mkdir -p "$home" "/run/user/$uid"
chown "$uid:$uid" "$home" "/run/user/$uid"
chmod 700 "$home" "/run/user/$uid"
DISPLAY=
[ ! -e /usr/bin/showhow ] || fail "a showhow is installed on this machine"
list >/tmp/before

step install
dpkg -i /tmp/debs/showhow_0.9.1_*.deb >/dev/null
(cd / && md5sum --quiet -c /var/lib/dpkg/info/showhow.md5sums)
[ "$(stat -c %U:%a /usr/bin/showhow)" = root:755 ] || fail "owner or mode of the program"
if command -v desktop-file-validate >/dev/null; then desktop-file-validate /usr/share/applications/showhow.desktop; fi
if command -v appstreamcli >/dev/null && [ -e /usr/share/metainfo/io.showhow.showhow.metainfo.xml ]; then
	appstreamcli validate --no-net /usr/share/metainfo/io.showhow.showhow.metainfo.xml >/tmp/appstream || { cat /tmp/appstream; fail "the metainfo"; }
fi
for f in doc/showhow/copyright doc/showhow/changelog.gz man/man1/showhow.1.gz; do [ -s /usr/share/$f ] || fail "no $f"; done
zcat /usr/share/doc/showhow/changelog.gz | head -1 | grep -q '^showhow (0.9.1) ' || fail "the changelog is of another version"
if command -v systemd-analyze >/dev/null; then XDG_RUNTIME_DIR=/run/user/$uid systemd-analyze --user verify /usr/lib/systemd/user/showhow.service; fi
[ -z "$(pgrep -x showhow || true)" ] || fail "something runs that nobody started"

step start
as_user showhow daemon start >/dev/null
as_user showhow status --json | grep -q '"active_session"\|"pid"' || fail "no status"
as_user showhow app --json | grep -q '"window":"none"' || fail "without a display there must be an address"
if [ -x /usr/bin/showhow-desktop ] && command -v Xvfb >/dev/null; then
	Xvfb :94 -screen 0 1280x800x24 -nolisten tcp 2>/dev/null &
	DISPLAY=:94
	until [ -S /tmp/.X11-unix/X94 ]; do sleep 0.1; done
	as_user showhow app --json | grep -q '"window":"opened"' || fail "the window does not open"
	as_user showhow app --json | grep -q '"window":"raised"' || fail "a second start does not raise the window"
	echo "the window opens"
else
	echo "the window is not tried: there is none, or no Xvfb"
fi
old=$(pgrep -x showhow)

step upgrade
dpkg -i /tmp/debs/showhow_0.9.2_*.deb >/dev/null
[ "$(dpkg-query -W -f '${Version}' showhow)" = 0.9.2 ] || fail "version after the upgrade"
[ "$(pgrep -x showhow)" = "$old" ] || fail "an upgrade must not end a daemon: it may be watching"
as_user showhow status >/dev/null || fail "the new command does not understand the old daemon"
as_user showhow daemon restart >/dev/null
[ "$(pgrep -x showhow)" != "$old" ] || fail "no restart"

step remove
dpkg -r showhow >/dev/null
i=0
while pgrep -f '^/usr/bin/showhow' >/dev/null; do
	i=$((i + 1))
	[ $i -lt 300 ] || fail "programs run on after they were removed"
	sleep 0.1
done
[ -f "$home/.local/share/showhow/showhow.db" ] || fail "a person's data went with the package"

step purge
dpkg -P showhow >/dev/null 2>&1
# What dpkg and its triggers write themselves: caches of icons and menus, their own logs.
list >/tmp/after
diff /tmp/before /tmp/after | grep '^[<>]' | grep -v -e 'icon-theme.cache' -e 'mimeinfo.cache' && fail "the files above were left, or taken"
dpkg --audit | grep -q showhow && fail "dpkg complains"
echo "the package installs, starts, upgrades, removes and purges cleanly"
