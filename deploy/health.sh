#!/bin/sh
# The health check of a container. Docker marks a container whose check fails as unhealthy, but does not restart it. This check
# therefore ends all programs of the container after a minute of failures, once it has succeeded before; Docker then restarts
# it (`init: true` and `restart: unless-stopped` in docker-compose.yml).
# usage: health.sh URL | health.sh COMMAND...
set -u

limit=${HEALTH_FAILURE_SECONDS:-60}
state=/tmp/health

# Alpine's images have wget, Debian's have bash.
get() {
  if command -v wget >/dev/null; then
    wget -q -T 4 -O /dev/null "$1"
  else
    address=${1#http://}
    timeout 4 bash -c '
      exec 3<>"/dev/tcp/${1%%:*}/${2%%/*}" && printf "GET /%s HTTP/1.0\r\nHost: localhost\r\n\r\n" "${2#*/}" >&3 &&
      read -r _ status _ <&3 && [ "$status" = 200 ]' get "$address" "${address#*:}"
  fi
}

case $1 in
http://*) check="get" ;;
*) check="" ;;
esac

now=$(date +%s)
if $check "$@"; then
  echo "$now" >"$state"
  exit 0
fi
# A process that the container engine started has no parent in the container.
if [ "$PPID" = 0 ] && [ -s "$state" ] && [ $((now - $(cat "$state"))) -ge "$limit" ]; then
  echo "no answer for $limit seconds: the container restarts" >&2
  rm -f "$state"
  # To all processes of this container except the first, which ends when its child does.
  kill -9 -1
fi
exit 1
