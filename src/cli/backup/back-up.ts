// Writes a backup to a file. While a service runs on the data directory, it makes the backup; otherwise this process does.

import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Config } from '../../config/config.ts'
import { syncFolder } from '../../lib/folder.ts'
import type { Manifest } from '../../service/backup.ts'
import { isServed, socketPath } from '../../service/socket.ts'
import { openSocketApi, throwProblem } from '../api/api.ts'
import { sendRequest } from '../api/transport.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { exists } from './files.ts'

type Holds = Manifest['holds']
/** `nothing`: no file was written, because beside a database server there are no page views yet. */
type Written = { readonly bytes: number; readonly holds: Holds | 'nothing' }

/** Throws a usage failure if the file exists, or its folder does not. */
export async function refusePlace(file: string): Promise<void> {
  if (await exists(file)) throw usage(`${file} already exists.`)
  if (!(await exists(dirname(file))))
    throw usage(`There is no folder ${dirname(file)}: create it, or name another file.`)
}

/** The file gets its name once the whole backup is on the disk. */
export async function backUp(context: CommandContext, config: Config, file: string): Promise<Written> {
  await refusePlace(file)
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
