// The forges of hosts that everybody knows, by address alone.

import type { ForgeKind } from '../host.ts'

const knownHosts: Readonly<Record<string, ForgeKind>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
  'bitbucket.org': 'bitbucket',
  'dev.azure.com': 'azure',
}

/** The forge of a host that everybody knows. */
export function knownForge(origin: string): ForgeKind | undefined {
  const { hostname } = new URL(origin)
  if (hostname.endsWith('.ghe.com')) return 'github'
  if (hostname.endsWith('.visualstudio.com')) return 'azure'
  return Object.hasOwn(knownHosts, hostname) ? knownHosts[hostname] : undefined
}
