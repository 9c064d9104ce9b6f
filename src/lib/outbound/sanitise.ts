// Makes text from another program or host safe to show in a message, a log or a page. Replaces the secrets of the call
// literally. Patterns are a second layer, for secrets that this service does not know.

import { shorten } from '../plain-text.ts'
import { redact } from './redact.ts'

const longest = 800

/** Returns one paragraph of at most 800 characters, without control characters and credentials. */
export function sanitise(text: string, secrets: readonly string[] = []): string {
  const paragraph = secrets
    .reduce((words, secret) => redact(words, secret), text)
    // oxlint-disable-next-line no-control-regex
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1')
    .replace(/\b(gh[a-z]_|github_pat_|gl[a-z]{2,5}-|sk-|xox[a-z]-|docent_|AKIA)[A-Za-z0-9_.-]{8,}/g, '$1[redacted]')
    .replace(/\b(authorization\s*[:=]\s*)(\w+\s+)?\S+/gi, '$1[redacted]')
    .replace(/\b(bearer\s+)\S+/gi, '$1[redacted]')
    .replace(/\b((?:token|password|passwd|secret|key)\s*[:=]\s*)\S+/gi, '$1[redacted]')
    .trim()
  return shorten(paragraph, longest)
}
