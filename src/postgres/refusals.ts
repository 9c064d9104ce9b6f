// Explains in one sentence why PostgreSQL cannot be opened, and the remedy: a wrong password, a missing database, a missing
// right, or a server that does not respond. For opening only; later, the same errors are faults of the service.

import { errnoOf } from '../lib/errno.ts'
import { Failure } from '../lib/failure.ts'
import { DatabaseAway } from './unavailable.ts'

/** Converts an error from opening the database at `url` to a Failure, if an operator can act on it. */
export function toOpeningFailure(error: unknown, url: string): unknown {
  const place = placeOf(url)
  if (error instanceof DatabaseAway) {
    const message = `PostgreSQL does not respond at ${place.server}. Check that it runs, and the host and port in DATABASE_URL.`
    return new DatabaseAway(error.cause, message)
  }
  const isOfTable = error instanceof Error && /\b(?:table|sequence|relation)\b/.test(error.message)
  const describe = isOfTable ? describeForeignTables : refusal
  const message = describe(errnoOf(error) ?? '', place)
  return message === undefined ? error : new Failure('config_invalid', message, { cause: error })
}

/** Explains how to get the right to create tables. */
export function describeMissingRight({ user, database }: Pick<Place, 'user' | 'database'>): string {
  return (
    `The PostgreSQL user ${user} may not create tables in the schema public of the database ${database}. Make it the ` +
    `owner: \`createdb -O ${user} ${database}\` for a new database, \`alter database ${database} owner to ${user}\` otherwise.`
  )
}

/** The server reports tables without rights, and tables of another owner, under the code of a missing right. */
function describeForeignTables(code: string, { user, database }: Place): string | undefined {
  if (code !== '42501') return undefined
  return (
    `The tables in the database ${database} belong to another PostgreSQL user than ${user}. Use the user that owns them in ` +
    `DATABASE_URL, or give them to ${user}: \`reassign owned by <owner> to ${user}\`.`
  )
}

type Place = { readonly user: string; readonly database: string; readonly server: string }

/** SQLSTATE, appendix A of PostgreSQL's manual. */
function refusal(code: string, { user, database, server }: Place): string | undefined {
  switch (code) {
    case '28P01':
      return `PostgreSQL at ${server} refuses the password of the user ${user}. Correct the password in DATABASE_URL.`
    case '28000':
      return `PostgreSQL at ${server} does not let the user ${user} connect. Check the user in DATABASE_URL, and pg_hba.conf on the server.`
    case '3D000':
      return `PostgreSQL at ${server} has no database ${database}. Create it with \`createdb -O ${user} ${database}\`, or correct DATABASE_URL.`
    case '42501':
      return describeMissingRight({ user, database })
    default:
      return undefined
  }
}

/** Never the password. */
export function placeOf(url: string): Place {
  const { hostname = '', port = '', username = '', pathname = '' } = URL.parse(url) ?? {}
  const user = decodeURIComponent(username) || 'docent'
  return {
    user,
    database: decodeURIComponent(pathname.slice(1)) || user,
    server: hostname === '' ? 'the address in DATABASE_URL' : `${hostname}:${port || '5432'}`,
  }
}
