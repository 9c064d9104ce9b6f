// The addresses of the pages of a Jekyll site, by the rules of its class `URL` and of `Page` and `Document`.

import { posix } from 'node:path'
import { Temporal } from 'temporal-polyfill'
import { createGlobMatcher } from '../../docs-syntax/glob.ts'
import { inside } from '../../docs-syntax/links.ts'
import { routeOf } from '../address.ts'
import { withoutExtension } from '../names.ts'
import type { PageFields, Site } from '../site.ts'
import type { JekyllConfig } from './config.ts'

type Values = Readonly<Record<string, string>>
type Place = { readonly collection: string; readonly name: string; readonly above: string }

const styles: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title:output_ext',
  weekdate: '/:categories/:year/W:week/:short_day/:title:output_ext',
  none: '/:categories/:title:output_ext',
}
const usualExclude = [
  '.sass-cache',
  '.jekyll-cache',
  'gemfiles',
  'node_modules',
  'vendor/bundle',
  'vendor/cache',
  'vendor/gems',
  'vendor/ruby',
  '_site',
]
/** Files that `jekyll-optional-front-matter` leaves alone. */
const noPage = /^(?:readme|licen[sc]e|copying|code_of_conduct|contributing|issue_template|pull_request_template)$/i

/** `has`: whether the site has a file, named from its source. */
export function createJekyllNames(
  config: JekyllConfig,
  has: (name: string) => boolean,
): Pick<Site, 'aliasOf' | 'isIgnored' | 'nameOf'> & { readonly isExcluded: (name: string) => boolean } {
  const folders = [...config.collections.keys()].map((name) => posix.join(config.collectionsFolder, `_${name}`))
  const isExcluded = createMatcher([...usualExclude, ...config.exclude])
  const isIncluded = createMatcher(config.include)
  const isSpecial = (part: string) => /^[._#]|~$/.test(part)
  const placeOf = (name: string): Place | undefined => {
    const post = /^(?:(.*)\/)?_posts\/(.*)$/.exec(inside(config.collectionsFolder, name) ?? '')
    if (post) return { collection: 'posts', name: post[2] ?? '', above: post[1] ?? '' }
    const folder = folders.find((one) => name.startsWith(`${one}/`))
    const collection = folder === undefined ? '' : posix.basename(folder).slice(1)
    return folder === undefined ? undefined : { collection, name: name.slice(folder.length + 1), above: '' }
  }
  /** With its slash at the end if there is one. Undefined: a file without frontmatter, which is copied. */
  const pathOf = (name: string, fields: PageFields): string | undefined => {
    const place = placeOf(name)
    const isFile = place ? place.collection !== 'posts' : !isPage(config, name, has)
    if (fields === null && isFile) return undefined
    const path = place ? nameOfDocument(config, place, name, fields) : nameOfPage(config, name, fields, has)
    return posix.normalize(`/${path}`)
  }
  return {
    isExcluded: (name) => isExcluded(name) && !name.split('/').some(isIncluded),
    isIgnored: (name) => {
      const place = placeOf(name)
      if (place?.collection === 'posts' && !/(?:^|\/)\d{4}-\d\d?-\d\d?-[^/]+$/.test(place.name)) return true
      const own = place ? `${place.above}/${place.name}` : name
      return (
        (isExcluded(name) && !name.split('/').some(isIncluded)) ||
        own.split('/').some((part) => isSpecial(part) && !isIncluded(part))
      )
    },
    nameOf: (name, fields) => {
      const path = pathOf(name, fields)
      if (path !== undefined) return routeOf(path).replace(/^\//, '')
      const place = placeOf(name)
      return place ? nameOfFile(config, place) : name
    },
    aliasOf: (name, fields) => pathOf(name, fields)?.replace(/(?<!\/|\.html)$/, '.html'),
  }
}

/** How names begin, or patterns for them, whose `*` matches slashes, too, as `exclude` has them. */
function createMatcher(written: readonly string[]): (name: string) => boolean {
  const names = written.map((one) => one.replace(/^\.?\//, '')).filter((one) => one !== '')
  const patterns = names.flatMap((name) => (/[*?[]/.test(name) ? [name, name.replace('*', '*/**/*')] : []))
  const matches = createGlobMatcher(patterns.flatMap((name) => [name, `${name}/**`]))
  return (name) => names.some((one) => name.startsWith(one)) || matches(name)
}

/** Whether a file without frontmatter is a page. */
function isPage({ hasOptionalFields }: JekyllConfig, name: string, has: (name: string) => boolean): boolean {
  const { name: base } = posix.parse(name)
  return hasOptionalFields && (!noPage.test(base) || isReadmeIndex(name, has))
}

/** `jekyll-readme-index`: a README is the first page of a folder that has no other one. */
function isReadmeIndex(name: string, has: (name: string) => boolean): boolean {
  const { dir, name: base } = posix.parse(name)
  return (
    /^readme$/i.test(base) && !['index.md', 'index.html', 'index.markdown'].some((one) => has(posix.join(dir, one)))
  )
}

function nameOfPage(config: JekyllConfig, name: string, fields: PageFields, has: (name: string) => boolean): string {
  const path = withoutExtension(name)
  const basename = posix.basename(path)
  const folder = posix.dirname(path).replace(/^\.$/, '')
  const values = { path: folder, basename, title: basename, name: basename, output_ext: '.html' }
  const own = fields?.strings['permalink'] ?? defaultOf(config, name, 'pages')
  if (own !== undefined) return fill(own, values)
  return basename === 'index' || (config.hasOptionalFields && isReadmeIndex(name, has))
    ? `${folder}/`
    : path + suffixOf(config)
}

/** A file of a collection without frontmatter is copied. */
function nameOfFile(config: JekyllConfig, { collection, name }: Place): string {
  const { ext, name: basename } = posix.parse(name)
  const values = { collection, path: withoutExtension(name), name: basename, title: '', output_ext: '' }
  const path = fill(config.collections.get(collection) ?? '/:collection/:path', values)
  return path.replace(/^\/|\/$/g, '') + ext
}

function nameOfDocument(
  config: JekyllConfig,
  { collection, name, above }: Place,
  full: string,
  fields: PageFields,
): string {
  const isPost = collection === 'posts'
  const path = withoutExtension(name)
  const dated = isPost ? /^(?:(.*)\/)?(\d{4})-(\d\d?)-(\d\d?)-([^/]+)$/.exec(path) : null
  const date =
    /^(\d{4})-(\d\d?)-(\d\d?)/.exec(dayOf(fields?.strings['date'] ?? '', config.zone))?.slice(1) ?? dated?.slice(2, 5)
  const own = fields?.strings['permalink'] ?? defaultOf(config, full, collection)
  const usual = isPost ? (styles[config.permalink] ?? config.permalink) : `/:collection/:path${suffixOf(config)}`
  const basename = dated?.[5] ?? posix.basename(path)
  const slug = fields?.strings['slug'] ?? basename
  return fill(own ?? config.collections.get(collection) ?? usual, {
    ...(date ? dateNames(date.map(Number)) : {}),
    collection,
    path: dated ? basename : path,
    categories: categoriesOf(above, fields).join('/'),
    title: slugOf(slug),
    name: plainSlugOf(basename),
    basename,
    slug: plainSlugOf(slug),
    output_ext: '.html',
  })
}

function suffixOf({ permalink }: JekyllConfig): string {
  return permalink === 'pretty' || permalink.endsWith('/') ? '/' : ''
}

function dateNames([year = 0, month = 0, day = 0]: readonly number[]): Values {
  const padded = (value: number, length = 2) => String(value).padStart(length, '0')
  const names = { year: String(year), short_year: padded(year % 100), month: padded(month), i_month: String(month) }
  const all = { ...names, day: padded(day), i_day: String(day) }
  try {
    const date = Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
    const long = (part: 'weekday' | 'month') => date.toLocaleString('en', { [part]: 'long' })
    const [weekday, long_month] = [long('weekday'), long('month')]
    const weeks = { week: padded(date.weekOfYear ?? 0), w_year: String(date.yearOfWeek), w_day: String(date.dayOfWeek) }
    const words = { long_day: weekday, short_day: weekday.slice(0, 3), long_month, short_month: long_month.slice(0, 3) }
    return { ...all, ...weeks, ...words, y_day: padded(date.dayOfYear, 3) }
  } catch {
    return all
  }
}

/** A time with an offset is that of another day in the zone of the site. */
function dayOf(date: string, zone: string): string {
  const [, day = '', time = '', offset = ''] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?) ?([+-]\d\d:?\d\d)$/.exec(date) ?? []
  if (day === '') return date
  try {
    return Temporal.Instant.from(`${day}T${time}${offset}`).toZonedDateTimeISO(zone).toPlainDate().toString()
  } catch {
    return date
  }
}

/** The folders above `_posts`, and the field. */
function categoriesOf(above: string, fields: PageFields): string[] {
  const [one, several = ''] = [fields?.strings['category'], fields?.strings['categories']]
  const own = one === undefined ? (fields?.lists['categories'] ?? several.split(/\s+/)) : [one]
  const all = [...above.split('/'), ...own].filter((name) => name !== '')
  return [...new Set(all.map((name) => name.toLowerCase()))]
}

function defaultOf({ defaults }: JekyllConfig, name: string, type: string): string | undefined {
  const own = defaults.filter(({ path, type: wanted }) => {
    if (wanted !== '' && wanted !== type) return false
    if (/[*?]/.test(path)) return createGlobMatcher([path, `${path}/**`])(name)
    return path === '' || name === path || name.startsWith(`${path}/`)
  })
  return own.at(-1)?.permalink
}

/** A placeholder that is not known stays, so the address is that of no link. */
function fill(template: string, values: Values): string {
  return template.replace(/:([a-z_]+)/g, (written, name: string) => {
    // `:titlex` begins with a name.
    const known = Object.keys(values)
      .filter((one) => name.startsWith(one))
      .toSorted((a, b) => b.length - a.length)[0]
    return known === undefined ? written : `${values[known] ?? ''}${name.slice(known.length)}`
  })
}

function plainSlugOf(text: string): string {
  return text
    .replace(/[^\p{M}\p{L}\p{Nd}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
}

function slugOf(text: string): string {
  return text.replace(/[^\p{M}\p{L}\p{N}._~!$&'()+,;=@]+/gu, '-').replace(/^-|-$/g, '')
}
