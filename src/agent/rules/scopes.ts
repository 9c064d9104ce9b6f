// The scopes of an instruction as globs, and the layout of the repository where translations may be left alone.

import { createTranslations, mayBeTranslation, type Translations } from '../../sites/translations.ts'
import { type Script, listFiles } from './script.ts'

/** Turns `guides`, `guides/x` or `guides/x.mdx` into a glob that matches the page, the file, or all files of the folder. */
export function toGlob(scope: string): string {
  const path = scope.replace(/^\.?\//, '').replace(/\/$/, '')
  if (/[*?[{]/.test(path) || /\.\w+$/.test(path)) return path
  return `{,**/}{${path}.mdx,${path}.md,${path}/**}`
}

/** Returns undefined for no scopes: everywhere. */
export function toGlobs(scopes: readonly string[]): readonly (string | undefined)[] {
  return scopes.length === 0 ? [undefined] : scopes.map(toGlob)
}

/** Asks for the layout of the repository only if the path of a page may be that of a translation. */
export function* findTranslations(paths: readonly string[]): Script<Translations> {
  if (!paths.some(mayBeTranslation)) return () => undefined
  return createTranslations(yield* listFiles('Looking for translations.'))
}
