// The environment of the process, with `.env` below it. The only reader of both. Loads nothing: the command line reads it
// before it knows which command runs.

import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export type Environment = Readonly<Record<string, string | undefined>>

/** A variable of the environment overrides the one in `.env` in the working directory. */
export function readEnvironment(): Environment {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  return { ...file, ...process.env }
}
