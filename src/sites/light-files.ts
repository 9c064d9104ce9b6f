// The files of a repository as sites are found in them, for a brief: quick, because a run waits for it, and bounded. A larger
// configuration counts as empty: its site is found, without its navigation.

import { readConfig } from './config-strings.ts'
import type { SiteFiles } from './site.ts'
import { openFiles } from './site-files.ts'
import { stripTypesLater } from '../docs-syntax/script/strip-types.ts'
import type { SiteTree, TreeFile } from './tree.ts'

const maxBytes = 300_000
const maxScriptBytes = 60_000
/** All configurations together. */
const maxParsedBytes = 1_000_000
/** How many configurations are read by the parser of TypeScript, and how long each may take. */
const maxThorough = 4
const maxWaitMs = 3_000
const script = /\.[cm]?[jt]sx?$/i
/** mdBook, GitBook, docsify: a list of links, which only a check has to understand. */
const summary = /(?:^|\/)(?:SUMMARY|LANGS|_sidebar|_navbar|_coverpage)\.md$/

export function openLightFiles(tree: SiteTree): SiteFiles {
  const small: SiteTree = {
    entries: () => tree.entries(),
    read: (path) => (summary.test(path) ? nothing() : tree.read(path)),
  }
  const sizes = new Map(tree.entries().map(({ path, kind, size }) => [path, kind === 'file' ? size : Infinity]))
  const left = { bytes: maxParsedBytes, thorough: maxThorough }
  const config = async (file: TreeFile) => {
    const size = sizes.get(file.path) ?? Infinity
    if (size > Math.min(left.bytes, script.test(file.path) ? maxScriptBytes : maxBytes))
      return { strings: [], problem: null }
    left.bytes -= size
    const bytes = await tree.read(file.path)
    return await readScript(file.path, bytes ? new TextDecoder().decode(bytes) : '', left)
  }
  const files = openFiles(small, { config })
  return { ...files, text: (path) => ((sizes.get(path) ?? Infinity) > maxBytes ? nothing() : files.text(path)) }
}

const typeName = String.raw`[\w.]+(?:<[\w.<>, |'"[\]]*>)?(?:\[[\w'"]*\])*`
const typeWords = new RegExp(
  String.raw`^(?:import|export) type .*$|^declare .*$|(?<=[)\]}'"\w] ?)\s(?:as|satisfies) (?:const|${typeName})|(?<=(?:const|let) \w+): ${typeName}(?= =)|(?<=\)): ${typeName}(?= =>| \{)|(?<=[(,] ?\w+\??): ${typeName}(?=[,)])`,
  'gm',
)

/** Most configurations in TypeScript are JavaScript, apart from a few words. Its parser takes 150 ms to start. */
async function readScript(path: string, text: string, left: { thorough: number }) {
  if (!/\.[cm]?ts$/i.test(path)) return readConfig(path, text)
  const name = path.replace(/ts$/i, 'js')
  const quick = readConfig(
    name,
    // Every position stays.
    text.replace(typeWords, (words) => ' '.repeat(words.length)),
  )
  if (quick.strings.length > 0 || left.thorough === 0) return quick
  left.thorough -= 1
  const stripped = await stripTypesLater(text, maxWaitMs)
  return stripped === undefined ? quick : readConfig(name, stripped)
}

function nothing(): Promise<undefined> {
  return Promise.resolve(undefined)
}
