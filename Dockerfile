# syntax=docker/dockerfile:1
# Docent in one image, with the files of the packages for npm. The last stage has the engine for page views;
# `--target slim` leaves it out, for a ClickHouse server or for jobs alone. Data live in the volume /data; nothing else is written
# except in /tmp, so the root may be read-only.

# The packages are JavaScript: they are made once for all architectures.
FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS packages
WORKDIR /source
COPY . .
RUN npm ci --workspace=@docent/dashboard --no-audit --no-fund \
  && npm run build \
  && node scripts/packages/pack.ts /packages service analytics

FROM node:24-trixie-slim AS installed
COPY --from=packages /packages /packages
# The shrinkwrap of the package decides the versions. The packages that it needs are apart, because they change less often. Source maps
# and types are for people who develop with them: without them, the packages take 41 MB less.
RUN mkdir -p /service /needed \
  && tar --extract --strip-components=1 --no-same-owner --directory /service --file /packages/docent-[0-9]*.tgz \
  && npm ci --prefix /service --omit=dev --ignore-scripts --no-audit --no-fund \
  && mv /service/node_modules /needed/node_modules \
  && find /needed/node_modules -type f -regex '.*\.map\|.*\.d\.[cm]?ts' -delete \
  && npm install --prefix /analytics --ignore-scripts --no-audit --no-fund /packages/docent-analytics-*.tgz

# Debian with git and ssh. git needs Perl for commands that Docent does not run: its files are left out as the base image leaves
# out manuals, which saves 52 MB. `perl` itself stays, for Debian's own scripts.
FROM debian:trixie-slim AS system
# hadolint ignore=DL3008
RUN printf 'path-exclude=%s\n' '/usr/share/perl/*' '/usr/lib/*/perl/*' '/usr/lib/*/libperl.so.*' > /etc/dpkg/dpkg.cfg.d/docent \
  && apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends ca-certificates git openssh-client tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/debconf/*-old /var/lib/dpkg/*-old /var/log/*.log /var/log/apt \
  && groupadd --gid 1000 docent \
  && useradd --uid 1000 --gid 1000 --home-dir /data --no-create-home --shell /usr/sbin/nologin docent \
  && install --directory --owner=1000 --group=1000 --mode=0700 /data \
  && printf '#!/bin/sh\nexec node /opt/docent/bin/docent.cjs "$@"\n' > /usr/local/bin/docent \
  && chmod 0755 /usr/local/bin/docent
COPY --from=installed /usr/local/bin/node /usr/local/bin/node
COPY --from=installed /usr/local/LICENSE /usr/share/doc/nodejs/copyright

FROM system AS slim
LABEL org.opencontainers.image.title="Docent" \
  org.opencontainers.image.description="Self-hosted documentation platform service" \
  org.opencontainers.image.source="https://github.com/docent-docs/docent" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="0.1.0"
COPY --from=installed /needed/node_modules /opt/docent/node_modules
COPY --from=installed /service /opt/docent
WORKDIR /opt/docent
ENV NODE_ENV=production \
  DOCENT_DATA_DIR=/data \
  DOCENT_HOST=0.0.0.0 \
  DOCENT_PORT=4100
# By number: an orchestrator sees that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 4100
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.DOCENT_PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# tini collects processes that end after the git which started them.
ENTRYPOINT ["tini", "-s", "--", "docent"]
CMD ["serve"]

FROM slim AS analytics
COPY --from=installed /analytics/node_modules /opt/docent/node_modules
