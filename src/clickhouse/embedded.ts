// Opens connections to chDB in a folder. The binding runs all statements with parameters of a process one after another,
// on whatever connection, so a query of one day waited for those of a year. Here parameters are written into the text.

import type { createClient } from '@clickhouse/client'
import { makePrivateFolder } from '../lib/private-folder.ts'
import type { Params } from './query.ts'
import { writeParams } from './write-params.ts'

export type EmbeddedConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

/** Loads the engine, half a gigabyte of machine code. */
export async function openEmbeddedStore(directory: string): Promise<() => EmbeddedConnection> {
  await makePrivateFolder(directory)
  const { createChdbConnection } = await import('chdb/connection')
  // chDB is compiled against another version of the client; their types differ only in `undefined`.
  return () => withLiterals(createChdbConnection({ path: directory }) as unknown as EmbeddedConnection)
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
