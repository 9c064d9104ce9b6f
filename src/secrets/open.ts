// Opens the keys of a service at its start: from DOCENT_SECRET_KEY, or from the key file, which the first start creates. The
// start fails if the key is not the one that encrypted the secrets of the database. After the loss of a key file, the
// service starts with a new key, and each secret has to be entered again.

import { Failure } from '../lib/failure.ts'
import type { Log } from '../lib/observability/log.ts'
import type { Db } from '../postgres/types.ts'
import { insertCheck, type KeySource, readCheck, replaceCheck } from './check.ts'
import { createKeyFile, readKeyFile, replaceKeyFile } from './key-file.ts'
import { generateKey, type KeyRing, parseKeys } from './keys.ts'
import { reencrypt, type Reencrypted } from './reencrypt.ts'
import { createSecrets, type Secrets } from './secrets.ts'

export type SecretStore = Secrets & {
  /** The file that contains the key; undefined if DOCENT_SECRET_KEY is set. */
  readonly keyFile: string | undefined
  /**
   * Encrypts some values again with the first key. Call it until `remaining` is 0. With a key file, the first call adds a
   * new key to the file and the last one removes the old keys. Continues an interrupted rotation.
   */
  rotate(): Promise<Reencrypted>
}

type Options = {
  readonly db: Db
  /** The keys of DOCENT_SECRET_KEY. Undefined: the key file is used. */
  readonly setting: KeyRing | undefined
  readonly keyFile: string
  readonly log: Pick<Log, 'warn'>
}

/** Accepts the current key, or a new one in the file, although another key encrypted the secrets of the database. */
export async function resetSecrets({ db, setting, keyFile }: Options): Promise<Reencrypted> {
  const source = setting ? 'setting' : 'file'
  if (!setting && !(await readKeyFile(keyFile))) await createKeyFile(keyFile, generateKey())
  const ring = setting ?? (await readForRotation(keyFile)).ring
  await replaceCheck(db, ring, source)
  return reencrypt(db, ring, source)
}

/** Throws `config_invalid`, with a sentence that says which key is missing. */
export async function openSecrets(options: Options): Promise<SecretStore> {
  return options.setting === undefined ? openKeyFile(options) : openSetting(options, options.setting)
}

async function openSetting({ db }: Options, ring: KeyRing): Promise<SecretStore> {
  await confirm(db, ring, 'setting', (keyId, source) => {
    const lost = 'if it is lost, run `docent secrets reset`'
    return source === 'setting'
      ? `DOCENT_SECRET_KEY is not the key that encrypted the secrets of this database (${keyId}): set that key, or both as \`new,old\`; ${lost}.`
      : `The secrets of this database were encrypted with the key of a key file (${keyId}): add that key as \`new,old\` to DOCENT_SECRET_KEY; ${lost}.`
  })
  return {
    ...createSecrets(() => ring),
    keyFile: undefined,
    rotate: () => reencrypt(db, ring, 'setting'),
  }
}

async function openKeyFile({ db, keyFile, log }: Options): Promise<SecretStore> {
  const opened = (await readKeyFile(keyFile)) ?? (await makeKeyFile({ db, keyFile, log }))
  await confirm(db, opened.ring, 'file', (keyId) => {
    const otherwise = 'remove the file to start with a new key and enter every secret again'
    return `The key file ${keyFile} is not the one that encrypted the secrets of this database (${keyId}): put that one in its place, or ${otherwise}.`
  })
  let ring = opened.ring
  return {
    ...createSecrets(() => ring),
    keyFile,
    rotate: async () => {
      const { lines } = await readForRotation(keyFile)
      const isNew = lines.length === 1
      const keys = isNew ? [generateKey(), ...lines] : lines
      if (isNew) await replaceKeyFile(keyFile, keys)
      // The old keys stay in memory until the process ends: a request may hold a value that it read before.
      ring = parseKeys(keys.join(','))
      const result = await reencrypt(db, ring, 'file')
      if (result.remaining === 0) await replaceKeyFile(keyFile, keys.slice(0, 1))
      return result
    },
  }
}

async function readForRotation(keyFile: string): ReturnType<typeof makeKeyFile> {
  const read = await readKeyFile(keyFile)
  if (read) return read
  const words = 'put it back before you rotate its key; it is still in the memory of the service'
  throw new Failure('config_invalid', `The key file ${keyFile} is missing: ${words}.`)
}

/** The first start, or a start after a restore without the key file. */
async function makeKeyFile({ db, keyFile, log }: Omit<Options, 'setting'>) {
  const check = await readCheck(db, undefined)
  const key = generateKey()
  if (check.kind !== 'absent') {
    if (check.source === 'setting') {
      const words = 'set it again; if the key is lost, set a new one and run `docent secrets reset`'
      throw new Failure(
        'config_invalid',
        `DOCENT_SECRET_KEY encrypted the secrets of this database, but is not set: ${words}.`,
      )
    }
    // Before the file is written: if the process dies in between, there is no file, and the next start repeats both.
    await replaceCheck(db, parseKeys(key), 'file')
    log.warn({ keyFile, lostKey: check.keyId }, 'the key file is missing: a new key is used, enter every secret again')
  }
  await createKeyFile(keyFile, key)
  const made = await readKeyFile(keyFile)
  if (made) return made
  throw new Failure('config_invalid', `The key file ${keyFile} vanished after it was created.`)
}

/** Checks the keys against the database, and writes the check value if it is missing or names another source. */
async function confirm(
  db: Db,
  ring: KeyRing,
  source: KeySource,
  refusal: (keyId: string, source: KeySource) => string,
): Promise<void> {
  await insertCheck(db, ring, source)
  const check = await readCheck(db, ring)
  if (check.kind === 'wrong') throw new Failure('config_invalid', refusal(check.keyId, check.source))
  if (check.kind === 'right' && check.source !== source) await replaceCheck(db, ring, source)
}
