// The names under which the parts of Docent are published. Messages, packages and guides take them from here.

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
