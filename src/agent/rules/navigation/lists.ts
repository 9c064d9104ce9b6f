// Reads the lists of a navigation file, whatever its format: the items in order, the strings in each with their places, and
// the name of the group. Which string names a page is decided elsewhere.

import type { Range, Splice } from '../../../docs-syntax/text.ts'
import { type JsonNode, readJson } from '../../../docs-syntax/json.ts'
import { readScriptStrings, type ScriptString } from '../../../docs-syntax/script/script-strings.ts'
import { readYaml, writeYamlString, type YamlString } from '../../../docs-syntax/yaml.ts'

export type ItemString = Range & {
  /** The key in the object of the item; undefined if the item is the string itself. */
  readonly key: string | undefined
  readonly value: string
  /** The string as the file writes it: what replaces the range. */
  encode(value: string): string
}

export type Item = Range & { readonly strings: readonly ItemString[] }

export type List = {
  /** The keys from the root to the list. */
  readonly keys: readonly string[]
  /** The names of the groups around it, the outermost one first. */
  readonly groups: readonly string[]
  readonly items: readonly Item[]
  /** Returns the splice that adds the text of an item after another one. */
  insert(item: string, after: Item): Splice
}

const groupKeys = /^(?:group|tab|anchor|label|text|title|dropdown|name)$/

/** Returns an empty list if the file does not parse. */
export function readLists(path: string, text: string): readonly List[] {
  if (/\.json$/i.test(path)) return jsonLists(readJson(text), text, { keys: [], groups: [] })
  if (/\.ya?ml$/i.test(path)) return yamlLists(text)
  return /\.md$/i.test(path) ? summaryLists(text) : scriptLists(path, text)
}

type Place = Pick<List, 'keys' | 'groups'>

function jsonLists(node: JsonNode | undefined, text: string, { keys, groups }: Place): List[] {
  if (!node) return []
  const own = node.members.find(({ name, node }) => groupKeys.test(name) && node.kind === 'string')?.node.value
  return node.members.flatMap(({ name, node: value }) => {
    const place = {
      keys: name === '' ? keys : [...keys, name],
      groups: own === undefined ? groups : [...groups, own],
    }
    const inside = jsonLists(value, text, place)
    return value.kind === 'array' && name !== '' ? [toJsonList(value, text, place), ...inside] : inside
  })
}

function toJsonList(list: JsonNode, text: string, place: Place): List {
  const items = list.members.map(({ start, end, node }): Item => {
    const members = node.kind === 'object' ? node.members : [{ name: undefined, node }]
    const strings = members.flatMap(({ name, node: one }) =>
      one.kind === 'string'
        ? [
            {
              key: name,
              value: one.value,
              start: one.start,
              end: one.end,
              encode: (value: string) => JSON.stringify(value),
            },
          ]
        : [],
    )
    return { start, end, strings }
  })
  return { ...place, items, insert: (item, after) => afterComma(text, item, after) }
}

/** Each item of a list in a script. Strings in objects inside an item are not part of it. */
function scriptLists(path: string, text: string): List[] {
  const strings = (readScriptStrings(path, text) ?? []).filter(({ item }) => item !== undefined)
  const lists = new Map<string, Place & { readonly items: Map<number, Item> }>()
  const ids = new Map<unknown, number>()
  for (const one of strings) {
    const isPlain = one.keys.at(-1) === '[]'
    if (!one.item || !(isPlain || one.keys.at(-2) === '[]')) continue
    const around = isPlain ? one.objects : one.objects.slice(0, -1)
    const id = ids.get(around.at(-1)) ?? ids.size
    ids.set(around.at(-1), id)
    const keys = one.keys.slice(0, isPlain ? -1 : -2)
    const name = `${id} ${keys.join(' ')}`
    const groups = around.flatMap(
      ({ strings: own }) => Object.entries(own).find(([key]) => groupKeys.test(key))?.[1] ?? [],
    )
    const list = lists.get(name) ?? { keys, groups, items: new Map<number, Item>() }
    const item = list.items.get(one.item.start) ?? { ...one.item, strings: [] }
    list.items.set(one.item.start, { ...item, strings: [...item.strings, toItemString(one, text)] })
    lists.set(name, list)
  }
  return [...lists.values()].map(({ keys, groups, items }) => {
    const all = [...items.values()]
    return { keys, groups, items: all, insert: (item, after) => afterComma(text, item, after) }
  })
}

function toItemString({ keys, value, start, end }: ScriptString, text: string): ItemString {
  const quote = text.charAt(start)
  const key = keys.at(-1) === '[]' ? undefined : keys.at(-1)
  const encode = (fresh: string) =>
    quote + fresh.replace(/[\\'"`\n]|\$\{/g, (one) => (one === '\n' ? ' ' : `\\${one}`)) + quote
  return { key, value, start, end, encode }
}

/** On a line of its own if the other one is, otherwise after it. */
function afterComma(text: string, item: string, after: Item): Splice {
  const space = /\s*$/.exec(text.slice(0, after.start))?.[0] ?? ''
  return { start: after.end, end: after.end, text: `,${space.includes('\n') ? space : ' '}${item}` }
}

/** `- guides/a.md` and `- Title: guides/a.md` below `nav`. */
function yamlLists(text: string): List[] {
  const strings = readYaml(text).strings.filter(({ path, item }) => path[0] === 'nav' && item !== undefined)
  const byList = Map.groupBy(strings, ({ path }) => JSON.stringify(listPath(path)))
  return [...byList.values()].map((all) => {
    const groups = listPath(all[0]?.path ?? []).filter((key): key is string => typeof key === 'string')
    const items = all.flatMap((one) => toYamlItem(one, text) ?? [])
    const insert = (item: string, { start, end }: Item): Splice => {
      const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
      return { start: end, end, text: `\n${line}${item}` }
    }
    return { keys: [], groups: groups.slice(1), items, insert }
  })
}

function listPath(path: YamlString['path']): YamlString['path'] {
  return path.slice(
    0,
    path.findLastIndex((key) => typeof key === 'number'),
  )
}

function toYamlItem({ item, path, value, start, end, style }: YamlString, text: string): Item | undefined {
  // A list in brackets, or an item over several lines.
  if (!item || text.slice(item.start, end).includes('\n') || !/(?:^|\n)[ \t]*-[ \t]+$/.test(text.slice(0, item.start)))
    return undefined
  const key = path.at(-1)
  const own = { key: undefined, value, start, end, encode: (fresh: string) => writeYamlString(fresh, style) }
  if (typeof key !== 'string') return { start: item.start, end, strings: [own] }
  const colon = item.start + text.slice(item.start, start).search(/\s*:\s*$/)
  const label = {
    key: 'title',
    value: key,
    start: item.start,
    end: colon,
    encode: (fresh: string) => writeYamlString(fresh),
  }
  return { start: item.start, end, strings: [label, own] }
}

/** `- [Title](guides/a.md)` in the `SUMMARY.md` of mdBook. A group is a part (`# Title`) or the item above. */
function summaryLists(text: string): List[] {
  const lists = new Map<string, { groups: string[]; items: Item[] }>()
  const above: { indent: number; label: string }[] = []
  let part: string[] = []
  for (const line of text.matchAll(
    /^(?:#+[ \t]+(?<part>.+)|(?<mark>[ \t]*[-*+][ \t]+)\[(?<label>[^\]\n]*)\]\((?<url>[^)\n]*)\))[ \t]*\r?$/gm,
  )) {
    const { part: title, mark = '', label = '', url = '' } = line.groups ?? {}
    if (title !== undefined) {
      part = [title.trim()]
      above.splice(0)
      continue
    }
    const indent = mark.search(/\S/)
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop()
    const groups = [...part, ...above.map((one) => one.label)]
    const name = JSON.stringify([groups, indent])
    const list = lists.get(name) ?? { groups, items: [] }
    list.items.push(toSummaryItem({ start: line.index + mark.length, label, url }))
    lists.set(name, list)
    above.push({ indent, label })
  }
  const insert = (item: string, { start, end }: Item): Splice => {
    const mark = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
    // The items below it stay its own.
    const below =
      new RegExp(`^[^\\n]*(?:\\n {${mark.search(/\S/) + 1},}\\S[^\\n]*)*`).exec(text.slice(end))?.[0].trimEnd() ?? ''
    return { start: end + below.length, end: end + below.length, text: `\n${mark}${item}` }
  }
  return [...lists.values()].map((list) => ({ ...list, keys: [], insert }))
}

function toSummaryItem({
  start,
  label,
  url,
}: {
  readonly start: number
  readonly label: string
  readonly url: string
}): Item {
  const at = start + 1
  const from = at + label.length + 2
  const title = {
    key: 'title',
    value: label,
    start: at,
    end: at + label.length,
    encode: (fresh: string) => fresh.replace(/[[\]]/g, '\\$&'),
  }
  const address = {
    key: undefined,
    value: url,
    start: from,
    end: from + url.length,
    encode: (fresh: string) => fresh.replace(/ /g, '%20'),
  }
  return { start, end: from + url.length + 1, strings: [title, address] }
}
