// The log of a server behind a CDN: the connections are those of 40 public addresses, and each line ends with the reader's in
// X-Forwarded-For. Counts the readers while it writes.

import { createRandom } from './random.ts'

export type ProxiedLog = {
  readonly lines: readonly string[]
  /** Different readers, by address and browser. */
  readonly readers: number
}

const proxies = 40
const addresses = 6_000
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Over the `days` before `until`, which is in milliseconds. */
export function makeProxiedLog(count: number, until: number, days: number): ProxiedLog {
  const random = createRandom(24)
  const draw = (below: number) => random.int(below)
  const readers = new Set<string>()
  const lines = Array.from({ length: count }, (_, n) => {
    const time = new Date(until - days * 86_400_000 + Math.floor((n / count) * days * 86_400_000))
    const address = draw(addresses)
    const agent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${140 + (address % 4)}.0.0.0 Safari/537.36`
    const reader = `203.0.${address >> 8}.${address & 255}`
    readers.add(reader)
    const peer = `172.64.${draw(proxies)}.7`
    return `${peer} - - [${clf(time)}] "GET /page-${draw(80)} HTTP/1.1" 200 512 "-" "${agent}" "${reader}"`
  })
  return { lines, readers: readers.size }
}

function clf(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${two(time.getUTCDate())}/${months[time.getUTCMonth()]}/${time.getUTCFullYear()}`
  return `${day}:${time.toISOString().slice(11, 19)} +0000`
}
