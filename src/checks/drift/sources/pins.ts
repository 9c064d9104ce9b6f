// Reads what the sources have at their pins: the names in their files and paths, and the dependencies of their manifests.

import type { TreeFile } from '../../../sites/tree.ts'
import { createNameFinder, createKeySet } from './key-set.ts'
import { createPackages, isManifest, type Packages } from './packages.ts'
import { isProduct, isRead } from './product-files.ts'
import { lineAt, type OtherLines } from './removed.ts'
import type { Source } from './source.ts'

export type Pins = Packages & {
  /** Whether any source has a name with this key. */
  hasName(key: string): boolean
  /** Whether any source puts names together that begin so. */
  isBeginning(key: string): boolean
  /** The number of files that were read. */
  readonly files: number
  /** Sources that could not be read whole: `api`, and why. Nothing is then known to be gone. */
  readonly unread: readonly string[]
}

const headBytes = 8_000

export async function readPins(sources: readonly Source[], others: OtherLines, signal: AbortSignal): Promise<Pins> {
  const findOthers = createNameFinder(others.keys)
  const names = createKeySet()
  const packages = createPackages(sources.map(({ name }) => name))
  const unread: string[] = []
  let count = 0
  for (const source of sources) {
    const files = await source.files(signal).catch((): TreeFile[] => [])
    const wanted = files.filter(isRead)
    for (const { path } of wanted) {
      names.add(Buffer.from(path))
      if (isProduct(path)) packages.addFolder(path)
    }
    let missing = wanted.length
    await source.read(
      wanted,
      ({ path }, content) => {
        if (content === undefined) return
        missing -= 1
        if (content.subarray(0, headBytes).includes(0)) return
        count += 1
        names.add(content)
        if (isManifest(path)) packages.addManifest(path, content.toString('utf8'))
        if (others.keys.size > 0 && isProduct(path)) {
          const take = (key: string, end: number) =>
            others.take({ path, key, text: lineAt(content, end - 1) ?? '', isNow: true })
          findOthers(content, take)
        }
      },
      signal,
    )
    if (missing > 0 || files.length === 0) unread.push(source.name)
  }
  return {
    ...packages,
    hasName: (key) => names.has(key),
    isBeginning: (key) => names.isBeginning(key),
    files: count,
    unread,
  }
}
