// The links of a page that Hugo resolves itself: pages that `ref` and `relref` name, and the templates of shortcodes.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { type Address, parseAddress } from '../address.ts'
import { decodePercent } from '../../lib/plain-text.ts'
import { splitName } from '../names.ts'
import type { Mount, Site, SiteFiles } from '../site.ts'
import { codeIn, isContent } from './names.ts'

/** The templates of shortcodes. */
export type Templates = {
  /** Those that add no heading and no id, with their files. */
  readonly closed: ReadonlyMap<string, string>
  readonly open: ReadonlySet<string>
  /** Whether a theme that is not here may have more of them. */
  readonly isPartial: boolean
}

export type Naming = {
  readonly mounts: readonly Mount[]
  readonly languages: readonly string[]
  readonly templates: Templates
  readonly madeAt: Site['madeAt']
  /** A template of the site resolves links, and may know names that are no paths. */
  readonly hasHook: boolean
}

const context: Address = { kind: 'unread', reason: 'context' }

/** Shortcodes of Hugo, and those of themes whose names say that they add no heading. */
const plain =
  /^(?:comment|details|figure|gist|highlight|inline|instagram|param|qr|tweet|twitter|vimeo|x|youtube|(?:twitter|vimeo|x)_simple|.*\.inline|alert|pageinfo|tabpane|tabs?|cards?|cardpane|imgproc|iframe|note|tip|warning|info|hint|notice|callout|columns?|button|mermaid|katex|badge|icon|_param|td\/.*)$/

/** The id by which pages name a page by its file alone: `install` or `install.md`. */
export function refId(name: string): string {
  return `ref ${name.toLowerCase()}`
}

export function createAddressOf(naming: Naming, files: SiteFiles): Site['addressOf'] {
  const folders = new Set<string>()
  for (const path of files.paths)
    for (let folder = posix.dirname(path); !folders.has(folder); folder = posix.dirname(folder)) folders.add(folder)
  const find = naming.hasHook ? createFind(naming, files) : () => undefined
  return ({ kind, url }, path) => {
    if (kind === 'include') return templateOf(naming.templates, url)
    // Other pages insert those below `_includes`, and are then what a link is relative to.
    if (/(?:^|\/)_[^/]+\//.test(path) && /^(?![a-z][\w+.-]*:)[^/]/i.test(url) && kind !== 'doc') return context
    if (kind === 'doc') return referenceOf(naming, { url: url.trim(), path, hasFolder: (one) => folders.has(one) })
    if (kind !== 'link' || !naming.hasHook || /^(?:[a-z][\w+.-]*:|\/\/|#|\?)|[{}]/i.test(url)) return undefined
    const { name, fragment } = splitName(url)
    const found = find(decodePercent(name.replace(/\?.*$/, '')), path)
    if (found !== undefined) return { kind: 'named', paths: [found], ids: [], fragment }
    // A word of the template's own, such as the name of a term.
    const isWord = /^[\w-]+$/.test(url)
    return isWord ? { kind: 'unread', reason: 'code' } : undefined
  }
}

/**
 * Finds a page that only a template finds: in any case, or from the root of the content. Undefined for one that is at the
 * address, too.
 */
function createFind({ mounts, languages }: Naming, { paths }: SiteFiles) {
  const known = new Map(paths.filter(isContent).map((path) => [path.toLowerCase(), path]))
  const at = (base: string): string[] => pathsOf(base.replace(/\/+$/, ''), languages)
  return (name: string, page: string): string | undefined => {
    const isRooted = name.startsWith('/')
    if (!isRooted && name.startsWith('.')) return undefined
    const own = mounts.find(({ folder, isPart }) => !isPart && inside(folder, page) !== undefined)
    const main = mounts.filter(({ isCopy, isPart }) => isCopy !== true && isPart !== true)
    const roots = [...main, ...(own ? [own] : [])].flatMap(({ folder }) => at(posix.join(folder, name)))
    const address = page.replace(/(?:(?:^|\/)_?index)?(?:\.\w+)+$/, '')
    const near = isRooted ? [] : [posix.join(posix.dirname(page), name), posix.join(address, name)].flatMap(at)
    if (name === name.toLowerCase() && (isRooted ? roots : near).some((path) => known.get(path.toLowerCase()) === path))
      return undefined
    return [...near, ...roots].flatMap((path) => known.get(path.toLowerCase()) ?? [])[0]
  }
}

/** The name in the style of the one before: from the root, from the page, with or without extension. */
export function createNameFor(mounts: readonly Mount[], languages: readonly string[]): Site['nameFor'] {
  return ({ kind, url }, page, to) => {
    if (kind !== 'doc') return undefined
    const { name } = splitName(url)
    const mount = mounts.find(({ folder }) => inside(folder, to) !== undefined)
    const own = inside(mount?.folder ?? '', to)
    if (!mount || own === undefined || /["`]/.test(to)) return undefined
    const rest = url.slice(name.length)
    const isRooted = name.startsWith('/')
    const isBelow = inside(mount.folder, posix.join(mount.folder, name)) !== undefined && name.includes('/')
    const isFromPage = !isRooted && (/^\.\.?\//.test(name) || !isBelow || posix.dirname(page) === posix.dirname(to))
    const path = isFromPage ? posix.relative(posix.dirname(`/${page}`), `/${to}`) : own
    const dots = name.startsWith('./') && !path.startsWith('.') ? './' : ''
    const ending = isContent(name) ? '' : path.slice(withoutEnding(path, languages).length)
    const short = path.slice(0, path.length - ending.length).replace(/\/_?index$/, isContent(name) ? '$&' : '')
    return `${isRooted ? '/' : ''}${dots}${short}${rest}`
  }
}

function withoutEnding(path: string, languages: readonly string[]): string {
  const base = path.replace(/\.\w+$/, '')
  return codeIn(path, { languages }) === undefined ? base : base.slice(0, -posix.extname(base).length)
}

/** A template that may add to the page is not known here, and one that adds nothing is the page itself. */
function templateOf({ closed, open, isPartial }: Templates, name: string): Address {
  const path = closed.get(name)
  if (path !== undefined) return { kind: 'named', paths: [path], ids: [], fragment: '' }
  if (open.has(name)) return { kind: 'foreign' }
  if (plain.test(name)) return { kind: 'self', fragment: '' }
  return isPartial ? { kind: 'foreign' } : { kind: 'named', paths: [], ids: [], fragment: '' }
}

type Reference = { readonly url: string; readonly path: string; readonly hasFolder: (folder: string) => boolean }

function referenceOf(naming: Naming, { url, path, hasFolder }: Reference): Address {
  if (/[{}]/.test(url)) return { kind: 'unread', reason: 'template' }
  if (/^[a-z][\w+.-]*:|^\/\//i.test(url)) return { kind: 'foreign' }
  const { name: written, fragment } = splitName(url)
  const name = written.replace(/\?.*$/, '').replace(/\/+$/, written === '/' ? '/' : '')
  if (name === '') return parseAddress({ site: { base: '' }, path }, url)
  const own = naming.mounts.find(({ folder }) => inside(folder, path) !== undefined)
  const languages = languagesOf(naming.languages, path, own)
  // The pages of the same language first. Those of a translation may be missing there.
  const isMain = languages.length < 2
  const others = naming.mounts.filter((mount) => mount !== own && !(isMain && mount.isCopy))
  const mounts = [...(own ? [own] : []), ...others]
  const rooted = mounts.map(({ folder }) => posix.join(folder, name.replace(/^\/+/, '')))
  const bases = name.startsWith('/') ? rooted : [posix.join(posix.dirname(path), name), ...rooted]
  const isSection = bases.some((base) => hasFolder(base)) && !isContent(name)
  const paths = bases.flatMap((base) => pathsOf(base, languages))
  const made =
    naming.madeAt(posix.join('/', name.replace(/\.(?:md|markdown|html)$/, '')), true) ??
    (isSection ? 'generated' : undefined)
  const isAlone = !name.includes('/')
  return {
    kind: 'named',
    paths,
    ids: isAlone ? [refId(name)] : [],
    fragment,
    otherwise: made === undefined ? undefined : made === 'page' ? 'generated' : made,
  }
}

/** The languages in which a page finds others; a name without a language is in the main one. */
function languagesOf(languages: readonly string[], path: string, mount: Mount | undefined): readonly string[] {
  const code = codeIn(path, { languages })
  const isTranslation = (code !== undefined && code !== languages[0]) || mount?.isCopy === true
  return isTranslation ? languages : languages.slice(0, 1)
}

/** The files that a path may mean: also without an extension, and in another language. */
export function pathsOf(base: string, languages: readonly string[]): string[] {
  const codes = ['', ...languages.map((code) => `.${code}`)]
  const plainBase = base.replace(/\.(?:md|markdown)$/i, '')
  const names = plainBase === base ? [base, `${base}/index`, `${base}/_index`] : [plainBase]
  const found = names.flatMap((name) => codes.flatMap((code) => [`${name}${code}.md`, `${name}${code}.markdown`]))
  return [base, ...found, ...(plainBase === base ? [`${base}.html`, `${base}/_index.html`] : [])]
}
