// Opens connections to chDB in a folder, and inserts blocks through a file in it. The binding runs all statements with
// parameters of a process one after another, on whatever connection, so a query of one day would wait for those of a year.
// Here parameters are written into the text.

import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { createClient } from '@clickhouse/client'
import { Failure } from '../lib/failure.ts'
import { makePrivateFolder } from '../lib/folder.ts'
import { startThread } from '../lib/threads/threads.ts'
import { engineAdvice, findChdb, requireChdb } from './chdb.ts'
import { text } from './literal.ts'
import type { Params } from './query.ts'
import { writeParams } from './write-params.ts'

export type EmbeddedConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

const threadMb = 64
/** The thread only waits. With the usual memory for new objects, it keeps 16 MB. */
const threadYoungMb = 2

type Embedded = {
  readonly connect: () => EmbeddedConnection
  /** Calls `run` with an expression for the rows of a block in the format `Native`, one call at a time. */
  readonly withBlock: (block: Buffer, run: (rows: string) => Promise<void>) => Promise<void>
  /** Call it once, after all connections are closed. */
  readonly close: () => Promise<void>
}

/** Loads the engine, half a gigabyte of machine code. */
export async function openEmbeddedStore(directory: string): Promise<Embedded> {
  await makePrivateFolder(directory)
  const incoming = join(directory, 'incoming.native')
  const removeIncoming = () => rm(incoming, { force: true })
  await removeIncoming()
  const { createChdbConnection, close } = await openEngine(directory)
  return {
    close,
    // chDB is compiled against another version of the client; their types differ only in `undefined`.
    connect: () => withLiterals(createChdbConnection({ path: directory }) as unknown as EmbeddedConnection),
    withBlock: async (block, run) => {
      try {
        await writeFile(incoming, block, { mode: 0o600 })
        await run(`file(${text(incoming)}, Native)`)
      } finally {
        await removeIncoming()
      }
    },
  }
}

/**
 * The thread opens the engine first and closes it last: queries of a connection that outlives the first one never end. Throws what the
 * engine says about a folder that it cannot open.
 */
async function openEngine(directory: string) {
  if (!findChdb()) throw new Failure('unavailable', engineAdvice)
  const thread = startThread(new URL('engine-thread.ts', import.meta.url), threadMb, {
    given: directory,
    youngMb: threadYoungMb,
  })
  await once(thread, 'message')
  // A process that ends without closing the store need not wait for it.
  thread.unref()
  const { createChdbConnection, drainPending } = requireChdb()
  const close = async () => {
    await drainPending()
    thread.ref()
    const ended = once(thread, 'exit')
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage('close')
    await ended
  }
  return { createChdbConnection, close }
}

function withLiterals(connection: EmbeddedConnection): EmbeddedConnection {
  return {
    ping: (params) => connection.ping(params),
    close: () => connection.close(),
    insert: (params) => connection.insert(params),
    exec: async (params) => connection.exec(write(params)),
    query: async (params) => connection.query(write(params)),
    command: async (params) => connection.command(write(params)),
  }
}

function write<T extends { query: string; query_params?: Params | undefined }>(given: T): T {
  const { query_params: params, ...others } = given
  return params ? ({ ...others, query: writeParams(given.query, params) } as T) : given
}
