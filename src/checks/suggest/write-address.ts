// Writes the address of a page or file in the form of another address: relative or from the root, with or without an
// extension, with the same start and end. Returns several, the likeliest first: only a look-up shows which of them works.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import type { SitePage } from '../rules/site-page.ts'
import { withoutExtension } from '../../sites/names.ts'

const ending = /\.(?:mdx?|markdown|html?)$/i

/** `written`: the address to replace, without query and fragment. */
export function addressesOf(from: SitePage, written: string, page: SitePage): string[] {
  const addresses = written.startsWith('/') ? rooted(from, written, page) : relative(from, written, page)
  return addresses.map((address) => withStyle(written, address))
}

export function fileAddressesOf(from: SitePage, written: string, path: string): string[] {
  const folders = [...from.site.assets, ...from.site.mounts.map(({ folder }) => folder)]
  const addresses = written.startsWith('/')
    ? folders.flatMap((folder) => {
        const name = inside(folder, path)
        return name === undefined ? [] : [`/${name}`]
      })
    : [posix.relative(posix.dirname(`/${from.path}`), `/${path}`)]
  return addresses.map((address) => withStyle(written, address))
}

function rooted({ site }: SitePage, written: string, page: SitePage): string[] {
  const found = endingOf(written)
  const base = site.base !== '' && `${written}/`.startsWith(`${site.base}/`) ? site.base : ''
  const [route = ''] = page.routes
  if (found === '') return [`${base}${route}` || '/']
  if (found.startsWith('.htm')) return [`${base}${route === '' ? '/index' : route}${found}`]
  return [`${base}/${page.name}`, `/${page.path}`, `${base}${route}${found}`]
}

function relative(from: SitePage, written: string, page: SitePage): string[] {
  const found = endingOf(written)
  const path = posix.relative(posix.dirname(`/${from.path}`), `/${page.path}`)
  if (found.startsWith('.htm')) return [withoutExtension(path) + found]
  if (found !== '') return [path]
  const [here = '', there = ''] = [from.routes[0], page.routes[0]]
  const plain = withoutExtension(path).replace(/(?:^|\/)(?:index|readme)$/i, '')
  const routes = [here === '' ? '/' : here, posix.dirname(here === '' ? '/' : here)].map((folder) =>
    posix.relative(folder, there === '' ? '/' : there),
  )
  const paths = [plain, withoutExtension(path)]
  // With a slash at its end, an address of the browser: a page is a folder there.
  const inOrder = written.endsWith('/') ? [...routes, ...paths] : [...paths, ...routes]
  return inOrder.filter((address) => address !== '')
}

function endingOf(written: string): string {
  return ending.exec(written)?.[0].toLowerCase() ?? ''
}

/** Keeps `./` at the start and a slash at the end. */
function withStyle(written: string, address: string): string {
  const started = written.startsWith('./') && !/^[./]/.test(address) ? `./${address}` : address
  const ended = written.endsWith('/') && !started.endsWith('/') ? `${started}/` : started
  return ended.replace(/[\s()<>"`\\{}|^]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  )
}
