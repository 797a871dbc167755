# syntax=docker/dockerfile:1
# Never built where it was written (no Docker there): `node tools/dockerfile.ts` runs its steps in a bare directory instead.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
RUN npm ci --no-progress
COPY src ./src
COPY tools ./tools
RUN npm run build

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# the image is Node 24 already
RUN npm ci --omit=dev --omit=optional --no-progress

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    SIGHTLINE_DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist/console ./dist/console
COPY --from=build /app/dist/docs ./dist/docs
COPY --from=build /app/dist/packages ./dist/packages
COPY package.json openapi.json ./
COPY bin ./bin
COPY src ./src
COPY sandbox ./sandbox
RUN node src/cli/main.ts --version
RUN mkdir -p /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 8080 9090
# a gateway answers on PORT, a worker on SIGHTLINE_ADMIN_PORT
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "const ports = [process.env.PORT || 8080, process.env.SIGHTLINE_ADMIN_PORT]; Promise.any(ports.filter(Boolean).map((p) => fetch(`http://127.0.0.1:${p}/healthz`).then((r) => { if (!r.ok) throw r.status; }))).catch(() => process.exit(1))"]
# SIGTERM drains: requests in flight are answered, jobs in hand are finished (SIGHTLINE_DRAIN_MS)
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "src/cli/main.ts"]
CMD ["serve"]
