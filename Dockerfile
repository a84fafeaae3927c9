# Builds the bundle, then keeps it with the few packages that it loads as they are.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY scripts/build scripts/build
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY package.json README.md ./
COPY docs/*.md docs/llms.txt docs/
COPY openapi openapi
COPY fixtures fixtures
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# Everything above belongs to root: the server can read it and change none of it.
USER node
# docker run -p 127.0.0.1:8080:8080 -e CONTROL=open: published for this machine only, it needs no control key.
EXPOSE 8080
# The program asks itself, so the image needs neither a shell nor curl.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["node", "dist/main.js", "health", "--live"]
CMD ["node", "dist/main.js"]
