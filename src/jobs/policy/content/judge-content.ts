// Judges the content of a change: finds what no job may add, what the reviewer must see, and the other sites that it leads
// to. Content that the base already has, on whatever page, is not new: a move, a copy and a translation keep it.

import { posix } from 'node:path'
import { lineAt, lineStarts } from '../../../docs-syntax/text.ts'
import { superFences } from '../../../sites/by-path/known-files.ts'
import type { Finding } from '../verdict.ts'
import type { ChangedContent, HostPlace, NewSign } from './change.ts'
import { isHostInBase } from './known-hosts.ts'
import { findInBase, type ReadSigns, type SignReader } from './known.ts'
import { type Content, createKindOf } from './read/kinds.ts'
import { mayHaveSigns } from './read/quick.ts'
import { runsInBrowsers, type Sign, type SignKind } from './sign.ts'
import type { ReadSyntax } from './read/threads.ts'

/** Returns what no job may add. Fast for a change without anything suspicious. */
export async function findRefusedContent(change: ChangedContent): Promise<readonly Finding[]> {
  const { imageHosts } = change
  const signs = await findNewSigns(change, ['refused', 'image'])
  return signs
    .filter(({ sign }) => sign.kind === 'refused' || !imageHosts.includes(sign.host ?? ''))
    .map(({ path, line, sign }) => ({
      kind: 'content',
      path,
      line,
      message: `adds ${sign.what}`,
      remedy:
        sign.host === undefined ? null : `a person may allow it: \`docent project update --image-host ${sign.host}\``,
      isGrave: sign.kind === 'refused' && runsInBrowsers(sign),
    }))
}

export type ShownContent = { readonly shown: readonly Finding[]; readonly hosts: readonly HostPlace[] }

/** Returns the code and redirects that a change adds to pages, and the first place of each host that the base does not name. */
export async function findShownContent(change: ChangedContent): Promise<ShownContent> {
  const signs = await findNewSigns(change, ['code', 'import', 'redirect', 'host'])
  const isFile = createImports(change)
  const shown = signs.filter(({ path, sign }) => {
    return sign.kind !== 'host' && !(sign.kind === 'import' && isFile(path, sign.url ?? ''))
  })
  return {
    shown: shown.map(({ path, line, sign }) => ({
      kind: sign.kind === 'redirect' ? 'redirect' : 'page',
      path,
      line,
      message: `adds ${sign.what}`,
      remedy: null,
      ...(sign.kind === 'import' && sign.url !== undefined ? { component: sign.url } : {}),
    })),
    hosts: await findNewHosts(change, signs),
  }
}

/** More are listed without a look into the base, which would take long. */
const mostHosts = 100

async function findNewHosts(change: ChangedContent, signs: readonly NewSign[]): Promise<readonly HostPlace[]> {
  const found = new Map<string, HostPlace>()
  for (const { path, line, sign } of signs) {
    const { kind, host } = sign
    if (kind === 'host' && host !== undefined && !found.has(host)) found.set(host, { host, path, line })
  }
  const hosts: HostPlace[] = []
  for (const [at, place] of [...found.values()].entries()) {
    if (at >= mostHosts || !(await isHostInBase(change, place.host))) hosts.push(place)
  }
  return hosts
}

/** Returns the signs of the kinds that neither the changed pages nor, except for hosts, other pages of the base have. */
async function findNewSigns(change: ChangedContent, kinds: readonly SignKind[]): Promise<readonly NewSign[]> {
  const paths = pathsOf(change)
  const kindOf = createKindOf(paths, await hasSuperFences(change.base, paths))
  const read = createReading(change.reading, kinds)
  const old = createOldSigns(change, { kindOf, read })
  const added: NewSign[] = []
  for (const { path, content } of change.edits) {
    change.signal.throwIfAborted()
    const reading = kindOf(path)
    if (!reading || !content) continue
    const text = decode(content)
    const signs = await read({ path, text, ...reading })
    const starts = signs.length === 0 ? [] : lineStarts(text)
    for (const sign of signs) {
      if (await old.takeFrom(path, sign)) continue
      added.push({ path, line: lineAt(starts, sign.start), source: sourceOf(text, sign), sign })
    }
  }
  if (added.length === 0) return []
  const remaining: NewSign[] = []
  for (const one of added) if (!(await old.takeAnywhere(one.sign))) remaining.push(one)
  return await withoutKnown(change, remaining, { kindOf, read })
}

/** The signs of the changed pages before the change. Each counts once: in its page, or where it moved. */
function createOldSigns({ before }: ChangedContent, { kindOf, read }: SignReader) {
  const counts = new Map<string, Map<string, number>>()
  const countsOf = async (path: string): Promise<Map<string, number>> => {
    const known = counts.get(path)
    if (known) return known
    const [bytes, reading] = [before.get(path), kindOf(path)]
    const counted = countKeys(bytes && reading ? await read({ path, text: decode(bytes), ...reading }) : [])
    counts.set(path, counted)
    return counted
  }
  return {
    takeFrom: async (path: string, sign: Sign) => take(await countsOf(path), sign),
    takeAnywhere: async (sign: Sign) => {
      for (const path of before.keys()) if (take(await countsOf(path), sign)) return true
      return false
    },
  }
}

/** The beginning of the sign in its line. */
function sourceOf(text: string, { start }: Sign): string {
  return text.slice(start, start + 200).split(/[\r\n]/, 1)[0] ?? ''
}

function createReading(reading: ReadSyntax, kinds: readonly SignKind[]): ReadSigns {
  return async (content: Content) => {
    if (!mayHaveSigns(content, kinds)) return []
    return (await reading(content)).signs.filter(({ kind }) => kinds.includes(kind))
  }
}

/** Looking for more in the base would take long, and so much is not a copy. */
const mostLookups = 50

async function withoutKnown(change: ChangedContent, signs: readonly NewSign[], reading: SignReader) {
  const known = new Map<string, boolean>()
  const kept: NewSign[] = []
  for (const one of signs) {
    const { key, kind } = one.sign
    if (kind === 'host') {
      kept.push(one)
      continue
    }
    if (!known.has(key)) known.set(key, known.size < mostLookups && (await findInBase(change, one, reading)))
    if (!known.get(key)) kept.push(one)
  }
  return kept
}

function countKeys(signs: readonly Sign[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { key } of signs) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

function take(counts: Map<string, number>, { key }: Sign): boolean {
  const count = counts.get(key) ?? 0
  if (count > 0) counts.set(key, count - 1)
  return count > 0
}

/** Returns a function that says whether an import names a page of the change, or a file that the base has. */
function createImports(change: ChangedContent): (from: string, url: string) => boolean {
  const pages = change.edits.flatMap(({ path, content }) =>
    content && /\.(?:mdx?|css|json|svg|png|jpe?g|webp)$/i.test(path) ? [path] : [],
  )
  const files = new Set([...pathsOf(change), ...pages])
  const endings = ['', '.mdx', '.md', '.js', '.jsx', '.ts', '.tsx', '.json', '.vue', '.svelte', '.astro']
  const has = (path: string) => [path, `${path}/index`].some((one) => endings.some((end) => files.has(one + end)))
  return (from, url) => {
    const name = url.replace(/[?#].*$/, '')
    if (/^\.\.?(?:\/|$)/.test(name)) return has(posix.join(posix.dirname(from), name))
    const rooted = /^(?:\/|@site\/|~\/|@\/)(.+)$/.exec(name)?.[1]
    return rooted !== undefined && rootsOf(from).some((root) => has(posix.join(root, rooted)))
  }
}

/** The folders above a page and their `src`, which an address or an alias may start from. */
function rootsOf(path: string): readonly string[] {
  const roots = ['', 'src']
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder))
    roots.push(folder, `${folder}/src`)
  return roots
}

/** Whether MkDocs reads fences by the extension of PyMdown, on every site of it. */
async function hasSuperFences(base: ChangedContent['base'], paths: readonly string[]): Promise<boolean> {
  const configs = paths.filter((path) => superFences.config.test(path)).slice(0, mostLookups)
  for (const path of configs) {
    const bytes = await base.read(path).catch(() => undefined)
    if (!bytes || !superFences.setting.test(decode(bytes))) return false
  }
  return true
}

function pathsOf({ base }: ChangedContent): readonly string[] {
  return base.entries().flatMap(({ path, kind }) => (kind === 'file' ? [path] : []))
}

const decoder = new TextDecoder()

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
