// The logs that the arguments of `docent analytics import` name: paths, `-`, and patterns such as '/var/log/access.log*'.
// A set of rotated logs is read from the oldest to the newest, whatever their names and their order.

import { glob, realpath, stat } from 'node:fs/promises'
import { detectFormat } from '../../../analytics/import/formats/formats.ts'
import { fromStream, type LogFile, openLogFile } from '../../../analytics/import/log-file.ts'
import { openLog } from '../../../analytics/import/open-log.ts'
import { isRejected, type ParseLine } from '../../../analytics/import/wire-page-view.ts'
import type { CommandContext } from '../../context.ts'
import { usage } from '../../exit.ts'

/** Throws a usage error for a path that cannot be read, and for a pattern that no file matches. */
export async function openFiles(
  paths: readonly string[],
  readBytes?: CommandContext['readBytes'],
): Promise<readonly LogFile[]> {
  const found = new Map<string, string>()
  for (const path of (await Promise.all(paths.map(expand))).flat()) {
    const real = path === '-' ? path : await realpath(path).catch(() => path)
    if (!found.has(real)) found.set(real, path)
  }
  return Promise.all([...found.values()].map((path) => open(path, readBytes)))
}

/** A path that exists is never a pattern. */
async function expand(path: string): Promise<readonly string[]> {
  if (path === '-' || !/[*?[{]/.test(path) || (await exists(path))) return [path]
  const matches: string[] = []
  for await (const match of glob(path)) matches.push(match)
  if (matches.length === 0) throw usage(`No file matches ${path}.`)
  return matches.toSorted()
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function open(path: string, readBytes: CommandContext['readBytes']): Promise<LogFile> {
  if (path === '-' && readBytes) return fromStream(readBytes())
  try {
    return await openLogFile(path)
  } catch (error) {
    throw usage(error instanceof Error ? error.message : `Cannot read ${path}.`)
  }
}

/** Sorts logs by the time of their first page view. Those without one, and standard input, come last, in their order. */
export async function oldestFirst(
  files: readonly LogFile[],
  parserOf: (format: string) => ParseLine,
  format?: string,
): Promise<readonly LogFile[]> {
  if (files.length < 2) return files
  const timed = await Promise.all(files.map(async (file) => ({ file, time: await firstTime(file, parserOf, format) })))
  return timed.toSorted((a, b) => (a.time === b.time ? 0 : a.time - b.time)).map(({ file }) => file)
}

async function firstTime(
  file: LogFile,
  parserOf: (format: string) => ParseLine,
  format: string | undefined,
): Promise<number> {
  if (file.kind === 'stream') return Infinity
  const log = await openLog(file)
  try {
    const named = format ?? detectFormat(log.sample)
    if (named === undefined) return Infinity
    const parse = parserOf(named)
    for (const line of log.sample) {
      const view = parse(line)
      const time = isRejected(view) ? Number.NaN : new Date(view.timestamp).getTime()
      if (!Number.isNaN(time)) return time
    }
    return Infinity
  } finally {
    await log.close()
  }
}
