// The types of the jobs database for the rest of the service. They are separate from the code that opens an engine, so
// that using a type loads no driver.

import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>
export type Trx = Transaction<Schema>

/**
 * Called after a commit that notified the channel, in any process, and with '' whenever notifications may have been
 * missed.
 */
export type NotificationHandler = (payload: string) => void

/** `address`: the IP address of the server; undefined for a socket file. */
export type ServerTime = { readonly now: Date; readonly address: string | undefined }

export interface Postgres {
  readonly db: Db
  /** Returns the function that stops listening. */
  listen(channel: string, handle: NotificationHandler): Promise<() => Promise<void>>
  /**
   * Takes a lock that all processes share, for work outside of transactions; returns its release. Undefined for the
   * embedded database, whose folder belongs to one process.
   */
  readonly hold?: (name: string, signal: AbortSignal) => Promise<() => Promise<void>>
  /**
   * Removes dead versions of rows from the tables that have changed, and renews what the planner knows of them; stops
   * between two tables when `signal` is aborted. Undefined for a server, which does so itself.
   */
  readonly tidy?: (signal: AbortSignal) => Promise<void>
  /** Copies the files of the embedded database, as of one moment, to a new folder. A server has no such files. */
  readonly snapshot?: (into: string) => Promise<void>
  /**
   * Reads the clock of the database's server. Undefined for the embedded database, which uses the clock of this
   * machine.
   */
  readonly readTime?: () => Promise<ServerTime>
  close(): Promise<void>
}
