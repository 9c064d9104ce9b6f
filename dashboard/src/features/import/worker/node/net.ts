// Takes the place of `node:net` where the import of logs runs in a browser: is a text an IP address?

const part = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const version4 = new RegExp(`^(?:${part}\\.){3}${part}$`)

/** 4, 6, or 0 for anything else. Without a zone: callers remove it. */
export function isIP(text: string): 0 | 4 | 6 {
  if (version4.test(text)) return 4
  return isVersion6(text) ? 6 : 0
}

function isVersion6(text: string): boolean {
  if (!/^[\da-f:.]{2,45}$/i.test(text)) return false
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const all = groups.flat()
  const tail = all.at(-1) ?? ''
  // The last 32 bits may be written as an address of version 4, at the very end only.
  const hasTail = tail.includes('.') && text.endsWith(tail)
  if (hasTail && !version4.test(tail)) return false
  const plain = hasTail ? all.slice(0, -1) : all
  if (!plain.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false
  const count = plain.length + (hasTail ? 2 : 0)
  return halves.length === 2 ? count < 8 : count === 8
}
