// Finds chDB: among the packages of this installation, or in the package of the engine beside it.

import { createRequire } from 'node:module'
import type * as Chdb from 'chdb'
import type * as ChdbConnection from 'chdb/connection'
import { packages } from '../lib/release/names.ts'

const own = createRequire(import.meta.url)

/** Resolves the modules of chDB. Undefined: it is not installed. */
export function findChdb(): NodeJS.Require | undefined {
  return [own, beside()].find((one) => one !== undefined && canResolve(one, 'chdb'))
}

type Engine = Pick<typeof Chdb, 'Session' | 'drainPending'> & Pick<typeof ChdbConnection, 'createChdbConnection'>

/** Throws when it is not installed. */
export function requireChdb(): Engine {
  const found = findChdb() ?? own
  const { Session, drainPending } = found('chdb') as typeof Chdb
  const { createChdbConnection } = found('chdb/connection') as typeof ChdbConnection
  return { Session, drainPending, createChdbConnection }
}

/** To add the engine, in the words of a person who installed the service without it. */
export const engineAdvice = `Page views need an engine: run \`npm install --global ${packages.analytics}\`, or set CLICKHOUSE_URL to a ClickHouse server. The engine has no build for Windows, or for Linux with musl.`

function beside(): NodeJS.Require | undefined {
  const manifest = `${packages.analytics}/package.json`
  return canResolve(own, manifest) ? createRequire(own.resolve(manifest)) : undefined
}

function canResolve(from: NodeJS.Require, name: string): boolean {
  try {
    from.resolve(name)
    return true
  } catch {
    return false
  }
}
