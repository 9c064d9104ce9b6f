// `docent backup` and `docent restore`: the embedded database and page views as one file, or the page views alone if the
// database is a PostgreSQL server. While a service runs on the data directory, it makes the backup; otherwise this
// process does.

import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { type Config, parseConfig } from '../../config/config.ts'
import { keyFileName } from '../../secrets/key-file.ts'
import type { Manifest } from '../../service/backup.ts'
import { isServed, socketPath } from '../../service/socket.ts'
import { openSocketApi, throwProblem } from '../api/api.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { sendRequest } from '../api/transport.ts'
import { syncFolder } from '../../lib/folder.ts'
import { exists } from './files.ts'

type Options = { readonly json?: true }

export function defineBackup(command: Command, context: CommandContext): void {
  command.option('--json', 'print one JSON object').action(async (file: string, options: Options) => {
    const config = readConfig(context)
    const { bytes, holds } = await backUp(context, config, resolve(file))
    // Page views hold no secrets.
    const keepApart = holds === 'all' ? await whatToKeep(config) : null
    const written = holds === 'nothing' ? null : resolve(file)
    const wrote = `Wrote ${file}, ${(bytes / 1e6).toFixed(1)} MB.`
    const words = {
      all: `${wrote}${describeKeeping(keepApart)}`,
      page_views: `${wrote}\nIt holds the page views only. ${useDump}`,
      nothing: `Wrote no file: there are no page views in ${config.dataDir} yet. ${useDump}`,
    }[holds]
    context.output.print(options.json ? JSON.stringify({ file: written, bytes, holds, keepApart }) : words)
  })
}

const useDump = 'Back up the PostgreSQL database with pg_dump, before the page views.'

export function defineRestore(command: Command, context: CommandContext): void {
  command.option('--json', 'print one JSON object').action(async (file: string, options: Options) => {
    const config = readConfig(context)
    const { restore } = await import('./restore.ts')
    const { createdAt, counts, database } = await restore(config, resolve(file))
    const rows = database ? `${database.projects} projects, ${database.jobs} jobs, ${database.keys} keys and ` : ''
    const needsKey = database && (await whatToKeep(config)) === null
    const next = needsKey ? describeMissingKey(config) : ''
    const held = `${rows}${counts.pageViews} page views`
    const words = `Restored ${held} as of ${createdAt} to ${config.dataDir}.${next} Start the service with \`docent serve\`.`
    context.output.print(options.json ? JSON.stringify({ dataDir: config.dataDir, createdAt, counts }) : words)
  })
}

/** The key that a restore of the backup needs: a file, or the setting; null when there is no key yet. */
async function whatToKeep({ secretKey, dataDir }: Config): Promise<string | null> {
  if (secretKey) return 'DOCENT_SECRET_KEY'
  const keyFile = join(dataDir, keyFileName)
  return (await exists(keyFile)) ? keyFile : null
}

function describeKeeping(keepApart: string | null): string {
  if (keepApart === null) return ''
  const reason = 'Without it, every credential and model key has to be entered again after a restore.'
  return `\nSecrets in it are encrypted, and their key is not in it: keep ${keepApart} in another place. ${reason}`
}

function describeMissingKey({ dataDir }: Config): string {
  const keyFile = join(dataDir, keyFileName)
  return `\nIf it holds secrets, first put its key at ${keyFile} (mode 0600); otherwise, enter them again later.\n`
}

function readConfig({ environment }: CommandContext): Config {
  const config = parseConfig(environment)
  if (config.database.url !== undefined && config.clickhouseUrl !== undefined) {
    throw usage('DATABASE_URL and CLICKHOUSE_URL are set: use the tools of both servers (docs/guides/postgresql.md).')
  }
  if (environment['DOCENT_URL'])
    throw usage('DOCENT_URL is set, but a backup reads the data directory on this machine.')
  return config
}

type Holds = Manifest['holds']
/** `nothing`: no file was written, because beside a database server there are no page views yet. */
type Written = { readonly bytes: number; readonly holds: Holds | 'nothing' }

/** The file gets its name once the whole backup is on the disk. */
async function backUp(context: CommandContext, config: Config, file: string): Promise<Written> {
  if (await exists(file)) throw usage(`${file} already exists.`)
  const partial = `${file}.partial-${randomUUID()}`
  try {
    const { holds, content } = await openSource(config)
    const gzip = createGzip()
    const target = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
    const read = { bytes: 0 }
    await pipeline(content, (chunks) => reportProgress(context, chunks, read), gzip, target, { signal: context.stop })
    if (holds === 'page_views' && read.bytes === 0) return { bytes: 0, holds: 'nothing' }
    await rename(partial, file)
    await syncFolder(dirname(file))
    return { bytes: target.bytesWritten, holds }
  } finally {
    await rm(partial, { force: true })
  }
}

/** The part of the status of a running service that a backup needs. */
type LocalStatus = { readonly database: 'embedded' | 'server' }
type Source = { readonly holds: Holds; readonly content: AsyncIterable<Uint8Array> }

async function openSource(config: Config): Promise<Source> {
  if (!(await isServed(config))) {
    const { readStopped } = await import('./stopped.ts')
    return { holds: config.database.url === undefined ? 'all' : 'page_views', content: readStopped(config) }
  }
  // The service knows which database it runs on: this process may have other settings.
  const status = JSON.parse((await openSocketApi(config).send('GET', '/local/status')).body) as LocalStatus
  const request = { method: 'GET', path: '/local/backup', headers: {} }
  const reply = await sendRequest({ socketPath: socketPath(config) }, request)
  if (reply.status !== 200 && reply.status !== 204) await throwProblem(reply)
  const content = reply.body as AsyncIterable<Uint8Array>
  return { holds: status.database === 'embedded' ? 'all' : 'page_views', content }
}

const reportEvery = 64 * 1024 * 1024

async function* reportProgress(
  { output, json }: CommandContext,
  chunks: AsyncIterable<Uint8Array>,
  read: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const before = Math.floor(read.bytes / reportEvery)
    read.bytes += chunk.length
    if (!json && Math.floor(read.bytes / reportEvery) > before) output.warn(`… ${Math.floor(read.bytes / 1e6)} MB read`)
    yield chunk
  }
}
