// A Bloom filter of ids of page views: says for certain that an id was never added, or that it may have been. The ids are
// hashes or random, so their own bits are the hash functions (Kirsch and Mitzenmacher, Less Hashing, Same Performance,
// 2006). Pure.

export type IdFilter = {
  readonly capacity: number
  /** The ids that were added, with repetitions. */
  count: number
  /** Threads can share them. */
  readonly bits: Uint32Array<SharedArrayBuffer>
}

/** With this many bits and probes, one of a thousand unknown ids seems known when the filter is full. */
const bitsPerId = 16
const probes = 6
const leastIds = 1_000_000
/** Places of bits are numbers of 31 bits. */
const mostBits = 2 ** 31

/** With more ids than `maxBytes` has bits for, more unknown ones seem known. */
export function createIdFilter(ids: number, maxBytes: number): IdFilter {
  const capacity = Math.max(leastIds, ids)
  const limit = Math.min(mostBits, 2 ** Math.floor(Math.log2(maxBytes * 8)))
  const bits = Math.min(limit, 2 ** Math.ceil(Math.log2(capacity * bitsPerId)))
  return {
    capacity: Math.max(capacity, bits / bitsPerId),
    count: 0,
    bits: new Uint32Array(new SharedArrayBuffer(bits / 8)),
  }
}

/** `low` and `high`: the halves of the id, each 32 bits without a sign. */
export function addId(filter: IdFilter, low: number, high: number): void {
  const { bits } = filter
  const mask = bits.length * 32 - 1
  let place = low
  for (let probe = 0; probe < probes; probe += 1) {
    const at = (place & mask) >>> 0
    bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31))
    place = (place + (high | 1)) | 0
  }
  filter.count += 1
}

export function mayHaveId({ bits }: IdFilter, low: number, high: number): boolean {
  const mask = bits.length * 32 - 1
  let place = low
  for (let probe = 0; probe < probes; probe += 1) {
    const at = (place & mask) >>> 0
    if (((bits[at >>> 5] ?? 0) & (1 << (at & 31))) === 0) return false
    place = (place + (high | 1)) | 0
  }
  return true
}
