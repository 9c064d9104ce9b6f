// Reads how much space is free on the disk of a folder, and says when that is too little. The only place that decides it:
// the log of page views, `/readyz`, the log of the service and `docent doctor` must agree.

import { statfs } from 'node:fs/promises'

export type DiskSpace = {
  readonly freeBytes: number
  /** With less than this, page views are refused. */
  readonly leastBytes: number
}
/** Throws if there is no such folder. */
export type ReadDiskSpace = (folder: string) => Promise<DiskSpace>

/** On a disk smaller than ten times this, a tenth of it. */
const leastFree = 1024 ** 3

export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, leastBytes: Math.min(leastFree, (blocks * bsize) / 10) }
}

export function isNearlyFull({ freeBytes, leastBytes }: DiskSpace): boolean {
  return freeBytes < leastBytes
}
