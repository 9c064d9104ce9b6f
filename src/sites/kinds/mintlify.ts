// Mintlify: `docs.json` (earlier `mint.json`) in the folder of the site. Every page below that folder has its path as its
// address; the navigation names pages by that path, and may be split over files with `$ref`. The address of a folder leads to
// a page in it, and a site without a folder `docs` may be served below `/docs`.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import type { FoundString } from '../found-strings.ts'
import { folderOf, pagePaths, withoutExtension } from '../names.ts'
import {
  type NavigationEntry,
  type Redirect,
  type Site,
  type SiteFiles,
  type SiteOpener,
  siteDefaults,
} from '../site.ts'
import { mintlifySlugs } from '../slugs.ts'

const maxParts = 50
/** An entry that makes a page of an operation in an OpenAPI file. */
const operation = /^(?:get|post|put|patch|delete|head|options|trace|webhook)\s/i
const parts = /(?:^|\/)(?:\.|node_modules\/|_?snippets\/)/
/** Pages only if the navigation names them. */
const aboutRepository = /^(?:readme|license|contributing|changelog|agents|claude)\.md$/i
const served = /^\/(?:_mintlify|authed|mcp|\.well-known)/

export const mintlify: SiteOpener = {
  kind: 'mintlify',
  config: /(?:^|\/)(?:docs|mint)\.json$/,
  usual: 'docs.json',
  open: async (config, files, isNamed) => {
    const text = (await files.text(config)) ?? ''
    if (!isNamed && !/"(?:navigation|theme|redirects|\$schema)"/.test(text)) return undefined
    const root = folderOf(config)
    const strings = await readParts(config, root, files)
    const { problem } = await files.config(config)
    const folders = findFolders(root, files)
    return toSite({ config, root, strings, folders, problems: problem ? [{ ...problem, file: config }] : [] })
  },
}

type Opened = Pick<Site, 'root' | 'problems'> & {
  readonly config: string
  readonly strings: readonly FoundString[]
  readonly folders: ReadonlySet<string>
}

function toSite({ config, root, strings, folders, problems }: Opened): Site {
  const generated = generatedFolders(strings)
  const entries = strings.flatMap((one) => toEntry(root, one))
  const isNamed = new Set(entries.flatMap(({ target }) => ('paths' in target ? target.paths : [])))
  return {
    ...siteDefaults,
    kind: 'mintlify',
    root,
    config,
    configs: [...new Set([config, ...strings.map(({ file }) => file)])],
    problems,
    mounts: [{ folder: root, routes: [''] }],
    isIgnored: (path) => parts.test(path) || (aboutRepository.test(path) && !isNamed.has(posix.join(root, path))),
    nameOf: (path) => withoutExtension(path).replace(/(?:^|\/)index$/i, ''),
    // A host may serve the site below this address, which the configuration does not tell.
    base: folders.has('docs') ? '' : '/docs',
    importOf: (url) => (url.startsWith('/') ? posix.join(root, `.${url}`) : undefined),
    assets: [root],
    slugs: mintlifySlugs,
    // The address of a folder without a first page leads to its first group.
    madeAt: (route) => {
      if (route === '/' || folders.has(route.slice(1))) return 'page'
      const isMade = served.test(route) || generated.some((folder) => route.startsWith(`/${folder}/`))
      return isMade ? 'generated' : undefined
    },
    navigation: { entries, folders: [], computed: [], lists: 'usual' },
    redirects: strings.flatMap(toRedirect),
  }
}

/** Reads the configuration and the files that it names with `$ref`; their strings have the keys of the place. */
async function readParts(config: string, root: string, files: SiteFiles): Promise<FoundString[]> {
  const found: FoundString[] = []
  const waiting: { readonly path: string; readonly keys: readonly string[] }[] = [{ path: config, keys: [] }]
  for (let count = 0; waiting.length > 0 && count < maxParts; count += 1) {
    const part = waiting.shift()
    const strings = part && (await files.config(part.path)).strings
    if (!part || !strings) continue
    for (const one of strings) {
      const keys = [...part.keys, ...one.keys]
      found.push({ ...one, keys, file: part.path })
      if (keys.at(-1) !== '$ref' || !one.value.endsWith('.json')) continue
      const path = posix.join(posix.dirname(part.path), one.value)
      if (path.startsWith(root)) waiting.push({ path, keys: keys.slice(0, -1) })
    }
  }
  return found
}

function toEntry(root: string, { keys, value, file, line, start, end }: FoundString): NavigationEntry[] {
  const key = keys.findLast((name) => name !== '[]')
  const isPage = (key === 'pages' && keys.at(-1) === '[]') || (key === 'root' && keys.at(-1) === 'root')
  if (keys[0] !== 'navigation' || !isPage || operation.test(value) || /^https?:/.test(value)) return []
  const name = value.replace(/^\/+|\/+$/g, '')
  return [{ file, line, start, end, name: value, target: { paths: pagePaths(posix.join(root, name)) } }]
}

function toRedirect({ keys, value, file, line }: FoundString): Redirect[] {
  return keys[0] === 'redirects' && keys.at(-1) === 'source' ? [{ file, line, source: value }] : []
}

/** The folders below the root, relative to it. */
function findFolders(root: string, files: SiteFiles): Set<string> {
  const found = new Set<string>()
  for (const path of files.paths) {
    for (let name = folderOf(inside(root, path) ?? ''); name !== '' && !found.has(name); name = folderOf(name))
      found.add(name)
  }
  return found
}

/** The folders of pages that are made from OpenAPI files. */
function generatedFolders(strings: readonly FoundString[]): string[] {
  if (!strings.some(({ keys }) => keys.some((name) => name === 'openapi' || name === 'asyncapi'))) return []
  const named = strings
    .filter(({ keys }) => keys.at(-1) === 'directory')
    .map(({ value }) => value.replace(/^\/|\/$/g, ''))
  return ['api-reference', ...named]
}
