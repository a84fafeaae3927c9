#!/usr/bin/env bash
# Builds the image with a real engine and runs it as strictly as it promises to run. Minutes, not seconds: by hand.
# An engine that answers is used. Else, on Debian as root, Debian's docker.io runs from a temporary folder on a socket
# of its own, and stands in for the registry's node:24-slim with one made by debootstrap and npm's build of node.
set -euo pipefail

project=$(cd "$(dirname "$0")/../.." && pwd)
lab=$(mktemp -d /tmp/vendor-cloud-image.XXXXXX)
image=vendor-cloud:test-$$
port=$((20000 + RANDOM % 10000))
container= engine= built=
export DOCKER_CONFIG=$lab/config DOCKER_BUILDKIT=${DOCKER_BUILDKIT:-0}
mkdir -p "$DOCKER_CONFIG"

say() { printf '== %s\n' "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

clean_up() {
  if [ -n "$container" ]; then docker rm -f "$container" >/dev/null || true; fi
  if [ -n "$built" ]; then docker rmi -f "$image" >/dev/null || true; fi
  if [ -n "$engine" ]; then
    kill "$engine" 2>/dev/null && wait "$engine" 2>/dev/null || true
    grep -o " $lab/[^ ]*" /proc/mounts | sort -r | xargs -r umount -l || true
  fi
  rm -rf "$lab"
}
trap clean_up EXIT

start_private_engine() {
  say "no engine answers: running Debian's from $lab"
  (cd "$lab" && apt-get -qq download docker.io containerd runc debootstrap 2>/dev/null)
  for package in "$lab"/*.deb; do dpkg -x "$package" "$lab/engine"; done
  export PATH=$lab/engine/usr/bin:$lab/engine/usr/sbin:$PATH DOCKER_HOST=unix://$lab/docker.sock
  dockerd --host "$DOCKER_HOST" --data-root "$lab/data" --exec-root "$lab/exec" --pidfile "$lab/dockerd.pid" \
    --bridge none --iptables=false --ip-forward=false --ip-masq=false >"$lab/dockerd.log" 2>&1 &
  engine=$!
  timeout 30 sh -c 'until docker version >/dev/null 2>&1; do sleep 0.3; done' || { tail "$lab/dockerd.log"; fail 'the engine does not start'; }
}

make_base_image() {
  say 'making a stand-in for node:24-slim'
  local root=$lab/base arch=x64
  if [ "$(uname -m)" = aarch64 ]; then arch=arm64; fi
  DEBOOTSTRAP_DIR=$lab/engine/usr/share/debootstrap timeout 600 \
    sh "$lab/engine/usr/sbin/debootstrap" --variant=minbase --include=ca-certificates bookworm "$root" >"$lab/debootstrap.log"
  mkdir "$lab/npm" && echo '{}' >"$lab/npm/package.json"
  (cd "$lab/npm" && timeout 300 npm install --silent --ignore-scripts "node-linux-$arch@24" npm@11)
  cp "$lab/npm/node_modules/node-linux-$arch/bin/node" "$root/usr/local/bin/"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -r "$lab/npm/node_modules/npm" "$root/usr/local/lib/node_modules/"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  chroot "$root" useradd --uid 1000 --create-home node
  local settings=(-c 'CMD ["node"]')
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    # A machine that trusts an authority of its own cannot reach the registry without it.
    cp -L "$NODE_EXTRA_CA_CERTS" "$root/etc/ssl/certs/ca-certificates.crt"
    settings+=(-c 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt')
  fi
  tar -C "$root" -c . | docker import "${settings[@]}" - node:24-slim >/dev/null
}

state() { docker inspect -f "{{.State.$1}}" "$container"; }

if ! docker info >/dev/null 2>&1; then
  start_private_engine
  make_base_image
fi

say 'building'
timeout 900 docker build --network host -t "$image" "$project" >"$lab/build.log" 2>&1 || { tail -30 "$lab/build.log"; fail 'build'; }
built=yes
grep 'build context' "$lab/build.log" || true

say 'running: no capabilities, no new privileges, read-only root, 256 MB'
container=$(docker run -d --network host --read-only --cap-drop ALL --security-opt no-new-privileges --memory 256m \
  -e PORT=$port "$image")
healthy='until [ "$(docker inspect -f "{{.State.Health.Status}}" "$0")" = healthy ]; do sleep 0.3; done'
timeout 40 bash -c "$healthy" "$container" || { docker logs "$container"; docker inspect -f '{{json .State.Health}}' "$container"; fail 'not healthy'; }

[ "$(docker inspect -f '{{index .Config.Healthcheck.Test 0}}' "$container")" = CMD ] || fail 'the health check needs a shell'
[ "$(docker exec "$container" node -p 'process.getuid()')" != 0 ] || fail 'runs as root'
docker exec -e PORT=1 "$container" node dist/main.js health >/dev/null 2>&1 && fail 'health finds a server where none listens'
docker exec "$container" node -e 'fs.writeFileSync("/app/x", "")' 2>/dev/null && fail 'the root file system can be written'
timeout 10 node -e '
  fetch(`http://127.0.0.1:${process.argv[1]}/stg/us/guest/zipCode?zipCode=10001`, { headers: { "request-source": "vendor.com" } })
    .then(async (reply) => { console.log(reply.status, await reply.text()); process.exitCode = reply.ok ? 0 : 1 })
' "$port" || fail 'no answer'

say 'stopping'
started=$(date +%s%N)
docker stop -t 10 "$container" >/dev/null
took=$((($(date +%s%N) - started) / 1000000))
[ "$(state ExitCode)" = 0 ] || { docker logs --tail 20 "$container"; fail "exit code $(state ExitCode)"; }
say "stopped in $took ms with 0; $(docker image inspect -f '{{.Size}}' "$image" | numfmt --to=si)B in all, of which ours:"
docker history --format '{{.Size}} {{.CreatedBy}}' "$image" | grep COPY >&2
