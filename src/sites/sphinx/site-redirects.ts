// The redirects of a site of Sphinx, with the documents that they lead to. Not judged: destinations with a pattern, and those
// that begin at the root of the host.

import { posix } from 'node:path'
import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import { readRedirectList } from '../redirects/lists.ts'
import type { RedirectEntry } from '../redirects/entries.ts'
import type { Redirect, Site, SiteFiles } from '../site.ts'

type Place = {
  readonly config: string
  readonly folder: string
  readonly endings: readonly string[]
  readonly madeAt: Site['madeAt']
}

export async function readRedirects(
  place: Place,
  files: SiteFiles,
): Promise<Pick<Site, 'configs' | 'redirects' | 'redirectsAre'>> {
  const { config, folder } = place
  const own = readRedirectList(config, (await files.text(config)) ?? '')
  const path = typeof own === 'string' ? posix.join(folder, own) : config
  const text = (await files.text(path)) ?? ''
  const list = typeof own === 'string' ? readRedirectList(path, text) : own
  const isByPath = text !== '' && (path !== config || /^rediraffe_redirects\b/m.test(text))
  const starts = lineStarts(text)
  const entries = typeof list === 'object' ? list.entries : []
  const sources = new Set(entries.map(({ source }) => source.value))
  return {
    configs: [...new Set([config, ...(files.has(path) ? [path] : [])])],
    redirectsAre: isByPath ? 'paths' : 'documents',
    // A pattern covers documents that exist.
    redirects: entries.flatMap(({ source, destination }): Redirect[] => {
      if (/[*?[]/.test(source.value)) return []
      const isChain = sources.has(destination.value)
      const target = isChain ? undefined : targetOf({ source, destination, text, isByPath }, place)
      const line = lineAt(starts, source.start)
      return [{ file: path, line, source: toRoute(source.value), destination: toRoute(destination.value), target }]
    }),
  }
}

function toRoute(name: string): string {
  return /^[a-z][\w+.-]*:/i.test(name) ? name : `/${name.replace(/\.(?:rst|md)$/, '')}`
}

type Found = Pick<RedirectEntry, 'source' | 'destination'> & { readonly text: string; readonly isByPath: boolean }

function targetOf(
  { source, destination, text, isByPath }: Found,
  { folder, endings, madeAt }: Place,
): Redirect['target'] {
  const [name = ''] = destination.value.split(/[?#]/)
  if (/^(?:[a-z][\w+.-]*:|\/\/)/i.test(name)) return undefined
  if (name.includes('$')) return { kind: 'unread', reason: 'template' }
  const made = madeAt(toRoute(name), true, name)
  if (made === 'page') return undefined
  // Before version 1 of the extension, a slash at the start was the root of the host.
  const isRooted = !isByPath && /^["']+\//.test(text.slice(destination.start, destination.end))
  const otherwise = isRooted ? 'outside' : made
  // Whether a page is a file or a folder depends on the builder.
  const inFolder = posix.join(source.value, posix.relative(posix.dirname(source.value), name))
  const names = isByPath
    ? [name.replace(/\.\w+$/, '')]
    : [name, inFolder].flatMap((one) => [one, `${one}/index`, one.replace(/\/index$/, '')])
  const paths = [name, ...names.flatMap((one) => endings.map((ending) => one + ending))]
  return { kind: 'named', paths: paths.map((one) => posix.join(folder, one)), ids: [], fragment: '', otherwise }
}
