#!/bin/sh
# Replaces the instances of the console one after the other by instances with the present image and settings. A new instance is
# ready before an old one stops, so that no request waits for it. If a new instance does not become ready, it is removed, and the old
# ones continue. At the end, other services whose image or settings have changed are recreated. If these are the database, the store
# or Caddy, requests fail or wait for that time.
# usage, in the folder of docker-compose.yml: sh deploy/rolling-update.sh
set -eu

# Longer than the start period of the image's health check, which gives migrations ten minutes.
timeout_seconds=660
# Docker restarts an instance that cannot start; after this many restarts, the update gives up.
restart_limit=3

# Without the containers of `docker compose run`, in which maintenance commands run.
instances() {
  for id in $(docker compose ps --all --quiet app); do
    oneoff=$(docker inspect --format '{{index .Config.Labels "com.docker.compose.oneoff"}}' "$id" 2>/dev/null) || continue
    [ "$oneoff" = True ] || echo "$id"
  done
}

becomes_healthy() {
  for _ in $(seq "$timeout_seconds"); do
    state=$(docker inspect --format '{{.State.Health.Status}} {{.RestartCount}}' "$1")
    case $state in healthy*) return 0 ;; unhealthy*) return 1 ;; esac
    [ "${state##* }" -lt "$restart_limit" ] || return 1
    sleep 1
  done
  return 1
}

old=$(instances)
count=$(printf '%s' "$old" | grep -c '' || true)
for container in $old; do
  before=$(instances)
  docker compose up --detach --no-build --no-deps --no-recreate --scale "app=$((count + 1))" app
  new=$(instances | grep -vxF "$before")
  if ! becomes_healthy "$new"; then
    docker logs --tail 20 "$new" >&2
    docker rm --force "$new" >/dev/null
    echo "The new instance did not become ready, for the reason above. It is removed, and the other instances continue." >&2
    exit 1
  fi
  docker stop "$container" >/dev/null
  docker rm "$container" >/dev/null
done
# Starts what else has changed, and sets the number of instances. The schedule of backups may have been started with --profile.
set --
[ -z "$(docker compose --profile backup ps --quiet backup)" ] || set -- --profile backup
docker compose "$@" up --detach --no-build --wait
# A running Caddy has the file with which its container was created, so it is handed the present one. If that is the same, Caddy does
# nothing. Otherwise, it closes idle connections: a client over HTTP/1.1 that uses one at this moment has to repeat its request.
if ! docker compose exec -T --workdir /etc/caddy caddy caddy reload --adapter caddyfile --config - <deploy/Caddyfile; then
  echo "Caddy refuses deploy/Caddyfile and continues with its earlier settings." >&2
  exit 1
fi
