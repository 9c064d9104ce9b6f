#!/usr/bin/env bash
# Installs what the test of the generators needs: packages of Debian, and those of package.json in this folder. Does
# nothing when all of it is there.
set -euo pipefail
cd "$(dirname "$0")"

missing=()
for name in mkdocs jekyll hugo; do
  command -v "$name" >/dev/null || missing+=("$name")
done
if [ "${#missing[@]}" -gt 0 ]; then
  if [ "$(id -u)" -ne 0 ]; then
    echo "The generators of Debian are missing. As root: apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  apt-get update -q || true
  apt-get install -yq --no-install-recommends "${missing[@]}"
fi

installed=node_modules/.installed.json
if ! cmp -s package-lock.json "$installed"; then
  npm ci --no-audit --no-fund --loglevel=error
  cp package-lock.json "$installed"
fi
