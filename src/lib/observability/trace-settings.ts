// Reads the destination of traces from OpenTelemetry's environment variables. Imports no OpenTelemetry package, so that
// reading the settings loads no SDK.

export type TraceSettings = {
  /** The whole address, `/v1/traces` included. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
}

type Given = {
  readonly endpoint: string | undefined
  readonly tracesEndpoint: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly serviceName: string
}

/** Undefined: traces are not sent. */
export function toTraceSettings({ endpoint, tracesEndpoint, headers = {}, serviceName }: Given) {
  const url = tracesEndpoint ?? (endpoint === undefined ? undefined : `${endpoint}/v1/traces`)
  return url === undefined ? undefined : { url, headers, serviceName }
}

/** Parses OpenTelemetry's form `name=value,…` with percent-encoded values. */
export function headerPairs(value: string): Readonly<Record<string, string>> {
  const parts = value.split(',').flatMap((one) => one.trim() || [])
  const pairs = parts.map((one) => /^([\w-]+)\s*=\s*(.*)$/.exec(one))
  if (pairs.some((pair) => pair === null)) throw new Error('must be name=value, with commas between several')
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]))
}
