# Debian's PostgreSQL with the interface of the official image, as far as compose.yaml uses it.
FROM debian:stand-in
RUN apt-get -qq update && apt-get -qq install --yes --no-install-recommends postgresql-common locales >/dev/null && \
  sed -i 's/^#create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf && \
  apt-get -qq install --yes --no-install-recommends postgresql >/dev/null && \
  ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/ && \
  install -d -o postgres -g postgres -m 1777 /var/lib/postgresql/data
ENV PGDATA=/var/lib/postgresql/data
VOLUME /var/lib/postgresql/data
COPY --chmod=755 <<'SH' /usr/local/bin/docker-entrypoint.sh
#!/bin/sh
set -eu
if [ "$(id -u)" = 0 ]; then
  chown postgres "$PGDATA" && chmod 700 "$PGDATA"
  exec setpriv --reuid postgres --regid postgres --clear-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  initdb -U "$POSTGRES_USER" --pwfile=/tmp/password -E UTF8 --locale=C.UTF-8 -A trust >/dev/null
  # Like the official image, accepts connections only on a socket while it creates the database.
  pg_ctl -D "$PGDATA" -o "-c listen_addresses='' -c unix_socket_directories=/tmp" -w start >/dev/null
  createdb -h /tmp -U "$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl -D "$PGDATA" -m fast -w stop >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
fi
exec "$@" -c listen_addresses='*' -c unix_socket_directories=/tmp
SH
ENTRYPOINT ["docker-entrypoint.sh"]
STOPSIGNAL SIGINT
CMD ["postgres"]
