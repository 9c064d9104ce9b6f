// Finds the message in an error response. Every host has its own shapes: GitHub has `errors` with texts and objects,
// GitLab's `message` is a text, a list or an object of lists.

/** Joins all messages with `; `, in the order of the response. Empty if there is no message. Not sanitised. */
export function wordsOf(body: unknown): string {
  return [...new Set(collect(body, 0))].slice(0, most).join('; ')
}

const most = 20
const deepest = 5
const meaningful = ['message', 'error', 'error_description', 'errors', 'base', 'field', 'code', 'resource']

function collect(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (depth >= deepest || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.slice(0, most).flatMap((item) => collect(item, depth + 1))
  const entries = Object.entries(value)
  const shown = entries.filter(([name]) => depth > 0 || meaningful.includes(name))
  return shown.flatMap(([name, inner]) => {
    const words = collect(inner, depth + 1)
    return meaningful.includes(name)
      ? isLabelled(name)
        ? words.map((text) => `${name}: ${text}`)
        : words
      : words.map((text) => `${name} ${text}`)
  })
}

/** The parts of GitHub's errors whose value alone says little. */
function isLabelled(name: string): boolean {
  return name === 'field' || name === 'code' || name === 'resource'
}
