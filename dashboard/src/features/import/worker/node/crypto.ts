// Takes the place of `node:crypto` where the import of logs runs in a browser: SHA-256 at once, which WebCrypto gives only
// as a promise, and not on plain http from another machine. The ids of lines must equal those of the command line.

import { sha256 } from './sha256.ts'

export function hash(_algorithm: 'sha256', data: string | Uint8Array, form: 'hex' | 'base64url'): string {
  const bytes = sha256(typeof data === 'string' ? new TextEncoder().encode(data) : data)
  if (form === 'hex') return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
