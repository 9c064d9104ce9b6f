// Checks an ssh credential: a private key without a passphrase, and the keys of the host. Returns both in the form that ssh
// accepts, which includes the last line break of a key.

import { execFile } from 'node:child_process'
import { Failure } from '../../../lib/failure.ts'
import type { KeyCredential } from '../../types.ts'
import { withKeyFolder } from './key-folder.ts'

const maxLength = 16_384
const deadlineMs = 10_000
/** JSON pointers to the fields of the input. */
const own = '#/privateKey'
const host = '#/hostKey'

/** `path` is the PATH on which ssh-keygen is found. Throws `invalid_input` with the reason, which never quotes the key. */
export async function checkKey(given: KeyCredential, directory: string, path: string): Promise<KeyCredential> {
  const hostKey = hostKeys(given.hostKey)
  if (given.privateKey.length > maxLength) refuse(own, 'The private key is too long.')
  const privateKey = `${given.privateKey.replaceAll(/\r\n?/g, '\n').trim()}\n`
  if (!/^-----BEGIN [A-Z ]*PRIVATE KEY-----\n/.test(privateKey)) {
    refuse(own, 'The private key must begin with a line such as -----BEGIN OPENSSH PRIVATE KEY-----.')
  }
  await withKeyFolder(directory, { key: privateKey }, (folder) => readKey(`${folder}/key`, path))
  return { privateKey, hostKey }
}

/** Reads lines of `ssh-keyscan`, of a known_hosts file, or a bare key; returns `<type> <key>` lines. */
function hostKeys(text: string): string {
  if (text.length > maxLength) refuse(host, 'The key of the host is too long.')
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const keys = lines.map((line) => {
    const words = line.trim().split(/\s+/)
    const at = words.findIndex((word) => /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp\d{3})$/.test(word))
    const [type = '', key = ''] = at >= 0 && at <= 1 ? words.slice(at) : []
    if (!isKey(type, key)) refuse(host, 'The key of the host must be a line of `ssh-keyscan HOST`.')
    return `${type} ${key}`
  })
  if (keys.length === 0) refuse(host, 'The key of the host is missing: enter a line of `ssh-keyscan HOST`.')
  return [...new Set(keys)].join('\n')
}

/** A key begins with the length of its type, and the type. */
function isKey(type: string, key: string): boolean {
  const bytes = Buffer.from(key, 'base64')
  if (type === '' || bytes.toString('base64') !== key || bytes.length < 32) return false
  return bytes.readUInt32BE(0) === type.length && bytes.toString('latin1', 4, 4 + type.length) === type
}

/** Derives the public key with ssh-keygen, which works only for a key that ssh can use. */
async function readKey(file: string, path: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<'read' | 'locked' | 'broken'>()
  const options = { env: { PATH: path, LC_ALL: 'C' }, timeout: deadlineMs }
  const child = execFile('ssh-keygen', ['-y', '-P', '', '-f', file], options, (error, _, stderr) => {
    if (error === null) resolve('read')
    else resolve(/passphrase/.test(stderr) ? 'locked' : 'broken')
  })
  child.stdin?.end()
  const found = await promise
  if (found === 'locked') refuse(own, 'The private key has a passphrase: enter a key without one.')
  if (found === 'broken') refuse(own, 'The private key cannot be read: enter the whole file, as ssh-keygen wrote it.')
}

function refuse(pointer: string, message: string): never {
  throw new Failure('invalid_input', message, { details: [{ pointer, message }] })
}
