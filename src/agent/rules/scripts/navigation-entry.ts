// Finds the position of a new page in docs.json: in the named group, otherwise after the pages of the same folder.

import { posix } from 'node:path'
import { type JsonMember, type JsonNode, readJson } from '../../../docs-syntax/json.ts'
import type { Splice } from '../../../docs-syntax/text.ts'

type List = { readonly node: JsonNode; readonly group: string }
export type Entry = Splice & { readonly where: string }

const groupKeys = /^(?:group|tab|anchor|label|title|dropdown|name)$/

export function navigationSplice(text: string, name: string, group: string | undefined): Entry | { problem: string } {
  const root = readJson(text)
  if (!root) return { problem: 'it is no valid JSON.' }
  const lists = pageLists(root, '')
  if (lists.some(({ node }) => node.members.some((member) => pageOf(member) === name)))
    return { problem: 'it is listed already.' }
  if (group !== undefined) {
    const list = lists.find((one) => one.group.toLowerCase() === group.toLowerCase())
    if (!list) return { problem: `there is no group “${group}” with pages.` }
    return insertAfter(text, list, { name, after: lastNeighbour(list, name) ?? list.node.members.at(-1) })
  }
  const folder = posix.dirname(name)
  const neighbours = (list: List): number => list.node.members.filter((member) => isNeighbour(member, folder)).length
  const [best] = lists.toSorted((a, b) => neighbours(b) - neighbours(a))
  if (!best || neighbours(best) === 0) return { problem: 'no page of its folder is listed there; name a group.' }
  return insertAfter(text, best, { name, after: lastNeighbour(best, name) })
}

/** Returns every array under a key `pages`, with the name of its group. */
function pageLists(node: JsonNode, group: string): List[] {
  const own = node.members.find(({ name, node }) => groupKeys.test(name) && node.kind === 'string')?.node.value ?? group
  return node.members.flatMap((member) => {
    const inside = pageLists(member.node, own)
    return member.name === 'pages' && member.node.kind === 'array'
      ? [{ node: member.node, group: own }, ...inside]
      : inside
  })
}

function pageOf({ node }: JsonMember): string | undefined {
  return node.kind === 'string' ? node.value.replace(/^\//, '').replace(/\.mdx?$/, '') : undefined
}

function isNeighbour(member: JsonMember, folder: string): boolean {
  const page = pageOf(member)
  return page !== undefined && posix.dirname(page) === folder
}

function lastNeighbour({ node }: List, name: string): JsonMember | undefined {
  return node.members.findLast((member) => isNeighbour(member, posix.dirname(name)))
}

function insertAfter(
  text: string,
  { node, group }: List,
  { name, after }: { name: string; after: JsonMember | undefined },
): Entry {
  const where = group === '' ? '' : ` under “${group}”`
  const hasSlash = after?.node.value.startsWith('/') ?? false
  const entry = JSON.stringify(hasSlash ? `/${name}` : name)
  if (!after) return { start: node.start + 1, end: node.end - 1, text: entry, where }
  const space = /\s*$/.exec(text.slice(node.start + 1, after.start))?.[0] ?? ''
  const joint = space === '' && node.members.length > 1 ? ' ' : space
  return { start: after.end, end: after.end, text: `,${joint === '' ? ' ' : joint}${entry}`, where }
}
