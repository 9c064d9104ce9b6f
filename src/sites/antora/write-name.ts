// Writes the name of a file as a page of Antora has it, in the style of a name that led to another one.

import { posix } from 'node:path'
import { splitName } from '../names.ts'
import type { OwnLink } from '../site.ts'
import { type Component, familyOf, placeIn, resolveName, usualFamily } from './components.ts'

type Files = { readonly page: string; readonly to: string }

/** Undefined: the file is in no module, or attributes make the name. */
export function writeName(components: readonly Component[], link: OwnLink, { page, to }: Files): string | undefined {
  const [from, target] = [placeIn(components, page), placeIn(components, to)]
  const family = target && familyOf(target.family, target.name)
  if (!from || !target || !family || /[{}]/.test(link.url) || /[\s[\],#<>:@$]/.test(target.name)) return undefined
  const known = resolveName(components, from, link)
  if (known.kind === 'named' && known.paths.includes(to)) return link.url
  const { name } = splitName(link.url)
  const [, version = '', names = '', path = ''] = /^([^@]*@)?((?:[^:]*:)*)([^]*)$/.exec(name) ?? []
  const isOther = target.component !== from.component
  // A name with a component or a version says so on purpose.
  if (isOther && target.component.name === from.component.name) return undefined
  const isSame = target.module === from.module && !isOther
  const isInclude = link.kind === 'include'
  const suffix = link.url.slice(name.length)
  if (isSame && isInclude && !path.includes('$') && names === '' && from.family === target.family)
    return posix.relative(posix.dirname(`/${from.name}`), `/${target.name}`) + suffix
  const given = path.includes('$') || family !== usualFamily(link.kind) || isInclude ? `${family}$` : ''
  const isShort = family === 'page' && !/\.\w+$/.test(path)
  const own = isShort ? target.name.replace(/\.adoc$/, '') : target.name
  const depth = names.split(':').length - 1
  if (isOther || depth > 1 || version !== '')
    return `${isOther ? '' : version}${isOther || depth > 1 ? `${target.component.name}:` : ''}${target.module}:${given}${own}${suffix}`
  return `${isSame && depth === 0 ? '' : `${target.module}:`}${given}${own}${suffix}`
}
