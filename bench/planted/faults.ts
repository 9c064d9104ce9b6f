// Plans the faults of a site: which files change in which copies of it, and where a finding must be for a fault to be found.

import { posix } from 'node:path'
import { parseDocument } from 'yaml'
import type { FindingKind } from '../../src/checks/finding.ts'
import { findNavigation, listsItself } from './navigation.ts'
import type { Random } from './random.ts'
import { addRedirect, twinOf } from './redirects.ts'
import { findReferences, type Reference } from './references.ts'
import type { PlantedSite } from './site.ts'
import { insertParagraph, syntaxOf } from './text.ts'

export const faultKinds = [
  'dead link, rooted',
  'dead link, relative',
  'dead anchor',
  'missing image',
  'deleted page',
  'moved page',
  'navigation to nothing',
  'missing in navigation',
  'broken frontmatter',
  'duplicate address',
  'redirect over a page',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** `mark`: the line is the first with this text. `kinds`: a finding of another kind does not name the fault. */
export type Expected = {
  readonly path: string
  readonly line?: number
  readonly mark?: string
  readonly url: string
  readonly kinds: readonly FindingKind[]
}
/** Found if each place is. */
export type Fault = { readonly kind: FaultKind; readonly places: readonly Expected[]; readonly otherwise?: Expected }
/** A copy of the site. Null: the file is not there. */
export type Copy = { readonly changes: Map<string, string | null>; readonly faults: Fault[] }

export type Planning = { readonly site: PlantedSite; readonly random: Random; readonly count: number }

const linkKinds: readonly FindingKind[] = ['link', 'navigation']

export function planFaults(planning: Planning): Copy[] {
  const references = findReferences(planning.site)
  return [
    planPages(planning, references),
    planEntries(planning, references),
    planGone(planning, references, 'deleted page'),
    planGone(planning, references, 'moved page'),
    planFrontmatter(planning),
    planTwins(planning),
    ...planUnlisted(planning),
  ].filter(({ faults }) => faults.length > 0)
}

function emptyCopy(site: PlantedSite) {
  const copy: Copy = { changes: new Map(), faults: [] }
  const text = (path: string) => copy.changes.get(path) ?? site.texts.get(path) ?? ''
  return { copy, text }
}

/** Links, anchors and images: ten of each form where there are two. */
function planPages({ site, random, count }: Planning, references: readonly Reference[]): Copy {
  const { copy, text } = emptyCopy(site)
  const rooted = references.filter((one) => one.rooted && syntaxOf(one.path) === 'markdown')
  const pages = random.shuffled(site.pages)
  const plant = (
    kind: FaultKind,
    path: string,
    { paragraph, url, kinds }: { paragraph: string; url: string; kinds: readonly FindingKind[] },
  ) => {
    copy.changes.set(path, insertParagraph(path, text(path), paragraph, random))
    copy.faults.push({ kind, places: [{ path, mark: paragraph, url, kinds }] })
  }
  const pageAt = (at: number) => pages[at % pages.length] ?? ''
  for (let at = 0; at < count / 2; at += 1) {
    const name = `zz-planted-rooted-${at}x`
    const like = rooted.length > 0 ? random.pick(rooted) : undefined
    const folder = like ? posix.dirname(like.url.replace(/[#?].*$/, '').replace(/\/$/, '')) : '/'
    const link = writeLink(site, pageAt(at), posix.join(folder, name), at)
    if (link) plant('dead link, rooted', pageAt(at), link)
  }
  for (let at = 0; at < count / 2; at += 1) {
    const link = writeLink(site, pageAt(at + count), `zz-planted-relative-${at}x`, at)
    if (link) plant('dead link, relative', pageAt(at + count), link)
  }
  const bases = random.shuffled(references.filter(({ path, isTag }) => syntaxOf(path) !== 'rst' && !isTag))
  for (let at = 0; at < count; at += 1) {
    const name = `zz-planted-anchor-${at}x`
    const base = at % 2 === 0 ? bases[at] : undefined
    const path = base?.path ?? pageAt(at + 2 * count)
    plant('dead anchor', path, writeAnchor(path, name, { base: base?.url, isLocal: at % 2 === 1 }))
  }
  for (let at = 0; at < count; at += 1) {
    const path = pageAt(at + 3 * count)
    plant('missing image', path, writeImage(path, `zz-planted-image-${at}x.png`))
  }
  return copy
}

function writeLink({ kind }: PlantedSite, path: string, name: string, at: number) {
  const isRooted = name.startsWith('/')
  switch (syntaxOf(path)) {
    case 'rst':
      return { paragraph: `See :doc:\`${name}\`.`, url: name, kinds: linkKinds }
    case 'adoc':
      return isRooted
        ? undefined
        : { paragraph: `See xref:${name}.adoc[planted].`, url: `${name}.adoc`, kinds: linkKinds }
    case 'markdown':
    default: {
      if ((kind === 'sphinx' || kind === 'myst') && isRooted) return undefined
      if (kind === 'jekyll' && at % 3 === 0) {
        const url = `{% link ${name.replace(/^\//, '')}.md %}`
        return { paragraph: `See [planted](${url}).`, url, kinds: linkKinds }
      }
      if (kind === 'hugo' && at % 3 === 0)
        return { paragraph: `See [planted]({{< ref "${name}.md" >}}).`, url: name, kinds: linkKinds }
      const end = isRooted || ['starlight', 'mintlify', 'nextra', 'fumadocs'].includes(kind) ? '' : '.md'
      const url = `${isRooted ? '' : './'}${name}${end}`
      return { paragraph: `See [planted](${url}).`, url, kinds: linkKinds }
    }
  }
}

/** `isLocal`: rst names what is on the page itself in another way. */
function writeAnchor(path: string, name: string, { base, isLocal }: { base: string | undefined; isLocal: boolean }) {
  const url = `${base?.replace(/#.*$/, '') ?? ''}#${name}`
  const kinds: FindingKind[] = ['anchor', 'link']
  if (syntaxOf(path) === 'rst') {
    const paragraph = isLocal ? `See \`${name}\`_.` : `See :ref:\`${name}\`.`
    return { paragraph, url: isLocal ? `#${name}` : name, kinds }
  }
  if (syntaxOf(path) === 'adoc')
    return {
      paragraph: base === undefined ? `See <<${name}>>.` : `See xref:${url}[planted].`,
      url: base === undefined ? name : url,
      kinds,
    }
  return { paragraph: `See [planted](${url}).`, url, kinds }
}

function writeImage(path: string, url: string) {
  const kinds: FindingKind[] = ['image', 'link', 'mdx']
  if (syntaxOf(path) === 'rst') return { paragraph: `.. image:: ${url}`, url, kinds }
  if (syntaxOf(path) === 'adoc') return { paragraph: `image::${url}[]`, url, kinds }
  return { paragraph: `![planted](./${url})`, url: `./${url}`, kinds }
}

/** Entries of the navigation, and redirects: they change no page. */
function planEntries({ site, random, count }: Planning, references: readonly Reference[]): Copy {
  const { copy, text } = emptyCopy(site)
  const places = random.shuffled(findNavigation(site)).slice(0, count)
  for (const [at, place] of places.entries()) {
    const name = `zz-planted-entry-${at}x`
    const written = place.insert(text(place.file), name)
    if (!written.includes(name)) continue
    copy.changes.set(place.file, written)
    copy.faults.push({
      kind: 'navigation to nothing',
      // As it is written: with the folder and the ending of the entry beside it.
      places: [
        {
          path: place.file,
          mark: name,
          url: new RegExp(`[\\w./-]*${name}[\\w./-]*`).exec(written)?.[0] ?? name,
          kinds: linkKinds,
        },
      ],
    })
  }
  const rooted = random.shuffled(references.filter((one) => one.rooted || ['mkdocs', 'sphinx'].includes(site.kind)))
  const unique = [...new Map(rooted.map((one) => [one.target, one])).values()].slice(0, count)
  for (const [at, reference] of unique.entries()) {
    const to = `zz-planted-target-${at}x`
    const found = addRedirect(site, text, reference, to)
    if (!found) continue
    copy.changes.set(found.file, found.text)
    copy.faults.push({
      kind: 'redirect over a page',
      places: [{ path: found.file, mark: found.mark ?? to, url: found.source, kinds: ['redirect'] }],
    })
  }
  return copy
}

function planGone(
  { site, random, count }: Planning,
  references: readonly Reference[],
  kind: 'deleted page' | 'moved page',
): Copy {
  const { copy } = emptyCopy(site)
  const byTarget = Map.groupBy(references, ({ target }) => target)
  const chosen = random.shuffled([...byTarget.keys()].filter((path) => isAlone(site, path))).slice(0, count)
  const gone = new Set(chosen)
  for (const [at, target] of chosen.entries()) {
    const named = (byTarget.get(target) ?? []).filter(({ path }) => !gone.has(path))
    if (named.length === 0) continue
    copy.changes.set(target, null)
    const { dir, ext } = posix.parse(target)
    const name = `zz-planted-moved-${at}x`
    if (kind === 'moved page') copy.changes.set(posix.join(dir, name, name + ext), site.texts.get(target) ?? '')
    copy.faults.push({ kind, places: named.map(({ path, line, url }) => ({ path, line, url, kinds: linkKinds })) })
  }
  return copy
}

/** Without another file that may be served at the same address. */
function isAlone({ folder, paths }: PlantedSite, path: string): boolean {
  // Without its first page it is no site any more.
  if (posix.join(folder, `index${posix.extname(path)}`) === path) return false
  const stem = path.replace(/(?:\/_?index)?\.\w+$/, '')
  const others = ['.md', '.mdx', '.html', '.rst', '/index.md', '/index.mdx', '/_index.md', '/index.html', '/README.md']
  return others.every((end) => stem + end === path || !paths.has(stem + end))
}

function planFrontmatter({ site, random, count }: Planning): Copy {
  const { copy } = emptyCopy(site)
  const pages = site.pages.filter((path) => {
    const [, yaml, toml] = /^(?:---\r?\n([^]*?)\n---|(\+\+\+)\r?\n)/.exec(site.texts.get(path) ?? '') ?? []
    // A page that is broken already gets no new finding.
    return toml !== undefined || (yaml !== undefined && parseDocument(yaml).errors.length === 0)
  })
  for (const path of random.shuffled(pages).slice(0, count)) {
    const text = site.texts.get(path) ?? ''
    const fault = text.startsWith('+') ? 'zz-planted = = 1' : 'zz-planted: "one" two: ['
    copy.changes.set(path, text.replace('\n', `\n${fault}\n`))
    copy.faults.push({ kind: 'broken frontmatter', places: [{ path, url: '', kinds: ['frontmatter', 'mdx'] }] })
  }
  return copy
}

function planTwins({ site, random, count }: Planning): Copy {
  const { copy } = emptyCopy(site)
  const twins = random.shuffled(site.pages).flatMap((path) => {
    const twin = twinOf(site, path)
    return twin === undefined ? [] : [{ path, twin }]
  })
  for (const { path, twin } of twins.slice(0, count)) {
    copy.changes.set(twin, site.texts.get(path) ?? '')
    const place = { url: '', kinds: ['duplicate-route'] } as const
    copy.faults.push({ kind: 'duplicate address', places: [{ ...place, path: twin }], otherwise: { ...place, path } })
  }
  return copy
}

/** Each in a copy of its own: twenty pages that are missing at once are a site that does not list its pages. */
function planUnlisted({ site, random, count }: Planning): Copy[] {
  const places = listsItself(site)
    ? []
    : findNavigation(site).filter(({ file, page }) => {
        // A folder of Fumadocs without a list of its own lists all its pages.
        return page !== '' && (site.kind !== 'fumadocs' || posix.dirname(file) === posix.dirname(page))
      })
  return random
    .shuffled(places)
    .slice(0, count)
    .map(({ page }, at): Copy => {
      const path = posix.join(posix.dirname(page), `zz-planted-unlisted-${at}x${posix.extname(page)}`)
      return {
        changes: new Map([[path, withoutAddress(site.texts.get(page) ?? '')]]),
        faults: [{ kind: 'missing in navigation', places: [{ path, url: '', kinds: ['unlisted'] }] }],
      }
    })
}

/** A copy with the id or the address of the page would be named where the page is. */
function withoutAddress(text: string): string {
  const end = /^---\r?\n/.test(text) ? text.indexOf('\n---', 3) : 0
  return text.slice(0, end).replace(/^(?:id|slug|permalink)\s*:.*$/gm, '') + text.slice(end)
}
