#!/usr/bin/env bash
# Builds the image with a real engine and runs it with the documented restrictions. Takes minutes, so run it manually.
# See engine.sh for the engine.
set -euo pipefail
. "$(dirname "$0")/engine.sh"

image=vendor-cloud:test-$$
port=$((20000 + RANDOM % 10000))
container= built=

clean_up() {
  if [ -n "$container" ]; then docker rm -f "$container" >/dev/null || true; fi
  if [ -n "$built" ]; then docker rmi -f "$image" >/dev/null || true; fi
  remove_engine
}
trap clean_up EXIT

state() { docker inspect -f "{{.State.$1}}" "$container"; }

need_engine

say 'building'
timeout 900 docker build --progress plain -t "$image" "$project" >"$lab/build.log" 2>&1 ||
  { tail -30 "$lab/build.log"; fail 'build'; }
built=yes
grep -i 'context.*B' "$lab/build.log" || true

say 'running: no capabilities, no new privileges, read-only root, 256 MB'
container=$(docker run -d -p "127.0.0.1:$port:8080" --read-only --cap-drop ALL --security-opt no-new-privileges \
  --memory 256m -e CONTROL=open "$image")
healthy='until [ "$(docker inspect -f "{{.State.Health.Status}}" "$0")" = healthy ]; do sleep 0.3; done'
timeout 40 bash -c "$healthy" "$container" ||
  { docker logs "$container"; docker inspect -f '{{json .State.Health}}' "$container"; fail 'not healthy'; }

form=$(docker inspect -f '{{index .Config.Healthcheck.Test 0}}' "$container")
[ "$form" = CMD ] || fail 'the health check needs a shell'
[ "$(docker exec "$container" node -p 'process.getuid()')" != 0 ] || fail 'runs as root'
docker exec -e PORT=1 "$container" node dist/main.js health >/dev/null 2>&1 &&
  fail 'health finds a server where none listens'
docker exec "$container" node -e 'fs.writeFileSync("/app/x", "")' 2>/dev/null &&
  fail 'the root file system can be written'
beside_engine timeout 10 node --input-type=module -e '
  for (const path of ["/stg/us/guest/zipCode?zipCode=10001", "/_control/clock"]) {
    const reply = await fetch(`http://127.0.0.1:${process.argv[1]}${path}`, { headers: { "request-source": "vendor.com" } })
    console.log(reply.status, await reply.text())
    if (!reply.ok) process.exitCode = 1
  }
' "$port" || fail 'no answer'

say 'by Testcontainers'
user=$lab/user
mkdir -p "$user/node_modules"
echo '{"private": true}' >"$user/package.json"
(cd "$user" && timeout 300 npm install --silent --ignore-scripts testcontainers@11.14.0)
(cd "$project" && npm run --silent build)
mkdir "$user/node_modules/vendor-cloud"
cp -r "$project"/{dist,fixtures,openapi,package.json} "$user/node_modules/vendor-cloud"
cp "$project/test/system/image/testcontainers.mjs" "$user"
# Ryuk, the container that removes the remains of aborted runs, is disabled, because no other image is available.
export TESTCONTAINERS_RYUK_DISABLED=true VENDOR_CLOUD_IMAGE=$image
if [ -n "$engine" ]; then export DOCKER_HOST=unix://$lab/machine/run/docker.sock TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1; fi
beside_engine timeout 60 node "$user/testcontainers.mjs" || fail 'Testcontainers'
unset DOCKER_HOST

say 'stopping'
started=$(date +%s%N)
docker stop -t 10 "$container" >/dev/null
took=$((($(date +%s%N) - started) / 1000000))
[ "$(state ExitCode)" = 0 ] || { docker logs --tail 20 "$container"; fail "exit code $(state ExitCode)"; }
size=$(docker image inspect -f '{{.Size}}' "$image" | numfmt --to=si)
say "stopped in $took ms with 0; ${size}B in all, of which ours:"
docker history --format '{{.Size}} {{.CreatedBy}}' "$image" | grep COPY | grep -v /usr/local >&2
