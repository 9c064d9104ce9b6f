// Reads the environment of the process and `.env`. No other file reads them. Imports no module of the service, because
// the command line needs the environment before it knows which command runs.

import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export type Environment = Readonly<Record<string, string | undefined>>

/** A variable of the environment overrides the one in `.env` in the working directory. */
export function readEnvironment(): Environment {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  return { ...file, ...process.env }
}
