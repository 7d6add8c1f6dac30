#!/bin/sh
# Replaces the instances of the console one after the other by instances with the present image and settings. A new instance is
# ready before an old one stops, so that no request waits. If a new instance does not become ready, the old ones continue.
# usage, in the folder of docker-compose.yml: sh deploy/rolling-update.sh
set -eu

old=$(docker compose ps --quiet app)
count=$(printf '%s' "$old" | grep -c '' || true)
for container in $old; do
  if ! docker compose up --detach --no-build --no-deps --no-recreate --wait --wait-timeout 600 --scale "app=$((count + 1))" app; then
    echo "A new instance did not become ready: see docker compose logs app. The other instances continue." >&2
    exit 1
  fi
  docker stop "$container" >/dev/null
  docker rm "$container" >/dev/null
done
# What else has changed, and the number of instances.
docker compose up --detach --no-build --wait
# A running Caddy has the file with which its container was created, so it is handed the present one. No request fails.
if ! docker compose exec -T --workdir /etc/caddy caddy caddy reload --adapter caddyfile --config - <deploy/Caddyfile; then
  echo "Caddy refuses deploy/Caddyfile and continues with its earlier settings." >&2
  exit 1
fi
