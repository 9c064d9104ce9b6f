// The source page of each translation: the one that its frontmatter names, or the same page in the main language by the layout of the
// site or of the repository. Pure.

import { posix } from 'node:path'
import { createTranslations, mayBeTranslation } from '../../sites/translations.ts'
import { isCopy } from '../docs-text.ts'
import type { SiteIndex } from '../rules/site-index.ts'
import type { SitePage } from '../rules/site-page.ts'

export type Pairs = {
  /** By the translation. */
  readonly sources: ReadonlyMap<SitePage, SitePage>
  /** Translations whose source page is not clear. */
  readonly open: readonly SitePage[]
}

const localePart = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i
const localeEnding = /\.[a-z]{2}(?:-[a-z]{2,4})?(?=\.\w+$)/i
/** Folders of the main language beside those of the others. */
const mainFolders = ['', 'en/', 'en-US/', 'en-us/'] as const

export function pairTranslations(index: SiteIndex): Pairs {
  const translations = createTranslations(index.paths)
  const isTranslation = (page: SitePage) =>
    mayBeTranslation(page.path) &&
    (translations(page.path) !== undefined || page.mount.original !== undefined || isCopy(index, page))
  const sources = new Map<SitePage, SitePage>()
  const open: SitePage[] = []
  for (const page of index.pages) {
    const named = page.facts.frontmatter?.strings['translationOf']
    if (named === undefined && !isTranslation(page)) continue
    const candidates = named === undefined ? candidatesOf(page) : [resolve(page.path, named)]
    const source = candidates
      .map((path) => index.page(path))
      .find((one) => one && one !== page && (named !== undefined || !isTranslation(one)))
    if (source) sources.set(page, source)
    // A page that exists in the other language alone is behind nothing.
    else if (named !== undefined) open.push(page)
  }
  return { sources, open }
}

/** From the root of the repository, or from the folder of the page if it begins with a dot. */
function resolve(path: string, named: string): string {
  return named.startsWith('.') ? posix.join(posix.dirname(path), named) : posix.normalize(named.replace(/^\/+/, ''))
}

function candidatesOf({ path, mount, name }: SitePage): readonly string[] {
  const parts = path.split('/')
  const folders = parts.slice(0, -1).flatMap((part, at) => {
    if (!localePart.test(part)) return []
    const before = parts
      .slice(0, at)
      .map((one) => `${one}/`)
      .join('')
    const rest = parts.slice(at + 1).join('/')
    return mainFolders.map((folder) => before + folder + rest)
  })
  const plain = path.replace(localeEnding, '')
  const files = plain === path ? [] : [plain, path.replace(localeEnding, '.en')]
  const original = mount.original === undefined ? [] : [posix.join(mount.original, name)]
  return [...original, ...files, ...folders]
}
