# Debian's Valkey under the contract of Valkey's image, as far as compose.yaml uses it.
FROM debian:stand-in
RUN apt-get -qq update && apt-get -qq install --yes --no-install-recommends valkey-server valkey-tools >/dev/null && \
  install -d -o valkey -g valkey /data
VOLUME /data
WORKDIR /data
COPY --chmod=755 <<'SH' /usr/local/bin/docker-entrypoint.sh
#!/bin/sh
set -eu
chown -R valkey .
exec setpriv --reuid valkey --regid valkey --clear-groups "$@" --protected-mode no
SH
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["valkey-server"]
