// Composes the root of `debian:trixie-slim` from Debian's packages: the smallest system with apt, without manuals, and with
// apt's and dpkg's settings of that image. Needs mmdebstrap and the network. mmdebstrap mounts folders of this machine below the
// root while it works. It does so in a mount namespace of its own, because a caller that removes the root after a failure must not
// reach them.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const leftOut: readonly string[] = ['doc', 'groff', 'info', 'linda', 'lintian', 'locale', 'man']
const kept: readonly string[] = ['doc/*/copyright', 'locale/locale.alias']

/** The image's settings of dpkg and apt, by file: manuals are left out later, too, and no layer keeps downloads. */
const settings: Readonly<Record<string, readonly string[]>> = {
  'dpkg/dpkg.cfg.d/docker': [
    'force-unsafe-io',
    ...leftOut.map((name) => `path-exclude=/usr/share/${name}/*`),
    ...kept.map((path) => `path-include=/usr/share/${path}`),
  ],
  'apt/apt.conf.d/docker-clean': [
    'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };',
    'Dir::Cache::pkgcache "";',
    'Dir::Cache::srcpkgcache "";',
  ],
}

const finish = [
  ...Object.entries(settings).flatMap(([file, lines]) =>
    lines.map((line) => `printf '%s\\n' '${line}' >> "$1"/etc/${file}`),
  ),
  ...leftOut.map((name) => {
    const but = kept.map((path) => `! -path "$1/usr/share/${path}"`).join(' ')
    return `if [ -d "$1"/usr/share/${name} ]; then find "$1"/usr/share/${name} ! -type d ${but} -delete; find "$1"/usr/share/${name} -mindepth 1 -type d -empty -delete; fi`
  }),
  'rm -rf "$1"/var/cache/apt/* "$1"/var/log/*.log "$1"/var/log/apt "$1"/var/cache/debconf/*-old',
]

export async function composeDebian(into: string): Promise<void> {
  const apart = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const start = 'mount -t tmpfs docent-shm /dev/shm && exec mmdebstrap "$@"'
  const options = ['--variant=minbase', '--mode=root', '--dpkgopt=force-unsafe-io']
  const hooks = finish.map((line) => `--customize-hook=${line}`)
  const args = [...options, ...hooks, 'trixie', into]
  await promisify(execFile)('unshare', [...apart, 'sh', '-c', start, 'sh', ...args])
}
