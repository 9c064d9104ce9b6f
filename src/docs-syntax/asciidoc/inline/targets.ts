// Says what the target of a reference names: a document, an id, or an address. Works on text only.

import type { PageLink } from '../../page.ts'

type Named = Pick<PageLink, 'kind'> & {
  /** How many characters before the name don't belong to it. */ readonly skip: number
}

/** Reads the target of `xref:target[]` and `image::x[xref=target]`. `#id` and a name without extension are ids of the same page. */
export function readXrefTarget(target: string): Named {
  const hash = target.indexOf('#')
  if (hash === 0) return { kind: 'ref', skip: 1 }
  return { kind: hash > 0 || /\.[^./\\]+$/.test(target) || /[$@:]/.test(target) ? 'doc' : 'ref', skip: 0 }
}

/** Reads the target of `<<target>>`, which names a document only if it has a `#` or the extension of one. */
export function readReferenceTarget(target: string): Named {
  const hash = target.indexOf('#')
  return hash === 0 ? { kind: 'ref', skip: 1 } : { kind: hash > 0 || target.endsWith('.adoc') ? 'doc' : 'ref', skip: 0 }
}

/** Services whose films `video::id[service]` names by an id. */
const services: ReadonlySet<string> = new Set(['youtube', 'vimeo', 'wistia'])

export function isFilmOfService(positional: readonly string[]): boolean {
  return services.has(positional[0] ?? '')
}
