// Builds a site with its generator, and finds the page of each file in the HTML: by a mark that each file ends in.

import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isPagePath } from '../../../src/docs-syntax/markdown.ts'
import { routeOf } from '../../../src/sites/address.ts'
import { decodePercent } from '../../../src/lib/plain-text.ts'
import { installed } from '../generator.ts'
import type { BuiltPage, BuiltSite, Kept } from './site.ts'

/** `folder`: an empty one below that of the packages, which Astro finds by no link. */
export async function buildSite(site: BuiltSite, folder: string): Promise<Kept> {
  const pages = Object.keys(site.files).filter(isPagePath)
  for (const [path, text] of Object.entries(site.files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(
      file,
      pages.includes(path) && !path.includes('/partials/') ? `${text}\nmark${pages.indexOf(path)}mark\n` : text,
    )
  }
  const built = await site.build(folder)
  if ('failed' in built) throw new Error(`The build failed: ${built.failed}`)
  const { found, redirects } = await readHtml(built.html)
  const entries = pages.map((path, at) => [path, found.get(at) ?? { address: null, ids: [] }] as const)
  return {
    generator: `${site.package} ${await versionOf(site)}`,
    pages: Object.fromEntries(entries),
    redirects,
  }
}

type Html = { readonly found: ReadonlyMap<number, BuiltPage>; readonly redirects: readonly string[] }

/** The page of each mark: a list of posts has several marks. */
async function readHtml(folder: string): Promise<Html> {
  const redirects: string[] = []
  const found = new Map<number, BuiltPage>()
  for (const path of (await readdir(folder, { recursive: true })).toSorted()) {
    const isCopy = isPagePath(path)
    if (!isCopy && !path.endsWith('.html')) continue
    const html = await readFile(join(folder, path), 'utf8')
    if (html.includes('http-equiv="refresh"')) redirects.push(routeOf(`/${path}`) || '/')
    const [mark, ...more] = new Set(html.match(/mark\d+mark/g))
    if (mark === undefined || more.length > 0) continue
    const at = Number(/\d+/.exec(mark)?.[0])
    // A file that is copied is at its name.
    const address = isCopy ? `/${path}` : routeOf(`/${decodePercent(path)}`) || '/'
    const known = found.get(at)
    // An address of a list, or of a translation falls back to the page.
    if (known && (known.address ?? '').length <= address.length) continue
    found.set(at, { address, ids: idsOf(html) })
  }
  return { found, redirects }
}

/** Those that themes add. */
const others = /^(?:starlight__|__|_top$|(?:search|keyboard)ModalLabel$|searchlabel$)/

function idsOf(html: string): string[] {
  const ids = Array.from(html.matchAll(/<(?:h[1-6]|section)\b[^>]*?\sid="?([^"\s>]+)/g), ([, id = '']) => id)
  return ids.filter((id) => !others.test(id))
}

async function versionOf({ package: name, folder = '' }: BuiltSite): Promise<string> {
  const packages = join(dirname(installed), folder, 'node_modules')
  const text = await readFile(join(packages, name, 'package.json'), 'utf8').catch(() => undefined)
  if (text !== undefined) return (JSON.parse(text) as { readonly version: string }).version
  const said = execFileSync(name, [name === 'hugo' ? 'version' : '--version'], { encoding: 'utf8' })
  return /\d[\w.]*/.exec(said)?.[0] ?? said
}
