// Lines that something else wrote around those of the server: container runtimes, syslog, quotes. The first lines say which it
// is; then it is taken off every line before a format reads it. Each pattern is anchored and reads a byte once.

type Unwrap = (line: string) => string | undefined

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)`
const program = String.raw`[^\s:[\]]{1,100}(?:\[\d{1,10}\])?: `

const unwraps: readonly Unwrap[] = [
  // Kubernetes: `2026-10-20T09:00:00.123456789Z stdout F …`; `P` is a part of a long line.
  after(new RegExp(String.raw`^${time} std(?:out|err) F `)),
  unwrapDocker,
  // RFC 3164 and the time of rsyslog: `<134>Oct 20 09:00:00 web1 nginx[42]: …`
  after(new RegExp(String.raw`^(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|${time}) \S{1,255} ${program}`)),
  // RFC 5424: `<134>1 2026-10-20T09:00:00Z web1 nginx 42 - - …`
  after(new RegExp(String.raw`^<\d{1,3}>1 ${time} \S{1,255} \S{1,48} \S{1,128} \S{1,32} (?:-|\[[^\]]{0,1000}\]) `)),
  unwrapQuotes,
]

/** Returns the function that takes off what most of the first lines have around them. */
export function findUnwrap(sample: readonly string[]): (line: string) => string {
  const most = unwraps.find((unwrap) => sample.filter((line) => unwrap(line) !== undefined).length * 2 > sample.length)
  return most === undefined ? (line) => line : (line) => most(line) ?? line
}

function after(pattern: RegExp): Unwrap {
  return (line) => {
    const found = pattern.exec(line)?.[0]
    return found === undefined ? undefined : line.slice(found.length)
  }
}

/** Docker's `json-file`: `{"log":"…\n","stream":"stdout","time":"…"}` */
function unwrapDocker(line: string): string | undefined {
  if (!line.startsWith('{"log":"')) return undefined
  try {
    const { log } = JSON.parse(line) as { readonly log?: unknown }
    return typeof log === 'string' ? log.trimEnd() : undefined
  } catch {
    return undefined
  }
}

/** OpenLiteSpeed: the whole line is in quotes; those within may be escaped. */
function unwrapQuotes(line: string): string | undefined {
  if (!/^"[\w.:-]+ .*\[.*"$/.test(line)) return undefined
  const inner = line.slice(1, -1)
  return inner.includes(String.raw`\"`) ? inner.replaceAll(String.raw`\"`, '"') : inner
}
