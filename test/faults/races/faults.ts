// The faults of requests in a race: answers are lost, cut or replaced.

import type { ForgeFault } from '../../support/forge/server.ts'

export type Faults = {
  /** The share of the requests that fail, from 0 to 1. */
  readonly share: number
  /** The limit for one message. */
  readonly most: number
  readonly kinds: readonly [ForgeFault, ...ForgeFault[]]
}

const text = { 'Content-Type': 'text/plain' }
const html = { 'Content-Type': 'text/html' }
const answer = (status: number, body: string, headers: Readonly<Record<string, string>> = text): ForgeFault => ({
  kind: 'answer',
  status,
  headers,
  body,
})

export const softFaults: Faults = {
  share: 0.05,
  most: 2,
  kinds: [
    { kind: 'lose answer' },
    { kind: 'reset' },
    answer(502, '<html>Bad gateway', html),
    { kind: 'answer after', status: 502, body: '<html>Bad gateway' },
  ],
}

/** Whatever a forge, or a proxy in front of it, says for a moment, about a credential too. */
export const hardFaults: Faults = {
  share: 0.08,
  most: Infinity,
  kinds: [
    ...softFaults.kinds,
    answer(500, 'Internal error'),
    answer(503, 'Busy', { ...text, 'Retry-After': '1' }),
    answer(504, '<html>Gateway timeout', html),
    answer(429, 'Too many requests', { ...text, 'Retry-After': '1' }),
    answer(403, 'You have exceeded a secondary rate limit.', { ...text, 'Retry-After': '1' }),
    answer(403, 'Forbidden'),
    answer(401, 'Unauthorized', { ...text, 'WWW-Authenticate': 'Basic realm="x"' }),
    answer(200, '<h1>Sign in</h1>', html),
    answer(200, ''),
    { kind: 'truncate' },
    { kind: 'cut', bytes: 20 },
  ],
}
