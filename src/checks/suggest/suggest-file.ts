// Suggests a file: an image or a download, and the part of a page that an import or an include directive means.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { parseAddress } from '../../sites/address.ts'
import { importedPath, includedPaths } from '../rules/imported.ts'
import { resolve } from '../rules/resolve.ts'
import type { SitePage } from '../rules/site-page.ts'
import { decodePercent } from '../../lib/plain-text.ts'
import { type Candidates, withoutAnyExtension } from './candidates.ts'
import { type Candidate, choose, toParts } from './choose.ts'
import { fileAddressesOf } from './write-address.ts'

const image = /\.(?:png|jpe?g|svg|gif|webp|avif)$/i
const part = /\.(?:mdx?|[cm]?[jt]sx?|json|vue|css)$|\.astro$/i

/** An image may have another extension; any other file has the same one. */
export function suggestFile(known: Candidates, from: SitePage, target: string): string | undefined {
  const [, written = '', suffix = ''] = /^([^?#]*)([^]*)$/.exec(target.trim()) ?? []
  const name = decodePercent(written)
  const path = chooseFile(known.files(from.site), from, name, image)
  if (path === undefined) return undefined
  const address = fileAddressesOf(from, written, path).find(
    (one) => resolve(known.index, from, parseAddress(from, one)) === 'file',
  )
  return address && address + suffix
}

type Directive = { readonly kind: 'import' | 'include'; readonly url: string }

export function suggestPart(known: Candidates, from: SitePage, { kind, url }: Directive): string | undefined {
  const [, written = '', suffix = ''] = (kind === 'include' ? /^([^#:]*)([^]*)$/ : /^([^?#]*)([^]*)$/).exec(url) ?? []
  const files = kind === 'include' ? known.index.paths : known.index.paths.filter((path) => part.test(path))
  const candidates = files.map((path) => ({ value: path, name: toParts(withoutAnyExtension(path)) }))
  const path = chooseFile(candidates, from, written, part)
  if (path === undefined || path === from.path) return undefined
  const address = (kind === 'include' ? includesOf : importsOf)(from, written, path).find((one) => {
    if (kind === 'import') return importedPath(known.index, from, one) === path
    return includedPaths(from, one).includes(path)
  })
  return address && address + suffix
}

/** `others`: the extensions that a file may have instead. */
function chooseFile(candidates: readonly Candidate<string>[], from: SitePage, written: string, others: RegExp) {
  const path = written.startsWith('/') ? written.slice(1) : posix.join(posix.dirname(from.path), written)
  const extension = posix.extname(written).toLowerCase()
  const wanted = toParts(withoutAnyExtension(path))
  const same = candidates.filter(({ value }) => posix.extname(value).toLowerCase() === extension)
  if (extension !== '' && !others.test(extension)) return choose(wanted, same)
  const found = extension === '' ? undefined : choose(wanted, same)
  return (
    found ??
    choose(
      wanted,
      candidates.filter(({ value }) => others.test(value)),
    )
  )
}

function importsOf({ path: from, site }: SitePage, written: string, path: string): string[] {
  const name = posix.extname(written) === '' ? withoutAnyExtension(path) : path
  const within = inside(site.root, name)
  if (written.startsWith('@site/')) return within === undefined ? [] : [`@site/${within}`]
  if (written.startsWith('/')) return within === undefined ? [] : [`/${within}`]
  return [dotted(posix.relative(posix.dirname(`/${from}`), `/${name}`))]
}

function includesOf({ path: from, site }: SitePage, written: string, path: string): string[] {
  const { prefix, folders = [] } = site.includes ?? {}
  if (prefix !== undefined && written.startsWith(prefix)) {
    const names = folders.flatMap((folder) => inside(folder, path) ?? [])
    return names.map((name) => prefix + name).toSorted((a, b) => a.length - b.length)
  }
  const relative = posix.relative(posix.dirname(`/${from}`), `/${path}`)
  return [written.startsWith('./') ? dotted(relative) : relative]
}

function dotted(address: string): string {
  return address.startsWith('.') ? address : `./${address}`
}
