# syntax=docker/dockerfile:1

# What downloads of the build need behind a proxy: its authorities, and mirrors. HTTP_PROXY and HTTPS_PROXY are arguments of every build.
# docs/operations/company-network.md explains them.
FROM node:24-bookworm-slim AS base
ARG DEBIAN_MIRROR
RUN [ -z "$DEBIAN_MIRROR" ] || sed -i "s|http://deb.debian.org|${DEBIAN_MIRROR%/}|" /etc/apt/sources.list.d/debian.sources
# apt reads the names in lower case only.
RUN [ -z "$HTTP_PROXY" ] || echo "Acquire::http::Proxy \"$HTTP_PROXY\";" > /etc/apt/apt.conf.d/90proxy

FROM base AS downloads
COPY deploy/authorities /authorities
RUN cat /authorities/*.pem > /authorities.pem 2> /dev/null || true
ENV NODE_EXTRA_CA_CERTS=/authorities.pem

# The build stage: packages, generated code, the standalone server. It needs no secrets.
FROM downloads AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
ARG NPM_REGISTRY
COPY package.json package-lock.json .npmrc ./
COPY packages/certificates/package.json packages/certificates/
COPY packages/installers/package.json packages/installers/
COPY cli/package.json cli/
# All native parts are prebuilt packages, so no install script has to run.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts ${NPM_REGISTRY:+--registry "$NPM_REGISTRY"}
COPY . .
RUN npm run build

# What makes APKs of app bundles: bundletool and its libraries, and a Java runtime with only the modules that they use (39 MB). Nothing
# of it with BUNDLETOOL=off.
FROM downloads AS bundletool
ARG BUNDLETOOL=on
ARG MAVEN_MIRROR
RUN mkdir -p /opt/bundletool && if [ "$BUNDLETOOL" != off ]; then \
    apt-get update && apt-get install --yes --no-install-recommends openjdk-17-jdk-headless binutils && rm -rf /var/lib/apt/lists/* \
    && jlink --no-header-files --no-man-pages --strip-debug --compress=2 \
    --add-modules java.base,java.logging,java.xml,jdk.unsupported,jdk.zipfs --output /opt/bundletool/java; fi
WORKDIR /app
COPY scripts/bundletool.mjs scripts/
COPY scripts/lib/files.mjs scripts/lib/
COPY lib/bundles/bundletool.json lib/bundles/
RUN [ "$BUNDLETOOL" = off ] || node scripts/bundletool.mjs /opt/bundletool

# The standalone server, run by an unprivileged user on a read-only file system.
FROM base AS server
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    HOSTNAME=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    BUNDLETOOL_DIR=/opt/bundletool \
    BUNDLE_WORK_DIR=/bundles
# aapt2, which the package aapt contains, converts the resources of bundles.
RUN apt-get update && apt-get install --yes --no-install-recommends aapt && rm -rf /var/lib/apt/lists/* /etc/apt/apt.conf.d/90proxy
COPY --from=bundletool /opt/bundletool /opt/bundletool
RUN install --directory --owner=node --group=node /data /bundles
WORKDIR /app
COPY --from=build /app/.next/standalone /app/scripts/lib/json-output.mjs ./
USER node

# The compiled code of the server, which saves a third of the CPU time of a start. Node finds it by its version, options and user.
FROM server AS compiled
RUN --mount=type=bind,from=build,source=/app/scripts/lib/compile-cache.mjs,target=/compile-cache.mjs \
    ["node", "/compile-cache.mjs", "/tmp/compile-cache", "--max-semi-space-size=8", "--initial-old-space-size=128", "--heap-growing-percent=50", "--import=./json-output.mjs", "server.mjs"]

# The image.
FROM server
COPY --from=compiled /tmp/compile-cache /app/compile-cache
ENV NODE_COMPILE_CACHE=/app/compile-cache
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Reports readiness, and ends a server that answers nothing for a minute; with an init process, the container then restarts. A start
# may take ten minutes, in which the server migrates the database.
HEALTHCHECK --interval=10s --timeout=10s --start-period=600s --retries=3 CMD ["node", "commands/health.mjs"]
# The same options as in scripts/lib/build.mjs.
CMD ["node", "--max-semi-space-size=8", "--initial-old-space-size=128", "--heap-growing-percent=50", "--import=./json-output.mjs", "server.mjs"]
