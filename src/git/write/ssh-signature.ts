// Signs commits with an ssh key, in the format that `git verify-commit` and forges read: PROTOCOL.sshsig of OpenSSH, with an
// Ed25519 key and SHA-512. git's own way (`gpg.format=ssh`) needs ssh-keygen and the key in a file.
// The same key and content always give the same signature, so a commit can be made again. Pure.

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'

const keyType = 'ssh-ed25519'
const [magic, reserved, hash] = ['SSHSIG', '', 'sha512']

/** Returns the private key, as PEM. */
export function createSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
}

/** The public half, as forges take it: `ssh-ed25519 AAAA… <comment>`. */
export function publicLineOf(privateKey: string, comment: string): string {
  return `${keyType} ${publicKeyOf(privateKey).toString('base64')} ${comment}`
}

/** As `ssh-keygen -l` and the pages of forges show it. */
export function fingerprintOf(privateKey: string): string {
  const digest = createHash('sha256').update(publicKeyOf(privateKey)).digest('base64')
  return `SHA256:${digest.replace(/=+$/, '')}`
}

/** A signature counts only in its namespace: `git` for commits, `gitea` for the proof that Gitea asks for. */
export type Namespace = 'git' | 'gitea'

/** Returns the signature with its armour, without a line break at the end. */
export function signContent(privateKey: string, content: Uint8Array, namespace: Namespace = 'git'): string {
  const digest = createHash(hash).update(content).digest()
  const signed = Buffer.concat([Buffer.from(magic), ...[namespace, reserved, hash, digest].map(packed)])
  const signature = Buffer.concat([keyType, sign(null, signed, createPrivateKey(privateKey))].map(packed))
  const version = Buffer.from([0, 0, 0, 1])
  const parts = [publicKeyOf(privateKey), namespace, reserved, hash, signature].map(packed)
  const text = Buffer.concat([Buffer.from(magic), version, ...parts]).toString('base64')
  const lines = text.match(/.{1,70}/g) ?? []
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----'].join('\n')
}

function publicKeyOf(privateKey: string): Buffer {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return Buffer.concat([keyType, Buffer.from(x, 'base64url')].map(packed))
}

/** A string of the ssh protocol: its length in four bytes, then its bytes. */
function packed(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
