# Builds on the builder's own platform, whichever the image is for, so that nothing is emulated.
FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY CHANGELOG.md LICENSE README.md SECURITY.md compose.yaml tsconfig.json ./
COPY docs docs
COPY examples examples
COPY skills skills
COPY openapi openapi
COPY fixtures fixtures
COPY scripts/build scripts/build
COPY src src
RUN npm run build
ARG TARGETARCH
RUN node scripts/build/image.mjs /image $TARGETARCH && mkdir /data

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 LOG_FORMAT=json
WORKDIR /app
# All of it belongs to root: the server can read it and change none of it.
COPY --from=build /image ./
# A new volume at /data gets the owner of this directory, so that the server can write to it (DATA_DIR=/data).
COPY --from=build --chown=node:node /data /data
USER node
# docker run -p 127.0.0.1:8080:8080 -e CONTROL=open: published for this machine only, it needs no control key.
EXPOSE 8080
# The program asks itself, so the image needs neither a shell nor curl.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["node", "dist/main.js", "health", "--live"]
CMD ["node", "dist/main.js"]
