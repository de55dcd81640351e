#!/bin/sh
# Draws the sizes of the icon anew from showhow.svg, which is also the pages' own (frontend/public/icon.svg). Needs
# rsvg-convert (Debian: librsvg2-bin).
set -eu
cd "$(dirname "$0")"
cp ../../frontend/public/icon.svg showhow.svg
for size in 16 24 32 48 64 128 256 512; do rsvg-convert -w $size -h $size showhow.svg -o showhow-$size.png; done
cp showhow-128.png ../../app/desktop/icon.png
