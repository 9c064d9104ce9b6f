// The token with which a GitHub App authenticates: a JWT signed with its private key. Only `app-token.ts` and `app-api.ts`
// send it, to mint installation tokens and to read the App's own data.

import { createPrivateKey, createSign, type KeyObject } from 'node:crypto'
import { Failure } from '../../lib/failure.ts'

export type AppIdentity = { readonly appId: number; readonly privateKey: KeyObject }

/** GitHub accepts an `exp` at most 10 minutes ahead, and this machine's clock may be a minute ahead of GitHub's. */
const lifetimeSeconds = 9 * 60
const backdateSeconds = 60

export function createAppJwt({ appId, privateKey }: AppIdentity, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const header = encode({ alg: 'RS256', typ: 'JWT' })
  const claims = encode({ iat: seconds - backdateSeconds, exp: seconds + lifetimeSeconds, iss: String(appId) })
  const signature = createSign('RSA-SHA256').update(`${header}.${claims}`).sign(privateKey, 'base64url')
  return `${header}.${claims}.${signature}`
}

/** Reads the PEM that GitHub gave (PKCS#1) or PKCS#8. Throws `invalid_input`; the message never repeats the text. */
export function parsePrivateKey(pem: string): KeyObject {
  const key = readKey(pem)
  if (key?.asymmetricKeyType === 'rsa') return key
  throw new Failure(
    'invalid_input',
    'The private key of a GitHub App is the whole .pem file that GitHub gave you, from `-----BEGIN` to `-----END`.',
  )
}

/** GitHub's message when this machine's clock is ahead of its own. */
export function blamesClock(status: number, message: string): boolean {
  return status === 401 && /'(expiration|issued at)[^']*' claim/i.test(message)
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem.replaceAll('\r\n', '\n').trim())
  } catch {
    return undefined
  }
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
