// The pages of the example site in `examples/docs`, how often each is read, and the assets that belong to them.

export const host = 'docs.acme.example.com'

export type Page = {
  /** The normalised path, as Docent counts it. */
  readonly path: string
  readonly weight: number
  /** The size of the compressed HTML. */
  readonly bytes: number
}

const read: readonly (readonly [string, number])[] = [
  ['/', 120],
  ['/quickstart', 95],
  ['/installation', 70],
  ['/cli/deploy', 52],
  ['/cli/overview', 45],
  ['/guides/ci', 41],
  ['/api/introduction', 36],
  ['/guides/environments', 33],
  ['/guides/secrets', 30],
  ['/cli/troubleshooting', 28],
  ['/api/authentication', 26],
  ['/cli/config', 24],
  ['/guides/custom-domains', 22],
  ['/cli/install', 21],
  ['/api/deployments', 19],
  ['/guides/rollbacks', 17],
  ['/guides/preview-deployments', 15],
  ['/changelog', 14],
  ['/api/errors', 13],
  ['/concepts/architecture', 12],
  ['/cli/login', 11],
  ['/guides/health-checks', 10],
  ['/guides/monorepos', 8],
  ['/guides/webhooks', 7],
  ['/concepts/releases', 6],
  ['/concepts/config-resolution', 5],
]

export const pages: readonly Page[] = read.map(([path, weight], n) => ({ path, weight, bytes: 6_000 + 730 * (n % 11) }))

/** Returns the path of the Markdown version of a page. */
export function toMarkdownPath(path: string): string {
  return path === '/' ? '/index.md' : `${path}.md`
}

/** The redirects of `docs.json`. */
export const redirects = [
  ['/cli', '/cli/overview'],
  ['/api', '/api/introduction'],
] as const

/** Links that lead nowhere: the first is in a page of the site, the others in pages of others. */
export const missing = ['/guides/rollback', '/guides/rolling-back', '/cli/reference', '/installation/windows'] as const

/** Assets that a browser fetches with its first page. */
export const assets = [
  ['/assets/site.5f0c2e91.css', 14_213],
  ['/assets/site.a81b77d0.js', 48_890],
  ['/assets/fonts/inter.var.woff2', 48_256],
  ['/images/logo-light.svg', 1_204],
  ['/images/favicon.png', 1_982],
] as const

/** Assets of single pages. */
export const pageAssets: ReadonlyMap<string, readonly [string, number]> = new Map([
  ['/', ['/images/dashboard.svg', 9_311]],
  ['/concepts/architecture', ['/images/architecture.svg', 7_120]],
])
