#!/usr/bin/env bash
# Installs what the test of the generators needs: packages of Debian, and those of package.json in this folder and in
# `next`. Does nothing when all of it is there.
set -euo pipefail
cd "$(dirname "$0")"

missing=()
for name in mkdocs mkdocs-material hugo jekyll ruby-jekyll-redirect-from python3-sphinx python3-myst-parser \
  nginx-light caddy; do
  dpkg-query -s "$name" >/dev/null 2>&1 || missing+=("$name")
done
if [ "${#missing[@]}" -gt 0 ]; then
  if [ "$(id -u)" -ne 0 ]; then
    echo "The generators of Debian are missing. As root: apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  apt-get update -q || true
  apt-get install -yq --no-install-recommends "${missing[@]}"
fi

# `npm ci` refuses the lock of `next`: one of its packages is not published for all platforms.
for folder in . next; do
  installed=$folder/node_modules/.installed.json
  if ! cmp -s "$folder/package-lock.json" "$installed"; then
    [ "$folder" = . ] && command=ci || command='install --no-save'
    npm $command --prefix "$folder" --no-audit --no-fund --loglevel=error
    cp "$folder/package-lock.json" "$installed"
  fi
done
