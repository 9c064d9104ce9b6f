// A reference: a place in a file that names another file, and the text that it gets when that file is moved. Works on
// paths only and reads no file.

import {
  type DocsTree,
  type Target,
  nameOf,
  resolveAddress,
  resolveName,
  writeAddress,
} from '../../../docs-syntax/links.ts'
import type { JsonMember, JsonNode } from '../../../docs-syntax/json.ts'
import type { PageLink } from '../../../docs-syntax/page.ts'
import type { Range } from '../../../docs-syntax/text.ts'
import type { YamlString } from '../../../docs-syntax/yaml.ts'

/** The kind of place. Exactly one field is set, except for file names in scripts, which have no field set. */
type Place = {
  readonly link?: PageLink
  /** A value in JSON, with the entry that it belongs to. */
  readonly json?: { readonly member: JsonMember; readonly parent: JsonNode }
  /** The key of an entry in JSON that names a page of the same folder (`_meta.json`). */
  readonly key?: { readonly member: JsonMember; readonly parent: JsonNode }
  readonly yaml?: YamlString
  /** A string in a script: the item of a list that goes with it. */
  readonly item?: Range | 'none'
}

/** `start` and `end` are the range that the result of `rewrite` replaces. */
export type Reference = Range &
  Place & {
    readonly target: Target
    /** The address without quotes and escapes, such as `/guides/x#part`. */
    readonly address: string
    /** Returns the text that makes the reference name `path`. `page` is the new path of the page that contains it. */
    rewrite(path: string, page?: string): string
  }

type Written = Range & Place & { readonly address: string; readonly encode: (address: string) => string }

/** Resolves a link on a page: relative to the page, or from a root with a leading slash. */
export function linkReference(tree: DocsTree, from: string, written: Written): Reference[] {
  const target = resolveAddress(tree, from, written.address)
  if (!target) return []
  const { address, encode } = written
  const rewrite = (path: string, page = from): string => encode(writeAddress(tree, page, { address, target, path }))
  return [{ ...written, target, rewrite }]
}

/** Resolves an entry of a configuration file from the given folders, with or without a leading slash. */
export function configReference(tree: DocsTree, bases: readonly string[], written: Written): Reference[] {
  const [, dots = '', name = '', suffix = ''] = /^((?:\.?\/)?)([^?#]*)([^]*)$/.exec(written.address) ?? []
  if (name === '' || /^[a-z][\w+.-]*:/i.test(name)) return []
  for (const base of bases) {
    const found = resolveName(tree, base, name)
    if (!found) continue
    const rewrite = (path: string): string => written.encode(dots + nameOf(path, base, found.form) + suffix)
    return [{ ...written, rewrite, target: { ...found, base, route: '', suffix, isRooted: true } }]
  }
  return []
}
