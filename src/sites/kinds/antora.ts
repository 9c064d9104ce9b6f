// Antora: `antora.yml` describes a version of a component; `modules/<module>` holds its pages, partials, images, examples
// and attachments. Docent knows the addresses of pages (if the version is written), cross references and includes between
// the components of the repository, `page-aliases`, `nav`, and the ids of headings. Not judged, and counted: components of
// other repositories, names with attributes that nothing here sets, and what builds and extensions of Antora add.

import { posix } from 'node:path'
import { isAsciidocPath } from '../../docs-syntax/asciidoc/asciidoc.ts'
import { createAttributes, substitute, unknownAttributes } from '../../docs-syntax/asciidoc/attributes.ts'
import { readNavList } from '../../docs-syntax/asciidoc/nav-list.ts'
import { inside } from '../../docs-syntax/links.ts'
import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import { type Address, isBelow } from '../address.ts'
import { asciidocAddress } from '../antora/asciidoc-address.ts'
import { type Component, idOf, placeIn, readComponents, resolveName } from '../antora/components.ts'
import { antoraIds } from '../antora/ids.ts'
import { writeName } from '../antora/write-name.ts'
import { outermost } from '../found-strings.ts'
import { withoutExtension } from '../names.ts'
import {
  type Mount,
  type NavigationEntry,
  type OwnLink,
  type PageFields,
  type SiteFiles,
  type SiteOpener,
  siteDefaults,
} from '../site.ts'

export const antora: SiteOpener = {
  kind: 'antora',
  config: /(?:^|\/)antora\.yml$/,
  usual: 'antora.yml',
  open: async (config, files) => {
    const components = await readComponents(files)
    const own = components.find((one) => one.config === config)
    if (!own) return undefined
    const modules = modulesOf(own, files)
    const { problem, strings } = await files.config(config)
    const lists = strings.filter(({ keys }) => keys[0] === 'nav').map(({ value }) => posix.join(own.root, value))
    const addressOf = createAddressOf(components)
    const read = await Promise.all(lists.map(async (path) => readList(path, own, { files, addressOf })))
    const start = outermost(strings, 'start_page')
    const route = [own.name === 'ROOT' ? '' : own.name, own.version ?? '']
      .filter((part) => part !== '')
      .map((part) => `/${part}`)
      .join('')
    const hasInner = read.some(({ isWhole }) => !isWhole)
    return {
      ...siteDefaults,
      kind: 'antora',
      root: own.root,
      config,
      configs: [config, ...lists.filter((path) => files.has(path))],
      problems: problem ? [{ ...problem, file: config }] : [],
      mounts: findMounts(own, route, modules),
      isIgnored: (name) =>
        /(?:^|\/)[._]/.test(name) ||
        lists.some(
          (path) =>
            path === posix.join(own.root, 'modules', name) ||
            path.endsWith(`/pages/${name}`) ||
            path.endsWith(`/partials/${name}`),
        ),
      nameOf: (name) => withoutExtension(name).replace(/(?:^|\/)index$/, ''),
      idsOf: (name, _address, fields) => aliasesOf(own, modules, fields),
      syntaxOf: () => 'asciidoc-site',
      reads: isAsciidocPath,
      addressOf,
      nameFor: (link, page, to) => writeName(components, link, { page, to }),
      aliasField: 'page-aliases',
      slugs: antoraIds(own.attributes),
      madeAt: (address, isRooted) => {
        if (start !== undefined && (address === route || address === (route || '/'))) return 'page'
        if (isRooted && !isBelow(route, address)) return 'outside'
        return isRooted ? undefined : 'outside'
      },
      navigation: {
        entries: read.flatMap(({ entries }) => entries),
        folders: lists.length === 0 ? [''] : [],
        computed: [],
        lists: hasInner || lists.length === 0 ? 'some' : 'usual',
      },
    }
  },
}

function modulesOf({ root }: Component, { paths }: SiteFiles): readonly string[] {
  const folder = posix.join(root, 'modules')
  return [...new Set(paths.flatMap((path) => inside(folder, path)?.split('/', 1) ?? []))].toSorted()
}

/** The pages of each module, and its partials. */
function findMounts(own: Component, route: string, modules: readonly string[]): Mount[] {
  const folder = posix.join(own.root, 'modules')
  // Lists of the navigation, and examples that are pages by their name.
  const rest: Mount = { folder, routes: [], isPart: true }
  const found = modules.flatMap((name): Mount[] => {
    const at = (family: string) => posix.join(folder, name, family)
    const routes = [name === 'ROOT' ? route : `${route}/${name}`]
    // Without a version, the addresses are not known.
    return [
      { folder: at('pages'), routes: own.version === undefined ? [] : routes },
      { folder: at('partials'), routes: [], isPart: true },
      { folder: at('pages/_partials'), routes: [], isPart: true },
    ]
  })
  return modules.length === 0 ? [] : [...found, rest]
}

type AddressOf = (link: OwnLink, path: string) => Address | undefined

function createAddressOf(components: readonly Component[]): AddressOf {
  const tables = new Map(components.map((one) => [one, createAttributes(one.attributes)]))
  return ({ kind, url: written }, path) => {
    const from = placeIn(components, path)
    if (!from) return asciidocAddress({ kind, url: written }, path)
    const table = tables.get(from.component)
    const url = withFamilies(table ? substitute(written, table) : written)
    if (kind === 'ref')
      return url.includes('{') ? { kind: 'unread', reason: 'template' } : { kind: 'self', fragment: url }
    const family = /^(?:attachment|image|page|partial|example)\$/.test(url)
    if (kind === 'link' && !family) return url === written ? undefined : asciidocLink(url)
    if (!family && kind !== 'doc' && kind !== 'include' && kind !== 'image') return undefined
    if (unknownAttributes(url).length > 0) return { kind: 'unread', reason: 'template' }
    if (/^(?:https?:|data:|\/\/)/i.test(url)) return { kind: 'foreign' }
    return resolveName(components, from, { kind, url })
  }
}

function asciidocLink(url: string): Address | undefined {
  return /^[a-z][\w+.-]*:|^\/\//i.test(url) ? { kind: 'foreign' } : undefined
}

/** The folders that Antora gives each page: `{attachmentsdir}/a.pdf` for `attachment$a.pdf`. */
function withFamilies(url: string): string {
  return url
    .replace(/^\{(attachment|image|partial|example)sdir\}\//, '$1$$')
    .replace(/^(?:\.\.\/)*_(attachment|image)s\//, '$1$$')
}

/** `page-aliases` are the names that the page had, in the module of the page unless they name one. */
function aliasesOf(own: Component, modules: readonly string[], fields: PageFields): string[] {
  const written = fields?.strings['page-aliases'] ?? ''
  return written.split(',').flatMap((one) => {
    const alias = one.trim()
    if (alias === '') return []
    return alias.includes(':') ? [idOf(own, alias)] : modules.map((name) => idOf(own, `${name}:${alias}`))
  })
}

type List = { readonly entries: readonly NavigationEntry[]; readonly isWhole: boolean }

type Lists = { readonly files: SiteFiles; readonly addressOf: AddressOf; readonly isInner?: true }

/** A list that others insert is read as part of them: its names are relative to the module of the outermost list. */
async function readList(path: string, own: Component, lists: Lists, from = path): Promise<List> {
  const { files, addressOf, isInner } = lists
  const text = (await files.text(path)) ?? ''
  const starts = lineStarts(text)
  const links = readNavList(text, own.attributes).flatMap(({ title, items }) =>
    [title?.link ?? [], ...items.map(({ link }) => link ?? [])].flat(),
  )
  const entries = links.flatMap((link): NavigationEntry[] => {
    if (link.kind !== 'doc') return []
    const address = addressOf(link, from)
    const place = { file: path, line: lineAt(starts, link.start), start: link.start, end: link.end, name: link.url }
    if (address?.kind === 'unread') return [{ ...place, target: { reason: address.reason } }]
    if (address?.kind !== 'named') return []
    const { paths, ids, otherwise } = address
    const isOther = otherwise !== undefined && !paths.some((one) => files.has(one))
    return [{ ...place, target: isOther ? { reason: otherwise } : { paths, ids } }]
  })
  const inserted = Array.from(text.matchAll(/^include::([^[\s]{1,300})\[/gm)).map(([, url = '']) => {
    const address = addressOf({ kind: 'include', url }, from)
    return address?.kind === 'named' ? address.paths.find((one) => files.has(one)) : undefined
  })
  const isKnown = inserted.every((one) => one !== undefined) && (inserted.length === 0 || isInner !== true)
  const inner = await Promise.all(
    (isInner ? [] : inserted).flatMap((one) =>
      one === undefined ? [] : readList(one, own, { ...lists, isInner: true }, from),
    ),
  )
  return {
    entries: [...entries, ...inner.flatMap((one) => one.entries)],
    isWhole: isKnown && !/^ifn?def::/m.test(text) && inner.every(({ isWhole }) => isWhole),
  }
}
