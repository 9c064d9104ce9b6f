// Reads what the sources have at their pins: the names in their files and paths, and the dependencies of their manifests.

import type { TreeFile } from '../../../sites/tree.ts'
import { termKeys } from '../../../docs-syntax/terms/term-keys.ts'
import { createKeyFinder, createKeySet } from './key-set.ts'
import { dependenciesIn, dependencyWordsIn, isManifest } from '../others.ts'
import { isProduct, isRead } from './product-files.ts'
import { lineAt, type OtherLines } from './removed.ts'
import type { Source } from './source.ts'

export type Pins = {
  /** Whether any source has a name with this key. */
  hasName(key: string): boolean
  /** Whether any source puts names together that begin so. */
  isBeginning(key: string): boolean
  /** Whether a source, or a package of it, has this name. */
  isOwn(key: string): boolean
  /** Whether a source has a package, or the folder of one, with this name. */
  isPackage(key: string): boolean
  isDependency(key: string): boolean
  /** Whether the first word of the name is one of a dependency: `coderay_wrap` is an option of `kramdown-syntax-coderay`. */
  isNamedLikeDependency(name: string): boolean
  /** The number of files that were read. */
  readonly files: number
  /** Sources that could not be read whole: `api`, and why. Nothing is then known to be gone. */
  readonly unread: readonly string[]
}

const headBytes = 8_000
/** The folder of a package in its repository, which other packages of it may name as a dependency. */
const packageFolder = /^(?:(?:src|lib|packages|crates|pkg|apps|libs)\/)?([\w.-]+)\//
/** `"name": "acme"`, `name = 'acme'`, `s.name = "acme"`, `setup(name="acme"`. */
const ownName = /^(?:.*[\s.(,{])?["']?name["']?\s*[:=]\s*["']([^"']+)["']/m

export async function readPins(sources: readonly Source[], others: OtherLines, signal: AbortSignal): Promise<Pins> {
  const findOthers = createKeyFinder(others.keys)
  const names = createKeySet()
  const dependencies = new Set<string>()
  const words = new Set<string>()
  const own = new Set(sources.map(({ name }) => termKeys(name).whole))
  const packages = new Set<string>()
  const unread: string[] = []
  let count = 0
  for (const source of sources) {
    const files = await source.files(signal).catch((): TreeFile[] => [])
    const wanted = files.filter(isRead)
    for (const { path } of wanted) {
      names.add(Buffer.from(path))
      const folder = isProduct(path) ? packageFolder.exec(path)?.[1] : undefined
      if (folder !== undefined) packages.add(termKeys(folder).whole)
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
        if (isManifest(path)) addManifest(path, content)
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
  const isPackage = (key: string) => own.has(key) || packages.has(key)
  return {
    hasName: (key) => names.has(key),
    isBeginning: (key) => names.isBeginning(key),
    isOwn: (key) => own.has(key),
    isPackage,
    isNamedLikeDependency: (name) => {
      const [first = ''] = termKeys(name.replace(/^-+/, '')).words
      return words.has(first) && !isPackage(first) && ![...own].some((one) => one.includes(first))
    },
    isDependency: (key) => dependencies.has(key) && !isPackage(key),
    files: count,
    unread,
  }

  /** The packages of a source are not dependencies of it, although each names the others. */
  function addManifest(path: string, content: Buffer): void {
    const text = content.toString('utf8')
    for (const one of dependenciesIn(path, text)) dependencies.add(one)
    for (const word of dependencyWordsIn(path, text)) words.add(word)
    const name = ownName.exec(text.slice(0, headBytes))?.[1]
    if (name !== undefined) own.add(termKeys(name).whole)
  }
}
