# syntax=docker/dockerfile:1
# `npm run image` builds it with buildah, lists what is in it and runs it.
ARG BASE=node:26-bookworm-slim
# where both processors' base cannot have one name
ARG BUILD_BASE=$BASE

# runs on the processor of the machine that builds: nothing that it makes depends on one
FROM --platform=$BUILDPLATFORM $BUILD_BASE AS build
ARG TARGETARCH
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-progress
COPY . .
RUN npm run --silent app && npx --no-install node tools/forms/node-of.ts "$TARGETARCH" /node

# The root of the image: the Node that package-lock.json names, the libraries that it loads, certificate authorities, the user, the folders.
FROM $BASE AS root
COPY --from=build /node /image/usr/local/bin/node
COPY --from=build /node.LICENSE /image/usr/share/doc/node/copyright
RUN mkdir -p /image/etc/ssl/certs /image/tmp /volume/data \
 && libraries=$(ldd /image/usr/local/bin/node | grep -o '/[^ ]*') \
 && for library in $libraries; do mkdir -p "/image$(dirname "$library")" && cp -L "$library" "/image$library"; done \
 && for package in libatomic1 libc6 libgcc-s1 libstdc++6; do mkdir "/image/usr/share/doc/$package" && cp -L "/usr/share/doc/$package/copyright" "/image/usr/share/doc/$package/"; done \
 && cp -rL /usr/share/common-licenses /image/usr/share/ \
 && /image/usr/local/bin/node -e "process.stdout.write(require('node:tls').rootCertificates.join('\n') + '\n')" > /image/etc/ssl/certs/ca-certificates.crt \
 && printf "#!/usr/local/bin/node\nimport('/app/bin/sightline.mjs');\n" > /image/usr/local/bin/sightline \
 && printf 'sightline:x:1000:1000::/data:/nonexistent\n' > /image/etc/passwd \
 && printf 'sightline:x:1000:\n' > /image/etc/group \
 && printf 'hosts: files dns\n' > /image/etc/nsswitch.conf \
 && chmod 755 /image/usr/local/bin/* && chmod 1777 /image/tmp && chmod 700 /volume/data

# a layer of its own: an upgrade that leaves Node as it is brings the app alone
FROM scratch AS runtime
COPY --from=root /image/ /
COPY --from=root --chown=1000:1000 /volume/ /

FROM runtime
COPY --from=build /build/dist/app /app
ENV PATH=/usr/local/bin \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    SIGHTLINE_PUBLIC_URL=http://127.0.0.1:8080 \
    SIGHTLINE_ADMIN_HOST=0.0.0.0 \
    SIGHTLINE_ADMIN_PORT=9090 \
    SIGHTLINE_DATA_DIR=/data
WORKDIR /data
VOLUME /data
USER 1000:1000
EXPOSE 8080 9090
# a gateway answers on PORT, a worker on SIGHTLINE_ADMIN_PORT
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "const ports = [process.env.PORT || 8080, process.env.SIGHTLINE_ADMIN_PORT]; Promise.any(ports.filter(Boolean).map((p) => fetch(`http://127.0.0.1:${p}/healthz`).then((r) => { if (!r.ok) throw r.status; }))).catch(() => process.exit(1))"]
# SIGTERM drains: requests in flight are answered, jobs in hand are finished (SIGHTLINE_DRAIN_MS)
STOPSIGNAL SIGTERM
ENTRYPOINT ["sightline"]
CMD ["serve"]
