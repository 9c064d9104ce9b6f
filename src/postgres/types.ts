// The types by which features name the jobs database: a connection, and a transaction on it.

import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>
export type Trx = Transaction<Schema>
