#!/bin/bash
# Runs the tests of adapters/midi on a kernel with a virtual MIDI card, in QEMU: most build machines have no sound.
# Debian or Ubuntu on amd64; downloads a kernel (70 MB) and keeps it in the folder given, or in a temporary one.
#   build/midi-kernel.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${1:-$(mktemp -d)}
[ $# -gt 0 ] || trap 'rm -rf "$dir"' EXIT
for need in qemu-system-x86_64:qemu-system-x86 cpio:cpio busybox:busybox-static dpkg-deb:dpkg; do
	command -v "${need%%:*}" >/dev/null || { echo "needs the Debian package ${need#*:}" >&2; exit 1; }
done
mkdir -p "$dir"
if ! compgen -G "$dir/kernel/boot/vmlinuz-*" >/dev/null; then
	package=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image/ {print $2; exit}')
	(cd "$dir" && apt-get download "$package" && dpkg-deb -x "$package"_*.deb kernel && rm -f "$package"_*.deb)
fi

root=$dir/root
rm -rf "$root"
mkdir -p "$root"/{bin,dev,proc,sys,tmp,modules}
cp "$(command -v busybox)" "$root/bin/busybox"
sound=$(echo "$dir"/kernel/lib/modules/*/kernel/sound)
modules="soundcore core/snd core/snd-timer core/snd-seq-device core/snd-rawmidi core/seq/snd-seq core/seq/snd-seq-midi-event
	core/seq/snd-seq-midi core/seq/snd-seq-virmidi drivers/snd-virmidi"
for m in $modules; do cp "$sound/$m.ko" "$root/modules/"; done
CGO_ENABLED=0 go test -c -o "$root/bin/midi.test" ./adapters/midi
cat >"$root/init" <<END
#!/bin/busybox sh
b=/bin/busybox
\$b mount -t proc proc /proc; \$b mount -t sysfs sys /sys; \$b mount -t devtmpfs dev /dev; \$b mount -t tmpfs tmp /tmp
for m in $(for m in $modules; do basename "$m"; done | tr '\n' ' '); do \$b insmod /modules/\$m.ko; done
cd /tmp; HOME=/tmp /bin/midi.test -test.timeout 5m -test.v && echo "ALL PASSED"
\$b poweroff -f
END
chmod +x "$root/init"
(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$dir/initrd.gz"
timeout 600 qemu-system-x86_64 -m 512 -nographic -no-reboot -kernel "$dir"/kernel/boot/vmlinuz-* -initrd "$dir/initrd.gz" \
	-append "console=ttyS0 quiet panic=-1" </dev/null | tr -d '\r' | tee "$dir/log" | grep -E '^(---|FAIL|PASS|ALL|panic)|_test.go' || true
grep -q '^ALL PASSED' "$dir/log"
