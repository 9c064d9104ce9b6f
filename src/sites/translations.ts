// Recognises translations by the layout of the repository: a folder or a file name with the code of a language, beside the
// same pages in the main language. A folder `sh` or `ts` alone is no translation.

import { isPagePath } from '../docs-syntax/markdown.ts'

/** Returns the folder or file that holds the translation; undefined for a page in the main language. */
export type Translations = (path: string) => string | undefined

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Whether only the files beside a page can say that it is no translation. */
export function mayBeTranslation(path: string): boolean {
  return path.split('/').some((part, at, parts) => isLocale(at === parts.length - 1 ? localeOfFile(part) : part))
}

/** `paths`: all files of the repository. */
export function createTranslations(paths: readonly string[]): Translations {
  const known = new Set(paths)
  // A folder is a range of these.
  const sorted = paths.toSorted(comparePaths)
  const folders = new Map<string, boolean>()
  const isLocale = createIsLocale()
  const isFolder = (folder: string, at: number): boolean => {
    const kept = folders.get(folder) ?? isTranslatedFolder(folder, at, { known, sorted })
    folders.set(folder, kept)
    return kept
  }
  return (path) => {
    const parts = path.split('/')
    const found = parts.slice(0, -1).findIndex((part, at) => {
      return isLocale(part) && isFolder(parts.slice(0, at + 1).join('/'), at)
    })
    if (found !== -1) return parts.slice(0, found + 1).join('/')
    const locale = localeOfFile(parts.at(-1) ?? '')
    const main = path.replace(`.${locale}.`, '.')
    return isLocale(locale) && (known.has(main) || (locale !== 'en' && known.has(path.replace(`.${locale}.`, '.en.'))))
      ? path
      : undefined
  }
}

type Files = { readonly known: ReadonlySet<string>; readonly sorted: readonly string[] }

/** Most pages of the folder, and one besides the first pages of folders, are there in the main language too. */
function isTranslatedFolder(folder: string, at: number, { known, sorted }: Files): boolean {
  const parts = folder.split('/')
  const locale = parts[at] ?? ''
  const before = parts
    .slice(0, at)
    .map((part) => `${part}/`)
    .join('')
  if (parts[at - 1] === 'i18n') return true
  const pages = filesIn(folder, sorted).filter(isPagePath)
  const others = /^en(?:-|$)/i.test(locale) ? [''] : ['', 'en/', 'en-US/', 'en-us/']
  const translated = pages.filter((path) =>
    others.some((main) => known.has(before + main + path.slice(folder.length + 1))),
  )
  return (
    translated.length * 2 > pages.length && translated.some((path) => !/(?:^|\/)(?:index|readme)\.\w+$/i.test(path))
  )
}

function filesIn(folder: string, sorted: readonly string[]): readonly string[] {
  return sorted.slice(firstFrom(`${folder}/`, sorted), firstFrom(`${folder}0`, sorted))
}

/** The index of the first path that is not before this text. `0` is the character after `/`. */
function firstFrom(text: string, sorted: readonly string[]): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}

function comparePaths(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** `de` of `install.de.md`. */
function localeOfFile(name: string): string {
  return /\.([A-Za-z]{2}(?:-[A-Za-z]{2,4})?)\.\w+$/.exec(name)?.[1] ?? ''
}

function isLocale(name: string): boolean {
  return /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(name) && languages.of(name.replace('_', '-')) !== undefined
}

/** Remembers the answers: a question takes 10 µs, and a repository has few names of this form. */
function createIsLocale(): typeof isLocale {
  const known = new Map<string, boolean>()
  return (name) => {
    if (name.length > 7) return false
    const found = known.get(name) ?? isLocale(name)
    known.set(name, found)
    return found
  }
}
