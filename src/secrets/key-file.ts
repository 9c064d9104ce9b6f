// The file that contains the keys if DOCENT_SECRET_KEY is not set: one key per line, of which the first one encrypts. Lines
// that start with # are comments. Only its owner may read the file. Writing is atomic: a process that dies leaves the old
// file or the new one.

import { randomUUID } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errnoOf } from '../lib/errno.ts'
import { Failure } from '../lib/failure.ts'
import { syncFolder } from '../lib/folder.ts'
import { keyAdvice, type KeyRing, parseKeys } from './keys.ts'

/** The name of the file in the data directory. */
export const keyFileName = 'secret.key'

export type KeyFile = {
  /** The lines with keys, for writing the file again. */
  readonly lines: readonly string[]
  readonly ring: KeyRing
}

/** Returns undefined if there is no file. Throws `config_invalid` if others can read it, or if it holds no keys. */
export async function readKeyFile(path: string): Promise<KeyFile | undefined> {
  const file = await open(path).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw new Failure('config_invalid', `The key file ${path} cannot be read.`, { cause: error })
  })
  if (!file) return undefined
  try {
    const { mode } = await file.stat()
    if ((mode & 0o077) !== 0) {
      throw new Failure(
        'config_invalid',
        `Others can read the key file ${path}: run \`chmod 600\` on it, and rotate the key if anybody may have read it.`,
      )
    }
    return parseKeyFile(path, await file.readFile('utf8'))
  } finally {
    await file.close()
  }
}

function parseKeyFile(path: string, text: string): KeyFile {
  const lines = text.split('\n').flatMap((line) => (line.startsWith('#') ? [] : line.trim() || []))
  try {
    return { lines, ring: parseKeys(lines.join(',')) }
  } catch (cause) {
    const words = 'must hold one key a line, 32 bytes in base64 each'
    throw new Failure('config_invalid', `The key file ${path} ${words}: ${keyAdvice}.`, { cause })
  }
}

/** Creates the file. If another process created it first, that one stays: read it afterwards. */
export async function createKeyFile(path: string, key: string): Promise<void> {
  await writeBeside(path, [key], async (beside) => {
    await link(beside, path).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error
    })
    await rm(beside)
  })
}

/** Replaces the keys in an existing file. */
export async function replaceKeyFile(path: string, keys: readonly string[]): Promise<void> {
  await writeBeside(path, keys, (beside) => rename(beside, path))
}

const comment = `# These keys encrypt the secrets in Docent's database: the first one encrypts, all decrypt.
# Keep a copy of this file apart from the backups, which hold the encrypted values.
`

async function writeBeside(path: string, keys: readonly string[], place: (beside: string) => Promise<void>) {
  const beside = `${path}.${randomUUID()}`
  try {
    const file = await open(beside, 'wx', 0o600)
    try {
      await file.writeFile(`${comment}${keys.join('\n')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await place(beside)
    await syncFolder(dirname(path))
  } finally {
    await rm(beside, { force: true })
  }
}
