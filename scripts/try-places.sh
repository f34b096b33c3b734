#!/usr/bin/env bash
# Runs the two commands of the README from a fresh clone in unusual locations: `closed` as root in a folder that
# other users cannot enter, `deep` as an ordinary user deep in the tree. Needs root. Reports failures and exits with
# 1.
set -euo pipefail

source=$(git rev-parse --show-toplevel)
place=${1:?closed or deep}
port=43800

case $place in
  closed) top=$(mktemp -d /root/telltale-XXXXXX); deep=$top; as=() ;;
  deep)
    top=$(mktemp -d /tmp/telltale-XXXXXX)
    deep=$top/$(printf 'a-rather-long-folder-name-%.0s/' 1 2 3 4 5 6)
    as=(setpriv --reuid nobody --regid nogroup --clear-groups env "HOME=$top")
    ;;
  *) echo "no such place: $place" >&2; exit 2 ;;
esac
trap 'rm -rf "$top"' EXIT

mkdir -p "$deep"
git clone --quiet "$source" "$deep/telltale"
[ "$place" = closed ] || chown -R nobody:nogroup "$top"
cd "$deep/telltale"

"${as[@]}" npm start -- --port $port > "$top/start.log" 2>&1 &
for _ in $(seq 300); do
  curl --silent --fail "http://127.0.0.1:$port/health/ready" && break
  sleep 1
done
curl --silent --fail "http://127.0.0.1:$port/health/ready" > /dev/null || { cat "$top/start.log"; exit 1; }
kill %1
wait %1 || true
if curl --silent "http://127.0.0.1:$port/health/live" > /dev/null; then echo 'it did not stop'; exit 1; fi
echo "$place: npm start reached /health/ready and stopped"

"${as[@]}" npm test < /dev/null
