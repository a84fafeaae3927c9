#!/usr/bin/env bash
# Runs compose.yaml like a user and checks it through the proxy. Takes minutes, so run it manually.
# See engine.sh for the engine. An existing engine must not contain a vendor-cloud project. It pulls the images of
# compose.yaml.
set -euo pipefail
. "$(dirname "$0")/engine.sh"
cd "$project"

export NO_COLOR=1
started=
clean_up() {
  if [ -n "$started" ]; then docker compose down --volumes --rmi local >/dev/null 2>&1 || true; fi
  remove_engine
}
trap clean_up EXIT

make_stand_ins() {
  local image name
  for image in $(docker compose config --images | grep :); do
    name=${image##*/} name=${name%%:*}
    say "making a stand-in for $image"
    docker build -q -t "$image" - <"test/system/image/stand-ins/$name.Dockerfile" >/dev/null
  done
}

need_engine
docker compose version >&2
if [ -n "$engine" ]; then make_stand_ins; fi
if [ -n "$(docker compose ps -aq)$(docker volume ls -q --filter name=^vendor-cloud_)" ]; then
  fail 'this engine has a vendor-cloud already'
fi

say 'docker compose up --build'
started=$SECONDS
timeout 900 docker compose up --build --detach --wait >"$lab/up.log" 2>&1 || { tail -30 "$lab/up.log"; fail 'up'; }
say "all healthy after $((SECONDS - started)) s"
docker logs vendor-cloud-server-1 2>&1 | grep -A 5 'listens on' >&2

tests=$lab/tests.log
beside_engine npx vitest run --config test/system/image/vitest.config.ts | tee "$tests"

say 'the acceptance suite, by the proxy'
# Runs a single instance, because each instance has its own journal and faults, but clients use one address.
docker compose up --detach --wait --scale server=1 >/dev/null 2>&1
BASE_URL=http://localhost:${PORT:-8080} CONTROL_KEY=open-on-this-machine \
  beside_engine npm run --silent acceptance | tee -a "$tests"

say 'stopping'
docker compose down --volumes --rmi local >/dev/null 2>&1
started=
[ -z "$(docker ps -aq --filter name=vendor-cloud-)$(docker volume ls -q --filter name=^vendor-cloud_)" ] ||
  fail 'something is left'
say "compose.yaml holds: $(sed -n 's/^ *Tests  *//p' "$tests" | paste -sd ';'); $SECONDS s in all"
