// Recognises translations by the layout of the repository: a folder or a file name with the code of a language, beside the
// same pages in the main language. A folder `sh` or `ts` alone is no translation.

import { isPagePath } from '../../../docs-syntax/markdown.ts'

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
  const folders = new Map<string, boolean>()
  const isFolder = (folder: string, at: number): boolean => {
    const kept = folders.get(folder) ?? isTranslatedFolder(folder, at, known)
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

/** Most pages of the folder, and one besides the first pages of folders, are there in the main language too. */
function isTranslatedFolder(folder: string, at: number, known: ReadonlySet<string>): boolean {
  const parts = folder.split('/')
  const locale = parts[at] ?? ''
  const before = parts
    .slice(0, at)
    .map((part) => `${part}/`)
    .join('')
  if (parts[at - 1] === 'i18n') return true
  const pages = [...known].filter((path) => path.startsWith(`${folder}/`) && isPagePath(path))
  const others = /^en(?:-|$)/i.test(locale) ? [''] : ['', 'en/', 'en-US/', 'en-us/']
  const translated = pages.filter((path) =>
    others.some((main) => known.has(before + main + path.slice(folder.length + 1))),
  )
  return (
    translated.length * 2 > pages.length && translated.some((path) => !/(?:^|\/)(?:index|readme)\.\w+$/i.test(path))
  )
}

/** `de` of `install.de.md`. */
function localeOfFile(name: string): string {
  return /\.([A-Za-z]{2}(?:-[A-Za-z]{2,4})?)\.\w+$/.exec(name)?.[1] ?? ''
}

function isLocale(name: string): boolean {
  return /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(name) && languages.of(name.replace('_', '-')) !== undefined
}
