# Debian's nginx with the interface of the official image, as far as compose.yaml uses it.
FROM debian:stand-in
RUN apt-get -qq update && apt-get -qq install --yes --no-install-recommends nginx-light busybox >/dev/null && \
  ln -s /bin/busybox /usr/local/bin/wget && \
  useradd --system --uid 101 nginx && ln -sf /dev/stderr /var/log/nginx/error.log
STOPSIGNAL SIGQUIT
CMD ["nginx", "-g", "daemon off;"]
