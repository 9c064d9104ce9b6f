// docsify: an `index.html` that sets `window.$docsify`. The browser makes the site of the Markdown files beside it: `#/guide/a?id=b`
// is the heading `b` of `guide/a.md`. Links are relative to the first page, or with `relativePath` to their own; images and what
// pages insert are always relative to their page. So that no link to one counts as missing, both are tried. Not judged: `alias`
// and `routes`, pages of another host (`basePath`), and what plugins add.

import { posix } from 'node:path'
import { inside } from '../../../docs-syntax/links.ts'
import { type Address, parseAddress } from '../../address.ts'
import { type ConfigString, readConfig } from '../../config-strings.ts'
import { outermost } from '../../found-strings.ts'
import { folderOf, toFolder } from '../../names.ts'
import { redirectedAt } from '../../redirects/match.ts'
import { type OwnLink, type Site, type SiteFiles, type SiteOpener, siteDefaults } from '../../site.ts'
import { docsifySlugs } from '../../slugs.ts'
import { readList } from './read-list.ts'

const lists = ['_sidebar.md', '_navbar.md', '_coverpage.md']

export const docsify: SiteOpener = {
  kind: 'docsify',
  config: /(?:^|\/)index\.html$/,
  usual: 'index.html',
  open: async (config, files, isNamed) => {
    const root = folderOf(config)
    const isNear = files.paths.some((path) => path.endsWith('.md') && folderOf(path) === root)
    const settings = isNamed || isNear ? settingsOf((await files.text(config)) ?? '') : undefined
    if (settings === undefined && !isNamed) return undefined
    const { strings } = readConfig('index.js', settings ?? '')
    const basePath = outermost(strings, 'basePath') ?? ''
    if (/^(?:https?:)?\/\//.test(basePath)) return undefined
    const folder = toFolder(posix.join(root, basePath))
    const own = createLinks({
      folder,
      strings,
      files,
      isRelative: /^[^/\n]*\brelativePath:\s*true\b/m.test(settings ?? ''),
    })
    const names = ['loadSidebar', 'loadNavbar', 'coverpage'].flatMap((key) => outermost(strings, key) ?? [])
    const listNames = [...lists, ...names]
    const used = files.paths.filter((path) => {
      return inside(folder, path) !== undefined && listNames.includes(posix.basename(path))
    })
    const entries = await Promise.all(
      used.map(async (file) => readList(file, (await files.text(file)) ?? '', (url) => own.targetOf(url, file))),
    )
    return {
      ...siteDefaults,
      kind: 'docsify',
      keepsFileNames: true,
      root,
      config,
      configs: [config, ...used],
      mounts: [{ folder, routes: [''] }],
      reads: (path) => path.endsWith('.md'),
      isIgnored: (name) =>
        /(?:^|\/)(?:\.|_[^/]*$|node_modules\/)/.test(name) || listNames.includes(posix.basename(name)),
      nameOf: (name) => (name === own.homepage ? '' : name.replace(/\.md$/, '').replace(/(?:^|\/)README$/, '')),
      addressOf: own.addressOf,
      nameFor: own.nameFor,
      assets: [folder],
      isHostRouted: outermost(strings, 'routerMode') === 'history',
      slugs: docsifySlugs,
      navigation: { entries: entries.flat(), folders: [], computed: [], lists: 'usual', list: used[0] ?? '' },
    }
  },
}

/** The script with the settings. Undefined: the page starts no docsify. */
function settingsOf(html: string): string | undefined {
  const start = html.search(/\$docsify\s*=/)
  return start === -1 ? undefined : html.slice(start).replace(/<\/script>[^]*/, '')
}

type Settings = {
  readonly folder: string
  readonly strings: readonly ConfigString[]
  readonly files: SiteFiles
  readonly isRelative: boolean
}

function createLinks({ folder, strings, files, isRelative }: Settings) {
  const homepage = outermost(strings, 'homepage') ?? 'README.md'
  const languages = strings.flatMap(({ keys, value }) => (keys[0] === 'fallbackLanguages' ? [value] : []))
  const aliases = strings.filter(({ keys: [first] }) => first === 'alias' || first === 'routes')
  const redirects = aliases.map(({ keys: [, key = ''] }) => ({
    file: '',
    line: 1,
    source: key.replace(/\.\*\??/g, '*'),
  }))
  /** The files that an address below the folder of the site may mean. */
  const pathsOf = (name: string): string[] => {
    const page = name === '' ? homepage : name.endsWith('/') ? `${name}README.md` : name
    const main = languages.flatMap((language) => inside(language, page) ?? [])
    return [page, ...main].flatMap((one) => (/\.(?:md|html)$/.test(one) ? [one] : [`${one}.md`, one]))
  }
  const addressOf = ({ url }: OwnLink, path: string): Address | undefined => {
    const plain = url.replace(/^(?:index\.html)?#(?=\/)/, '')
    const id = /[?&]id=([^&#]*)/.exec(plain)?.[1]
    const written = id === undefined ? plain : `${plain.replace(/\?[^]*/, '')}#${id}`
    const address = parseAddress({ site: { base: '' }, path }, written)
    if (address.kind !== 'relative' && address.kind !== 'rooted') return address
    const name = address.kind === 'rooted' ? address.name.slice(1) : address.written
    const near = inside(folder, posix.join(folderOf(path), name))
    const far = posix.join('/', name).slice(1)
    const names = isRelative && address.kind === 'relative' ? [near, far] : [far, near]
    return {
      kind: 'named',
      paths: names.flatMap((one) => pathsOf(one ?? far).map((file) => posix.join(folder, file))),
      ids: [],
      fragment: address.fragment,
      otherwise: redirectedAt({ redirects, base: '' }, `/${far}`) === undefined ? undefined : 'redirect',
    }
  }
  return {
    homepage,
    addressOf,
    nameFor: createNameFor({ folder, isRelative }),
    targetOf: createTargetOf(addressOf, files),
  }
}

/** A moved file has the address in the form of the link: from the root, relative, with or without its ending. */
function createNameFor({ folder, isRelative }: Pick<Settings, 'folder' | 'isRelative'>): Site['nameFor'] {
  return ({ kind, url }, page, to) => {
    const [, hash = '', written = '', suffix = ''] = /^((?:index\.html)?#(?=\/))?([^?#]*)([^]*)$/.exec(url) ?? []
    const name = inside(folder, to)
    if (name === undefined) return undefined
    const isNear = kind === 'image' || (isRelative && kind !== 'attribute')
    const far = written.startsWith('/') ? `/${name}` : name
    const path = isNear && !written.startsWith('/') ? posix.relative(folderOf(`/${page}`), `/${to}`) : far
    const short = written.endsWith('.md') ? path : path.replace(/\.md$/, '').replace(/(^|\/)README$/, '$1')
    return hash + (url.includes('%') ? encodeURI(short) : short.replaceAll(' ', '%20') || '/') + suffix
  }
}

function createTargetOf(addressOf: Site['addressOf'], files: SiteFiles) {
  return (url: string, file: string) => {
    const address = addressOf({ kind: 'link', url }, file)
    if (address?.kind === 'unread') return { reason: address.reason }
    if (address?.kind !== 'named') return undefined
    const { otherwise, paths } = address
    return otherwise && !paths.some((path) => files.has(path)) ? { reason: otherwise } : { paths }
  }
}
