# Provides a Docker engine with Compose, and base images, for the scripts in this folder, which source this file.
#
# A running engine is used if there is one. Otherwise, on Debian as root, Debian's engine is started from a temporary
# folder, in separate network, mount and process namespaces. It is isolated from the network of this machine, and all of
# its processes end together. It cannot access an image registry, so replacements for the base images are built from
# Debian packages with debootstrap, and from the npm package of Node. SUITE selects the Debian release.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
lab=$(mktemp -d /tmp/vendor-cloud-image.XXXXXX)
suite=${SUITE:-trixie}
# Process IDs of the private engine, of its parent, and of its network access, with which packages are installed. Empty
# if an existing engine is used.
engine= engine_parent= way_out=

say() { printf '== %s\n' "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

need_engine() {
  if docker info >/dev/null 2>&1; then return; fi
  say "no engine answers: running Debian's from $lab"
  fetch_debootstrap
  bootstrap "$lab/machine" docker.io docker-cli docker-buildx docker-compose iptables slirp4netns
  cp -L /etc/resolv.conf "$lab/machine/etc/resolv.conf"
  start_engine
  open_way_out
  bootstrap "$lab/base"
  make_debian_image
  make_node_image
}

# Runs a command in the network namespace that has the published ports of the engine.
beside_engine() {
  if [ -z "$engine" ]; then "$@"; else nsenter --net="/proc/$engine/ns/net" -- "$@"; fi
}

remove_engine() {
  if [ -n "$way_out" ]; then kill "$way_out" 2>/dev/null && wait "$way_out" 2>/dev/null || true; fi
  if [ -n "$engine" ]; then
    # Killing the first process of the namespace ends all of its processes and mounts.
    kill -KILL "$engine" 2>/dev/null && wait "$engine_parent" 2>/dev/null || true
    find /sys/fs/cgroup -depth -type d -path "*/$(basename "$lab")*" -exec rmdir {} + 2>/dev/null || true
  fi
  rm -rf --one-file-system "$lab"
}

fetch_debootstrap() {
  mkdir "$lab/tools" "$lab/packages"
  cd "$lab/tools"
  apt-get -qq download debootstrap 2>/dev/null || { apt-get -qq update && apt-get -qq download debootstrap; }
  dpkg -x debootstrap_*.deb .
  cd - >/dev/null
}

# Always uses the script for sid, so that releases newer than debootstrap work too.
bootstrap() {
  local root=$1 scripts=$lab/tools/usr/share/debootstrap IFS=,
  shift
  DEBOOTSTRAP_DIR=$scripts timeout 900 sh "$lab/tools/usr/sbin/debootstrap" --variant=minbase \
    --cache-dir="$lab/packages" --include="ca-certificates${*:+,$*}" "$suite" "$root" http://deb.debian.org/debian \
    "$scripts/scripts/sid" >"$lab/debootstrap.log" 2>&1 || { tail -5 "$lab/debootstrap.log"; fail 'debootstrap'; }
}

start_engine() {
  local machine=$lab/machine
  mkdir -p "$machine$project" "$lab/bin"
  unshare --fork --kill-child --pid --mount --net bash -c '
    machine=$0 project=$1 name=$2
    mount --bind "$machine" "$machine"
    mount -t proc proc "$machine/proc"
    mount --rbind /sys "$machine/sys"
    mount --rbind /dev "$machine/dev"
    # Compose refers to the project by this path.
    mount --bind "$project" "$machine$project"
    ip link set lo up
    # chroot is not sufficient, because commands that enter a container start at the root of the mount namespace.
    cd "$machine"
    pivot_root . mnt
    umount -l /mnt
    dockerd --cgroup-parent "/$name" &
    wait
  ' "$machine" "$project" "$(basename "$lab")" >"$lab/dockerd.log" 2>&1 &
  engine_parent=$!
  timeout 10 sh -c 'until pgrep -P "$0" >/dev/null; do sleep 0.1; done' "$engine_parent"
  engine=$(pgrep -P "$engine_parent")
  cat >"$lab/bin/docker" <<WRAPPER
#!/bin/sh
# Runs docker in the namespaces of the engine, in the same folder if it exists there.
exec nsenter --target $engine --mount --pid --net -- \
  sh -c 'cd "\$0" 2>/dev/null; exec docker "\$@"' "\$PWD" "\$@"
WRAPPER
  chmod +x "$lab/bin/docker"
  export PATH=$lab/bin:$PATH
  unset DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT
  timeout 60 sh -c 'until docker version >/dev/null 2>&1; do sleep 0.3; done' ||
    { tail "$lab/dockerd.log"; fail 'the engine does not start'; }
}

# Gives the engine network access through a process, so that addresses and firewall rules of this machine do not change.
open_way_out() {
  unshare --mount bash -c '
    mount --rbind /proc "$0/proc"
    mount --rbind /dev "$0/dev"
    exec chroot "$0" slirp4netns --configure --disable-host-loopback "$1" tap0
  ' "$lab/machine" "$engine" >"$lab/way-out.log" 2>&1 &
  way_out=$!
  timeout 10 sh -c 'until nsenter --net="/proc/$0/ns/net" ip route | grep -q default; do sleep 0.1; done' "$engine" ||
    { tail "$lab/way-out.log"; fail 'the engine has no way out'; }
}

make_debian_image() {
  # If this machine uses a custom certificate authority, npm can access its registry only with that authority.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    cp -L "$NODE_EXTRA_CA_CERTS" "$lab/base/etc/ssl/certs/ca-certificates.crt"
  fi
  # The files of an outdated mirror may have expired.
  echo 'Acquire::Check-Valid-Until "false";' >"$lab/base/etc/apt/apt.conf.d/mirror"
  rm -f "$lab"/base/var/cache/apt/archives/*.deb
  tar -C "$lab/base" -c . | docker import - debian:stand-in >/dev/null
}

make_node_image() {
  say 'making a stand-in for node:24-slim'
  local root=$lab/node arch=x64
  if [ "$(uname -m)" = aarch64 ]; then arch=arm64; fi
  mkdir -p "$lab/npm" "$root/bin" "$root/lib/node_modules" && echo '{}' >"$lab/npm/package.json"
  (cd "$lab/npm" && timeout 300 npm install --silent --ignore-scripts "node-linux-$arch@24" npm@11)
  cp "$lab/npm/node_modules/node-linux-$arch/bin/node" "$root/bin/"
  cp -r "$lab/npm/node_modules/npm" "$root/lib/node_modules/"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/bin/npm"
  cat >"$root/Dockerfile" <<'DOCKERFILE'
FROM debian:stand-in
COPY bin /usr/local/bin
COPY lib /usr/local/lib
RUN useradd --uid 1000 --create-home node
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
CMD ["node"]
DOCKERFILE
  tar -C "$root" -c . | docker build -q -t node:24-slim - >/dev/null
}
