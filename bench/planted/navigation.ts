// Finds the places where a site's navigation names its pages, as text, and writes one more name beside such a place.

import { posix } from 'node:path'
import type { PlantedSite } from './site.ts'

/** `insert`: the text of the file with an entry for `name` beside this one. */
export type NavigationPlace = {
  readonly file: string
  readonly page: string
  insert(text: string, name: string): string
}

/** Empty: the site has no navigation that is data. */
export function findNavigation(site: PlantedSite): NavigationPlace[] {
  const known = new Set(site.pages)
  const isPage = ({ page }: NavigationPlace) => known.has(page)
  return [...site.texts].flatMap(([file, text]) => placesIn(site, file, text)).filter(isPage)
}

/** Whether pages list themselves, so that a page cannot be missing. */
export function listsItself({ kind, texts, root }: PlantedSite): boolean {
  const all = [...texts].filter(([path]) => !/\.(?:md|mdx)$/.test(path)).map(([, text]) => text)
  if (kind === 'mkdocs') {
    return (
      !texts.get(posix.join(root, 'mkdocs.yml'))?.includes('\nnav:') ||
      all.some((text) => /awesome|literate-nav/.test(text))
    )
  }
  if (kind === 'fumadocs') return all.some((text) => text.includes('"..."'))
  return kind === 'nextra' || all.some((text) => /autogenerat(?:e|ed)\b|:glob:/.test(text))
}

function placesIn(site: PlantedSite, file: string, text: string): NavigationPlace[] {
  const name = posix.basename(file)
  switch (site.kind) {
    case 'mkdocs':
      return /^mkdocs\.ya?ml$/.test(name) && text.includes('\nnav:')
        ? fromLines(site, file, text, /^(\s*- )(?:[^\n]*: )?["']?([^\s"':]+\.md)["']?\s*$/)
        : []
    case 'mdbook':
      return name === 'SUMMARY.md' ? fromLines(site, file, text, /^(\s*[-*] \[)[^\]]*\]\(([^)\s]+\.md)\)\s*$/) : []
    case 'antora':
      return name === 'nav.adoc' ? fromLines(site, file, text, /^(\*+ xref:)([^[\s@:]+\.adoc)\[.*\]\s*$/) : []
    case 'sphinx':
      return file.endsWith('.rst') ? fromToctrees(file, text) : []
    case 'mintlify':
      return /^(?:docs|mint)\.json$/.test(name) ? fromLines(site, file, text, /^(\s*")([\w./-]+)",\s*$/) : []
    case 'docusaurus':
      return /^[\w-]*sidebars?[\w-]*\.(?:json|[cm]?[jt]s)$/i.test(name)
        ? fromLines(site, file, text, /^(\s*["'])([\w./-]+)["'],\s*$/)
        : []
    case 'vitepress':
      return file.includes('.vitepress/') ? fromObjects(site, file, text, /\blink:\s*(["'])(\/[\w./-]+)\1/g) : []
    case 'starlight':
      return /^astro\.(?:config|sidebar)/.test(name)
        ? [
            ...fromObjects(site, file, text, /\b(?:slug|link):\s*(["'])([\w./-]+)\1/g),
            ...fromLines(site, file, text, /^(\s*["'])([\w./-]+)["'],\s*$/),
          ]
        : []
    case 'myst':
      return name === 'myst.yml' ? fromLines(site, file, text, /^(\s*- file: )([\w./-]+\.md)\s*$/) : []
    case 'fumadocs':
      return name === 'meta.json' ? fromLines(site, file, text, /^(\s*")([\w./-]+)",\s*$/) : []
    case 'nextra':
      return /^_meta\.[jt]sx?$/.test(name)
        ? fromLines(site, file, text, /^(\s*["']?)([\w-]+)(?=["']?:\s*["'][^"']*["'],\s*$)/)
        : []
    case 'hugo':
    case 'jekyll':
    case 'plain':
    default:
      return []
  }
}

function fromLines(site: PlantedSite, file: string, text: string, entry: RegExp): NavigationPlace[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at): NavigationPlace[] => {
    const found = entry.exec(line)
    const [, start = '', named = ''] = found ?? []
    if (!found) return []
    if (
      site.kind === 'mkdocs' &&
      !lines
        .slice(0, at)
        .findLast((one) => /^\w/.test(one))
        ?.startsWith('nav:')
    )
      return []
    const insert = (now: string, name: string) => {
      const copy = line.replace(/: .*$/, (label) => (site.kind === 'mkdocs' ? `: ${named}` : label))
      return now.replace(
        line,
        () =>
          `${copy.slice(0, start.length)}${copy.slice(start.length).replace(named, siblingOf(named, name))}\n${line}`,
      )
    }
    return [{ file, page: pageOf(site, file, named), insert }]
  })
}

/** The object around the address is copied: `{ text: 'Start', link: '/start' }`. */
function fromObjects(site: PlantedSite, file: string, text: string, entry: RegExp): NavigationPlace[] {
  return Array.from(text.matchAll(entry)).flatMap((found): NavigationPlace[] => {
    const start = text.lastIndexOf('{', found.index)
    const end = text.indexOf('}', found.index)
    const object = text.slice(start, end + 1)
    const named = found[2] ?? ''
    if (start === -1 || end === -1 || object.slice(1, -1).includes('{') || object.split('\n').length > 6) return []
    const insert = (now: string, name: string) =>
      now.replace(object, () => `${object.replace(named, siblingOf(named, name))},\n${object}`)
    return [{ file, page: pageOf(site, file, named), insert }]
  })
}

function fromToctrees(file: string, text: string): NavigationPlace[] {
  const lines = text.split('\n')
  let indent = -1
  return lines.flatMap((line): NavigationPlace[] => {
    if (/^\s*\.\. toctree::/.test(line)) indent = line.search(/\S/)
    else if (line.trim() !== '' && line.search(/\S/) <= indent) indent = -1
    const named = /^\s+(?!:)(?:[^<>\n]*<)?([\w./-]+)>?\s*$/.exec(line)?.[1]
    if (indent === -1 || named === undefined || line.includes('toctree')) return []
    const stem = posix.join(posix.dirname(file), named).replace(/\.rst$/, '')
    const insert = (now: string, name: string) =>
      now.replace(`\n${line}\n`, () => `\n${line.slice(0, line.search(/\S/))}${siblingOf(named, name)}\n${line}\n`)
    return [{ file, page: `${stem}.rst`, insert }]
  })
}

/** A name in the same folder and form. */
function siblingOf(named: string, name: string): string {
  const [, folder = '', , end = ''] = /^(.*\/)?([^/]*?)(\.\w+|\/)?$/.exec(named) ?? []
  return `${folder}${name}${end}`
}

function pageOf(site: PlantedSite, file: string, named: string): string {
  if (site.kind === 'antora') return posix.join(posix.dirname(file), 'pages', named)
  const isBeside = site.kind === 'fumadocs' || site.kind === 'nextra'
  const base = isBeside ? posix.dirname(file) : site.kind === 'mintlify' ? site.root : site.folder
  const path = posix
    .join(base, named)
    .replace(/\.html$/, '')
    .replace(/\/$/, '')
  const ends = ['', '.md', '.mdx', '/index.md', '/index.mdx', '/page.mdx']
  return ends.map((end) => path + end).find((one) => site.texts.has(one)) ?? path
}
