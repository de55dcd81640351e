#!/bin/sh
# Builds Showhow.app on a Mac. Never run: it follows the systems' documents and was not tried. Not signed, not notarised.
#   packaging/darwin/app.sh VERSION
set -eu
cd "$(dirname "$0")/../.."
version=${1:-0}
app=bin/Showhow.app/Contents
rm -rf bin/Showhow.app
mkdir -p "$app/MacOS" "$app/Resources"
CGO_ENABLED=1 go build -trimpath -tags desktop,production -ldflags "-s -w -X showhow/internal/version.Version=$version" -o "$app/MacOS/showhow-desktop" .
CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X showhow/internal/version.Version=$version" -o "$app/MacOS/showhow" .
CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$app/MacOS/showhow-hook" ./adapters/receipts/hook
sed "s/VERSION/$version/" packaging/darwin/Info.plist >"$app/Info.plist"
set=$(mktemp -d)/showhow.iconset
mkdir "$set"
for size in 16 32 128 256 512; do cp "packaging/icons/showhow-$size.png" "$set/icon_${size}x$size.png"; done
iconutil -c icns -o "$app/Resources/showhow.icns" "$set"
rm -rf "$(dirname "$set")"
