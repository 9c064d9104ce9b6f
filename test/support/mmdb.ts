// Writes a small database in the MMDB format (https://maxmind.github.io/MaxMind-DB/), for tests of countries: networks of IPv6, and
// of IPv4 below ::/96.

import { parseNetwork } from '../../src/lib/network.ts'

type Value = string | number | readonly Value[] | { readonly [key: string]: Value }
type Node = [Node | Uint8Array | undefined, Node | Uint8Array | undefined]

/** `countries`: ISO codes by network. */
export function writeMmdb(countries: Readonly<Record<string, string>>): Buffer {
  const root: Node = [undefined, undefined]
  for (const [network, code] of Object.entries(countries)) {
    add(root, bitsOf(network), encode({ country: { iso_code: code } }))
  }
  const nodes = listNodes(root)
  const data: Uint8Array[] = []
  let end = 0
  const recordOf = (side: Node[0]) => {
    if (side === undefined) return nodes.length
    if (Array.isArray(side)) return nodes.indexOf(side)
    data.push(side)
    end += side.length
    return nodes.length + 16 + end - side.length
  }
  const tree = Buffer.concat(
    nodes.flatMap((node) => node.map((side) => Buffer.from(recordOf(side).toString(16).padStart(6, '0'), 'hex'))),
  )
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_764_000_000,
    database_type: 'Test-Country',
    description: { en: 'Test' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  })
  const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata])
}

function bitsOf(text: string): readonly number[] {
  const network = parseNetwork(text)
  if (!network) throw new Error(`${text} is no network`)
  const [size, before] = network.family === 4 ? [32, '0'.repeat(96)] : [128, '']
  const bits = before + network.base.toString(2).padStart(size, '0')
  return Array.from(bits.slice(0, before.length + Number(text.split('/')[1])), Number)
}

function add(root: Node, bits: readonly number[], value: Uint8Array): void {
  let node = root
  for (const bit of bits.slice(0, -1)) {
    const next = node[bit as 0 | 1]
    const inner: Node = Array.isArray(next) ? next : [undefined, undefined]
    node[bit as 0 | 1] = inner
    node = inner
  }
  node[bits.at(-1) as 0 | 1] = value
}

function listNodes(node: Node): readonly Node[] {
  return [node, ...node.flatMap((side) => (Array.isArray(side) ? listNodes(side) : []))]
}

const [pointerTo, textType, mapType, numberType, listType] = [0, 2, 7, 6, 11]

function encode(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([Buffer.from([(textType << 5) | value.length]), Buffer.from(value)])
  if (typeof value === 'number') {
    const digits = value === 0 ? Buffer.alloc(0) : Buffer.from(value.toString(16).padStart(8, '0'), 'hex')
    return Buffer.concat([Buffer.from([(numberType << 5) | digits.length]), digits])
  }
  if (Array.isArray(value)) {
    const items = (value as readonly Value[]).map(encode)
    return Buffer.concat([Buffer.from([(pointerTo << 5) | items.length, listType - 7]), ...items])
  }
  const entries = Object.entries(value as Readonly<Record<string, Value>>)
  const parts = entries.flatMap(([key, one]) => [encode(key), encode(one)])
  return Buffer.concat([Buffer.from([(mapType << 5) | entries.length]), ...parts])
}
