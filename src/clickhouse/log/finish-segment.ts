// Removes a segment whose blocks are in the table, or keeps it aside and reports it if it is damaged.

import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { errnoOf } from '../../lib/errno.ts'
import { syncFolder } from '../../lib/folder.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { Blocks } from './read-segment.ts'

export type Report = Pick<Log, 'warn' | 'error'>

/** Nothing reads files that end so. */
const ending = '.damaged'

/** Resolves when no crash brings the segment back. */
export async function finishSegment(path: string, { cut, isDamaged, lost }: Blocks, report?: Report): Promise<void> {
  const name = basename(path)
  if (isDamaged) {
    await rename(path, path + ending)
    report?.error(
      { file: name + ending, lost },
      'a segment of the log of page views is damaged: the page views that can be read are stored, and it is kept aside',
    )
  } else {
    await rm(path)
    if (cut > 0)
      report?.warn(
        { file: name, cut },
        'the last write to the log of page views was cut off, before it was acknowledged',
      )
  }
  await syncFolder(dirname(path))
}

/** The number of segments that were kept aside in a folder. */
export async function countDamaged(folder: string): Promise<number> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(ending)).length
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 0
    throw error
  }
}
