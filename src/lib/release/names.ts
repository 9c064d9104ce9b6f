// The names under which Docent is published. Messages, packages and the tools of a release take them from here; texts repeat them,
// and `npm run release -- --check-names` compares each. Change a name here first: the check then lists every text to change.

export const packages = {
  /** The service and the command line. */
  service: 'docent',
  /** The engine that stores page views. */
  analytics: '@docent/analytics',
  /** `docent check` alone. */
  check: '@docent/check',
  /** The client of the API, and the recorders of page views. */
  client: '@docent/client',
} as const

/** Where the sources, the releases and the reports of vulnerabilities are. */
export const repository = 'https://github.com/docent-docs/docent'

/** The container image, without its version. */
export const image = 'ghcr.io/docent-docs/docent'
