# syntax=docker/dockerfile:1

# The Node that package.json pins. Debian (glibc), because the search engine and the PDF parser are built for it.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY web/package.json web/

FROM manifests AS built
RUN --mount=type=cache,target=/root/.npm npm ci --workspace web --workspace server --include-workspace-root --ignore-scripts
COPY tsconfig.json ./
COPY sdk sdk
COPY web web
RUN npm run build --workspace web
COPY tools tools
COPY server server
RUN ["node", "tools/bundle-server.mjs"]

# No package needs its install script: what is native comes built for this platform.
FROM manifests AS server
RUN --mount=type=cache,target=/root/.npm npm ci --workspace server --omit=dev --ignore-scripts
COPY tools tools
COPY server server
COPY openapi.json LICENSE CHANGELOG.md ./
COPY docs docs
COPY deploy/image deploy/image
COPY --from=built /app/web/dist web/dist
COPY --from=built /app/server/dist server/dist
# An image that does not start is never made, and one that starts brings its code compiled.
RUN ["node", "deploy/image/warm-up.mjs"]

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Docent" \
      org.opencontainers.image.description="A self-hosted service on which a company runs its AI agents" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="docker.io/library/${NODE_IMAGE}"
# Nothing in a running container installs packages.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
    && install -d -o node -g node -m 0700 /data
# Converts DOC, XLS and PPT; about 300 MB, and left out with --build-arg WITH_LIBREOFFICE=false.
ARG WITH_LIBREOFFICE=true
RUN if [ "$WITH_LIBREOFFICE" = true ]; then \
      apt-get update \
      && apt-get install -y --no-install-recommends libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui \
      && rm -rf /var/lib/apt/lists/*; \
    fi
WORKDIR /app
COPY --from=server /app ./
# As npm start sets them (tools/node.mjs).
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --start-interval=1s --retries=3 CMD ["node", "deploy/image/healthy.mjs"]
CMD ["node", "--max-semi-space-size=16", "tools/serve.mjs"]
