# syntax=docker/dockerfile:1
# Docent in one image: the sources as they are, their packages, the built dashboard, git and ssh. Data live in the volume
# /data.

FROM node:24-trixie-slim AS dashboard
WORKDIR /opt/docent
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY client/package.json ./client/
COPY dashboard ./dashboard
COPY src/service/dashboard-build.ts ./src/service/
COPY src/analytics ./src/analytics
COPY src/lib ./src/lib
RUN npm ci --workspace=@docent/dashboard --no-audit --no-fund && npm run build --workspace=@docent/dashboard

FROM node:24-trixie-slim AS packages
WORKDIR /opt/docent
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --workspaces=false --no-audit --no-fund && npm cache clean --force

FROM node:24-trixie-slim
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git openssh-client \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=node --group=node --mode=0700 /data
WORKDIR /opt/docent
COPY --from=packages /opt/docent/node_modules ./node_modules
COPY package.json ./
COPY bin ./bin
COPY src ./src
COPY tracker ./tracker
COPY examples ./examples
COPY --from=dashboard /opt/docent/dashboard/dist ./dashboard/dist
ENV NODE_ENV=production \
  DOCENT_DATA_DIR=/data \
  DOCENT_HOST=0.0.0.0 \
  DOCENT_PORT=4100
RUN printf '#!/bin/sh\nexec node /opt/docent/bin/docent.cjs "$@"\n' > /usr/local/bin/docent \
  && chmod 0755 /usr/local/bin/docent
USER node
LABEL org.opencontainers.image.title="Docent" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.source="https://github.com/docent-docs/docent"
VOLUME /data
EXPOSE 4100
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.DOCENT_PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["docent"]
CMD ["serve"]
