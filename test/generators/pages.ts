// The pages that a site of the test has: of the tricks, those that the policy lets pass, and as a control those that it
// does not and that would be seen. A page that the generator cannot build is no page.

import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { readCases, verdictOf } from '../support/policy-cases.ts'
import { type Generator, installed } from './generator.ts'
import { hiddenAttacks } from './hidden.ts'

export type TrickPage = {
  /** The name of the file, without its extension. */
  readonly name: string
  readonly extension: string
  readonly text: string
  /** Whether the policy publishes the page without a word about its content, except the names of hosts. */
  readonly isPassed: boolean
}

/** The calls that are watched in the browser. */
const isSeen = /\b(?:alert|x)\(/

export async function choosePages({ site, pages, extensions, toPage }: Generator): Promise<readonly TrickPage[]> {
  const tricks = [
    ...readCases().map(({ path, text }) => ({ extension: extname(path).slice(1), text, isControl: isSeen.test(text) })),
    ...hiddenAttacks.map((text) => ({ extension: 'md', text, isControl: false })),
  ]
  const chosen: TrickPage[] = []
  for (const { extension, text: trick, isControl } of tricks) {
    if (!extensions.includes(extension)) continue
    const text = toPage?.(trick) ?? trick
    const name = `page-${chosen.length}`
    const verdict = await verdictOf({ site, path: `${pages}${name}.${extension}`, text })
    const isPassed = verdict === 'passes' || verdict === 'named'
    if (isPassed || isControl) chosen.push({ name, extension, text, isPassed })
  }
  return chosen
}

export type BuiltPages = { readonly html: string; readonly pages: readonly TrickPage[] }

/** Builds the site in the empty folder, without the pages that a failed build names. */
export async function buildPages(
  generator: Generator,
  chosen: readonly TrickPage[],
  folder: string,
): Promise<BuiltPages> {
  const { files, createAccepts, build } = generator
  const pathOf = ({ name, extension }: TrickPage) => join(folder, `${generator.pages}${name}.${extension}`)
  const accepts = await createAccepts?.(folder)
  let pages = chosen.filter(({ text }) => accepts?.(text) ?? true)
  for (const [path, text] of Object.entries(files)) await write(join(folder, path), text)
  for (const page of pages) await write(pathOf(page), page.text)
  await symlink(installed, join(folder, 'node_modules'))
  for (;;) {
    const built = await build(folder)
    if ('html' in built) return { html: built.html, pages }
    const named = new Set(built.failed.match(/page-\d+/g))
    const left = pages.filter(({ name }) => !named.has(name))
    if (left.length === pages.length) throw new Error(`The build failed: ${built.failed}`)
    for (const page of pages) if (named.has(page.name)) await rm(pathOf(page))
    pages = left
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, text)
}
