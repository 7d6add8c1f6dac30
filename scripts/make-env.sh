#!/bin/sh
# Creates the .env of a docker-compose deployment, with new secrets. Never overwrites an existing file.
# usage: sh scripts/make-env.sh DOMAIN [STORE_DOMAIN]
set -eu

domain=${1:?usage: sh scripts/make-env.sh slipway.example.com [store.slipway.example.com]}
store=${2:-store.$domain}
file=${ENV_FILE:-.env}

if [ -e "$file" ]; then
  echo "$file already exists. Without its secrets, the data of this deployment cannot be read: keep it, or move it away first." >&2
  exit 1
fi

# The key is 32 random bytes in base64. Passwords omit the characters that must be escaped in a URL.
key() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
word() { head -c 48 /dev/urandom | base64 | tr -d '\n/+=' | cut -c 1-40; }

umask 077
cat > "$file" <<END
# Created by scripts/make-env.sh. Keep a copy of MASTER_KEY in a safe place: without it, sealed secrets cannot be opened.
SLIPWAY_DOMAIN=$domain
STORE_DOMAIN=$store
MASTER_KEY=$(key)
POSTGRES_PASSWORD=$(word)
S3_ACCESS_KEY_ID=slipway
S3_SECRET_ACCESS_KEY=$(word)
METRICS_TOKEN=$(word)
END
echo "$file is written. Now: docker compose up --detach --build && docker compose logs --follow app"
