#!/bin/sh
# Makes bin/showhow_VERSION_ARCH.deb from what stands in bin, with Debian's own dpkg-deb. The same bin makes the same package,
# byte for byte.
#   packaging/deb.sh VERSION
set -eu
cd "$(dirname "$0")/.."
umask 022

# A Debian version begins with a digit and orders by its parts: v1.2.3-4-gabc is 1.2.3+4.gabc, after 1.2.3 and before 1.2.4.
version=$(printf %s "${1:-dev}" | sed -E 's/^v//; s/-dirty$/+dirty/; s/-([0-9]+)-g/+\1.g/; s/[^A-Za-z0-9.+~]/~/g')
case $version in [0-9]*.*) ;; *) version=0~$version ;; esac
arch=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH

maintainer="The Showhow authors <showhow@localhost>"
root=$(mktemp -d)
chmod 755 "$root"
trap 'rm -rf "$root"' EXIT
put() { install -D -m "$1" "$2" "$root/$3"; }
made() { "$@" >"$root/made"; } # put from there

put 755 bin/showhow usr/bin/showhow
put 755 bin/showhow-hook usr/bin/showhow-hook
window=
if [ -x bin/showhow-desktop ]; then
	put 755 bin/showhow-desktop usr/bin/showhow-desktop
	put 644 packaging/linux/showhow.desktop usr/share/applications/showhow.desktop
	made sed "s/@VERSION@/$version/; s/@DATE@/$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)/" packaging/linux/showhow.metainfo.xml
	put 644 "$root/made" usr/share/metainfo/io.showhow.showhow.metainfo.xml
	printf '.so man1/showhow.1\n' | gzip -9n >"$root/made"
	put 644 "$root/made" usr/share/man/man1/showhow-desktop.1.gz
	webkit=4.1
	! objdump -p bin/showhow-desktop 2>/dev/null | grep -q 'NEEDED.*libwebkit2gtk-4\.0' || webkit=4.0
	window="libgtk-3-0 | libgtk-3-0t64, libwebkit2gtk-$webkit-0, "
fi
put 644 packaging/linux/showhow.service usr/lib/systemd/user/showhow.service
for size in 16 24 32 48 64 128 256 512; do
	put 644 packaging/icons/showhow-$size.png usr/share/icons/hicolor/${size}x$size/apps/showhow.png
done
put 644 packaging/icons/showhow.svg usr/share/icons/hicolor/scalable/apps/showhow.svg
for doc in README.md docs/*.md; do put 644 "$doc" "usr/share/doc/showhow/$doc"; done
{
	printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Showhow\n\n'
	printf 'Files: *\nCopyright: The Showhow authors\nLicense: Apache-2.0\n'
	printf ' On Debian systems the whole text is in /usr/share/common-licenses/Apache-2.0.\n'
	printf 'Comment:\n The licences of the packages that it is made with are listed under About in the window.\n'
} >"$root/made"
put 644 "$root/made" usr/share/doc/showhow/copyright
printf 'showhow (%s) unstable; urgency=medium\n\n  * Built from the sources as they were then; git log tells what changed.\n\n -- %s  %s\n' \
	"$version" "$maintainer" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$root/made"
put 644 "$root/made" usr/share/doc/showhow/changelog.gz
made gzip -9nc packaging/linux/showhow.1
put 644 "$root/made" usr/share/man/man1/showhow.1.gz
made bin/showhow completion bash
put 644 "$root/made" usr/share/bash-completion/completions/showhow
made bin/showhow completion zsh
put 644 "$root/made" usr/share/zsh/vendor-completions/_showhow
made bin/showhow completion fish
put 644 "$root/made" usr/share/fish/vendor_completions.d/showhow.fish
rm "$root/made"

mkdir "$root/DEBIAN"
for script in preinst prerm postrm; do
	[ ! -e packaging/debian/$script ] || install -m 755 packaging/debian/$script "$root/DEBIAN/$script"
done
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<EOF
Package: showhow
Version: $version
Architecture: $arch
Maintainer: $maintainer
Section: utils
Priority: optional
Installed-Size: $(du -k -s "$root/usr" | cut -f1)
Recommends: ${window}bubblewrap, chromium | chromium-browser
Suggests: libsecret-1-0, poppler-utils, qpdf, tesseract-ocr
Description: show a task once, get a skill that any agent can use
 Showhow watches a task that you perform on your own computer, as far as you
 allow, understands what the steps were for, and drafts a portable skill. You
 review it, it is rehearsed, and only then is it installed for your agents.
 .
 This package holds the command line with its daemon, and the window. Nothing
 runs and nothing is watched until a person says so.
EOF
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
name=bin/showhow_${version}_$arch.deb
rm -f bin/showhow_*.deb
dpkg-deb --root-owner-group -Zzstd -z9 --build "$root" "$name" >/dev/null
echo "$name"
