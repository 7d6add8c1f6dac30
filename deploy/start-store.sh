#!/bin/sh
# Starts the S3 store with one user, the console's, which may create buckets and use its own. The root user of the store gets a
# new random secret at each start that nobody knows. The user keeps the name of the root user of earlier versions, which owned
# the bucket.
set -eu

access=${S3_ACCESS_KEY_ID:?}
secret=${S3_SECRET_ACCESS_KEY:-}
[ -z "${S3_SECRET_ACCESS_KEY_FILE:-}" ] || secret=$(cat "$S3_SECRET_ACCESS_KEY_FILE")
: "${secret:?S3_SECRET_ACCESS_KEY or S3_SECRET_ACCESS_KEY_FILE is required}"
case $access$secret in
*[\"\\]*)
  echo 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must not contain " or \' >&2
  exit 1
  ;;
esac

umask 077
printf '{"accessAccounts":{"%s":{"access":"%s","secret":"%s","role":"userplus"}}}\n' "$access" "$access" "$secret" \
  >/users/users.json
unset S3_SECRET_ACCESS_KEY
ROOT_ACCESS_KEY_ID=root-$(head -c 12 /dev/urandom | base64 | tr -d '\n/+=')
ROOT_SECRET_ACCESS_KEY=$(head -c 32 /dev/urandom | base64 | tr -d '\n')
export ROOT_ACCESS_KEY_ID ROOT_SECRET_ACCESS_KEY
exec versitygw --port :7070 --health /health --quiet --iam-dir /users posix /objects
