// Searches navigation files and other JSON and YAML for strings that refer to a file. A string counts if it looks like a
// path; in navigation files, also if it is in a list of pages or under a page key. In scripts, only quoted strings with a
// slash count.

import { posix } from 'node:path'
import { jsonStrings, readJson } from '../../../docs-syntax/json.ts'
import { type DocsTree, resolveName } from '../../../docs-syntax/links.ts'
import { readYaml, writeYamlString } from '../../../docs-syntax/yaml.ts'
import { hasOwnNames, keyedData, listData, listScript } from '../../../sites/by-path/known-files.ts'
import { type Reference, configReference } from './reference.ts'
import type { TextFile } from '../text-file.ts'

const pathLike = /\/|\.(?:mdx?|markdown|svg|png|jpe?g|gif|webp|avif|ico|json|ya?ml|pdf|mp4|webm|css|js)$/i
const pageLists = /^(?:pages|items|sidebars?|docs|nav|navigation|children|routes|contents)$/
const pageKeys = /^(?:page|href|link|destination|root|path|to|file|id|doc|index)$/
/** Keys whose values never name a file: redirect sources, titles, labels and settings. */
const textKeys = /^(?:source|from|name|title|label|description|group|tab|version|theme)$/
const maxCharacters = 3_000_000

export function configReferences(tree: DocsTree, file: TextFile): Reference[] {
  if (file.text.length > maxCharacters) return []
  if (/\.json$/i.test(file.path)) return jsonReferences(tree, file)
  if (/\.ya?ml$/i.test(file.path)) return yamlReferences(tree, file)
  return listScript.test(file.path) ? scriptReferences(tree, file) : []
}

function jsonReferences(tree: DocsTree, file: TextFile): Reference[] {
  const root = readJson(file.text)
  if (!root) return []
  const bases = baseFolders(tree, file.path)
  const values = jsonStrings(root).flatMap(({ path, value, start, end, member, parent }) => {
    if (!namesFile(file.path, path, value)) return []
    return configReference(tree, bases, {
      start,
      end,
      address: value,
      encode: JSON.stringify,
      json: { member, parent },
    })
  })
  if (posix.basename(file.path) !== keyedData) return values
  const folder = posix.dirname(file.path)
  const keys = root.members.flatMap((member): Reference[] => {
    const found = member.key ? resolveName(tree, folder, member.name) : undefined
    if (!found || !member.key) return []
    const rewrite = (path: string): string => JSON.stringify(posix.parse(path).name)
    const target = { ...found, base: folder, route: '', suffix: '', isRooted: false }
    return [{ ...member.key, target, address: member.name, rewrite, key: { member, parent: root } }]
  })
  return [...values, ...keys]
}

function yamlReferences(tree: DocsTree, file: TextFile): Reference[] {
  const bases = baseFolders(tree, file.path)
  return readYaml(file.text).strings.flatMap((yaml) => {
    const { start, end, value, path, style } = yaml
    const keys = path.map((key) => (typeof key === 'number' ? '[]' : key))
    if (style === 'block' || !namesFile(file.path, keys, value)) return []
    const encode = (address: string): string => writeYamlString(address, style)
    return configReference(tree, bases, { start, end, address: value, encode, yaml })
  })
}

function scriptReferences(tree: DocsTree, file: TextFile): Reference[] {
  const bases = baseFolders(tree, file.path)
  return Array.from(file.text.matchAll(/(["'`])([^"'`\\\n\r]+\/[^"'`\\\n\r]+)\1/g)).flatMap((found) => {
    const start = found.index + 1
    const address = found[2] ?? ''
    return configReference(tree, bases, { start, end: start + address.length, address, encode: (name) => name })
  })
}

/** Returns the base folders to try, in order, when resolving an entry. */
function baseFolders(tree: DocsTree, path: string): string[] {
  const { dir } = posix.parse(path)
  if (hasOwnNames.test(path)) return [dir]
  const docs = posix.join(dir, 'docs')
  if (listData.test(path) || listScript.test(path)) return [docs, dir, posix.dirname(dir).replace(/^\.$/, '')]
  return [dir, ...tree.roots(path).map(({ folder }) => folder)]
}

/** `path` is the list of keys from the root to the value, with `[]` for an item of a list. */
function namesFile(file: string, path: readonly string[], value: string): boolean {
  const key = path.findLast((name) => name !== '[]') ?? ''
  if (value === '' || /[\n\r]/.test(value) || textKeys.test(key)) return false
  if (pathLike.test(value)) return true
  if (!listData.test(file)) return false
  return path.at(-1) === '[]' ? path.some((name) => pageLists.test(name)) : pageKeys.test(key)
}
