// The frontmatter of a page, which is before its first block: YAML or TOML between two fences.

const opening = /^(---|\+\+\+)[ \t]*(?=\r|\n)/
const endings = {
  '---': /(?:\r\n|\r|\n)---[ \t]*(?=\r|\n|$)/g,
  '+++': /(?:\r\n|\r|\n)\+\+\+[ \t]*(?=\r|\n|$)/g,
} as const

export function frontmatterOf(source: string) {
  const [written, fence] = opening.exec(source) ?? []
  if (written === undefined || (fence !== '---' && fence !== '+++')) return undefined
  const ending = new RegExp(endings[fence])
  ending.lastIndex = written.length
  const found = ending.exec(source)
  if (!found) return undefined
  const end = found.index + found[0].length
  return { type: fence === '---' ? 'yaml' : 'toml', position: { start: { offset: 0 }, end: { offset: end } } }
}
