#!/bin/sh
# Runs as root before the store and Caddy start: their volumes belong to the user that they run as, and Caddy gets a copy of the
# certificates in deploy/certificates that it may read. Earlier versions ran them as root.
set -eu

for folder in /objects /certificates; do
  # All files have the owner of their folder, so the folder is changed last.
  [ "$(stat -c %u "$folder")" = 1000 ] || { find "$folder" -mindepth 1 ! -user 1000 -exec chown -h 1000:1000 {} + && chown 1000:1000 "$folder"; }
done

find /own-certificates -mindepth 1 -delete
for file in /given-certificates/*; do
  case $file in
  */README.md | */\*) ;;
  *) install --owner=1000 --group=1000 --mode=0400 "$file" /own-certificates/ ;;
  esac
done
chown 1000:1000 /own-certificates
