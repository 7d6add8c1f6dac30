#!/bin/sh
# Creates the settings of a docker-compose deployment, with new secrets. Never overwrites an existing file.
set -eu

usage() {
  cat >&2 <<END_OF_USAGE
usage: sh scripts/make-env.sh [--secret-files] DOMAIN [STORE_DOMAIN]
       sh scripts/make-env.sh --secret-files

  DOMAIN           the host name of the console, such as slipway.example.com
  STORE_DOMAIN     the host name of the store; by default, store.DOMAIN
  --secret-files   keeps the secrets in files of the folder secrets instead of .env, so that they are not part of the
                   environment of the containers. Without DOMAIN, moves the secrets of an existing .env there.
END_OF_USAGE
  exit 2
}

secret_files=
if [ "${1:-}" = --secret-files ]; then
  secret_files=1
  shift
fi
case ${1:-} in -*) usage ;; esac
[ $# -le 2 ] || usage
[ $# -ge 1 ] || [ -n "$secret_files" ] || usage

file=${ENV_FILE:-.env}
folder=$(dirname "$file")/secrets
names="MASTER_KEY POSTGRES_PASSWORD S3_SECRET_ACCESS_KEY METRICS_TOKEN SMTP_URL SETUP_ADMIN_PASSWORD"
umask 077

# A host name (RFC 1123) without scheme, port and path.
require_domain() {
  if ! printf '%s\n' "$1" | grep -Eqi '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' || [ ${#1} -gt 253 ]; then
    echo "$1 is not a host name such as slipway.example.com: leave out https://, port and path." >&2
    exit 2
  fi
}

# The folder is for its owner only. The containers, whose users are others, read the files in it.
write_secret() {
  mkdir -p "$folder"
  printf '%s' "$2" >"$folder/$1"
  chmod 444 "$folder/$1"
}

# Moves each secret of the file to a file of its own.
move_secrets() {
  rest=$(mktemp "$file.XXXXXX")
  pattern=$(printf '%s' "$names" | tr ' ' '|')
  grep -Ev "^($pattern|COMPOSE_FILE)=" "$file" >"$rest" || true
  for name in $names; do
    value=$(sed -n "s/^$name=//p" "$file" | tail -n 1)
    case $value in
    \"*\") value=${value#\"} value=${value%\"} ;;
    \'*\') value=${value#\'} value=${value%\'} ;;
    esac
    # A file has to exist for each secret of deploy/secret-files.yml. An empty one means "not set".
    write_secret "$name" "$value"
  done
  echo "COMPOSE_FILE=docker-compose.yml:deploy/secret-files.yml" >>"$rest"
  mv "$rest" "$file"
}

if [ $# -eq 0 ]; then
  [ -f "$file" ] || { echo "$file does not exist." >&2; exit 1; }
  [ ! -e "$folder" ] || { echo "$folder already exists." >&2; exit 1; }
  move_secrets
  echo "The secrets of $file are in $folder. Now: docker compose up --detach --wait"
  exit
fi

domain=$1
store=${2:-store.$domain}
require_domain "$domain"
require_domain "$store"
if [ "$domain" = "$store" ]; then
  echo "The console and the store need different host names." >&2
  exit 2
fi
for existing in "$file" "$folder"; do
  if [ -e "$existing" ]; then
    echo "$existing already exists. Without its secrets, the data of this deployment cannot be read: keep it, or move it away first." >&2
    exit 1
  fi
done

# The key is 32 random bytes in base64. Passwords omit the characters that must be escaped in a URL.
key() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
word() { head -c 48 /dev/urandom | base64 | tr -d '\n/+=' | cut -c 1-40; }

cat >"$file" <<SETTINGS
# Created by scripts/make-env.sh. Keep a copy of MASTER_KEY in a safe place: without it, sealed secrets cannot be opened.
SLIPWAY_DOMAIN=$domain
STORE_DOMAIN=$store
MASTER_KEY=$(key)
POSTGRES_PASSWORD=$(word)
S3_ACCESS_KEY_ID=slipway
S3_SECRET_ACCESS_KEY=$(word)
METRICS_TOKEN=$(word)
# The number of instances of the console.
APP_INSTANCES=1
SETTINGS
[ -z "$secret_files" ] || move_secrets
echo "$file is written. Now: docker compose up --detach --build --wait && docker compose logs app | grep /setup"
