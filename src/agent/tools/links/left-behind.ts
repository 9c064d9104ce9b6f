// Finds the translations of a page, which stay where they are when it is moved or deleted.

import { posix } from 'node:path'
import { createTranslations } from '../../../sites/translations.ts'
import { showPath } from '../result.ts'
import type { OpenedSites } from './open-sites.ts'

const maxShown = 10

/** `[its translations stay: fr/a.md]`; nothing for a page without any, or for a translation. */
export function describeTranslations(page: string, { paths, placeOf }: OpenedSites): string[] {
  const { dir, base, name, ext } = posix.parse(page)
  const isNamed = (path: string) =>
    posix.basename(path) === base || (path.startsWith(posix.join(dir, `${name}.`)) && path.endsWith(ext))
  const others = paths.filter((path) => path !== page && isNamed(path))
  const own = placeOf(page)
  if (others.length === 0 || own?.site.isTranslation(own.name)) return []
  const translations = createTranslations(paths)
  if (translations(page) !== undefined) return []
  const found = others.filter((path) => {
    const place = placeOf(path)
    if (place?.mount.original !== undefined) return posix.join(place.mount.original, place.name) === page
    const folder = translations(path)
    if (path.replace(/\.[\w-]+(?=\.\w+$)/, '') === page)
      return folder === path || place?.site.isTranslation(place.name) === true
    if (folder === undefined) return false
    const rest = path.slice(folder.length)
    return ['', 'en', 'en-US', 'en-us'].some((main) => posix.join(posix.dirname(folder), main, rest) === page)
  })
  const more = found.length > maxShown ? `, and ${found.length - maxShown} more` : ''
  return found.length === 0
    ? []
    : [`[its translations stay: ${found.slice(0, maxShown).map(showPath).join(', ')}${more}]`]
}
