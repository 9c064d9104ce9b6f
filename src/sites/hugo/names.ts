// The addresses of the pages of a Hugo site: by their place, or by `url`, `slug` and `permalinks`.

import { posix } from 'node:path'
import { routeOf } from '../address.ts'
import type { PageFields } from '../site.ts'
import type { HugoMount, HugoSettings } from './settings.ts'

/** The logical path of a page: `docs/a` for `docs/a.de.md`, `docs` for `docs/_index.md` and `docs/index.md`. */
export type Logical = { readonly path: string; readonly language: string; readonly kind: 'section' | 'bundle' | 'page' }

type Naming = Pick<
  HugoSettings,
  'languages' | 'isMainBelow' | 'keepsCase' | 'removesAccents' | 'permalinks' | 'sections'
>

const content = /\.(?:md|markdown|html?|adoc|asciidoc|ad|org|rst|pandoc|pdc)$/i
const months = 'january,february,march,april,may,june,july,august,september,october,november,december'.split(',')

export function isContent(name: string): boolean {
  return content.test(name)
}

/** `name`: from the folder of the mount. */
export function toLogical({ languages }: Naming, mount: HugoMount, name: string): Logical {
  const full = posix.join(mount.target.replace(/^content\/?/, ''), name)
  const dir = posix.dirname(full).replace(/^\.$/, '')
  const base = posix.basename(full).replace(content, '')
  const [, stem = base, code = ''] = /^(.+)\.([\w-]+)$/.exec(base) ?? []
  const isTranslated = languages.includes(code.toLowerCase())
  const language = isTranslated ? code.toLowerCase() : (mount.languages[0] ?? languages[0] ?? '')
  const plain = isTranslated ? stem : base
  if (plain === '_index') return { path: dir, language, kind: 'section' }
  if (plain === 'index') return { path: dir, language, kind: 'bundle' }
  return { path: posix.join(dir, plain), language, kind: 'page' }
}

/** The language in the name of a file. */
export function codeIn(path: string, { languages }: Pick<Naming, 'languages'>): string | undefined {
  const code = /\.([\w-]+)\.\w+$/.exec(path)?.[1]?.toLowerCase()
  return code !== undefined && languages.includes(code) ? code : undefined
}

export function prefixOf({ languages, isMainBelow }: Naming, language: string): string {
  return language !== languages[0] || isMainBelow ? `/${language}` : ''
}

/** The whole address, with a slash at its start. */
export function addressOf(naming: Naming, logical: Logical, fields: PageFields): string {
  const { path, language, kind } = logical
  const prefix = prefixOf(naming, language)
  const url = fields?.strings['url']
  // Only an address without a slash at its start gets the language.
  if (url !== undefined && url !== '' && !url.includes(':'))
    return toRoute(url.startsWith('/') ? url : `${prefix}/${url}`)
  const slug = kind === 'section' ? undefined : fields?.strings['slug']
  const [section = ''] = path.split('/', 1)
  const pattern = kind === 'section' ? undefined : naming.permalinks.get(section.toLowerCase())
  const filled = pattern === undefined ? undefined : fill(pattern, logical, fields, naming.sections)
  const own = filled ?? (slug ? posix.join(posix.dirname(path), slug) : path)
  return toRoute(`${prefix}/${sanitise(naming, own)}`)
}

/** Hugo keeps letters, digits and a few marks, and writes hyphens for spaces. */
export function sanitise({ keepsCase, removesAccents }: Naming, path: string): string {
  const kept = path
    .replace(/[^\p{L}\p{M}\p{N}\s./\\_#+~@%-]/gu, '')
    .trim()
    .replace(/\s+(?=-)|(?<=-)\s+/g, '')
    .replace(/\s+/g, '-')
  const plain = removesAccents
    ? kept
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .normalize('NFC')
    : kept
  return keepsCase ? plain : plain.toLowerCase()
}

function toRoute(address: string): string {
  return routeOf(posix.normalize(`/${address}`))
}

/** Undefined: the pattern needs what is not known, such as a date that the page has not. */
function fill(
  pattern: string,
  { path, kind }: Logical,
  fields: PageFields,
  known: ReadonlySet<string>,
): string | undefined {
  const folders = posix.dirname(path).split('/')
  // A folder without an `_index` is no section.
  const isSection = (at: number) => at === 0 || known.has(folders.slice(0, at + 1).join('/'))
  const sections = folders.filter((part, at) => part !== '.' && isSection(at))
  const name = posix.basename(path)
  const { title, slug, date } = fields?.strings ?? {}
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(date ?? '') ?? []
  const values: Readonly<Record<string, string | undefined>> = {
    year,
    month,
    day,
    monthname: months[Number(month ?? 0) - 1],
    section: kind === 'bundle' && sections.length === 0 ? name : sections[0],
    sections: sections.join('/'),
    title,
    slug: slug ?? title,
    filename: name,
    contentbasename: name,
    slugorfilename: slug ?? name,
    slugorcontentbasename: slug ?? name,
  }
  let isKnown = true
  const filled = pattern.replace(/:([a-z]+)(\[[^\]]*\])?/g, (_, token: string, range: string | undefined) => {
    const value = range === undefined ? values[token] : token === 'sections' ? slice(sections, range) : undefined
    isKnown &&= value !== undefined
    return value ?? ''
  })
  return isKnown ? filled : undefined
}

/** `[1:]`, `[:last]` and `[0]` of `:sections`. */
function slice(sections: readonly string[], range: string): string | undefined {
  const [, from = '', colon, to = ''] = /^\[(\d*|last)(:?)(\d*|last)\]$/.exec(range) ?? []
  const at = (written: string, otherwise: number) =>
    written === '' ? otherwise : written === 'last' ? sections.length - 1 : Number(written)
  if (colon === undefined) return undefined
  if (colon === '') return sections[at(from, 0)]
  return sections.slice(at(from, 0), at(to, sections.length)).join('/')
}
