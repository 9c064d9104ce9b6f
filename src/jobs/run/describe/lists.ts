// Lists in the facts of a pull request: as long as there is room, and a line that says how much is missing. Pure.

/** The most lines and characters of a list. `total`: how many there are if `items` has only the first ones. */
export type Room = { readonly lines: number; readonly characters: number; readonly total?: number }

/** The title in bold, and the list; empty if there is nothing to list. Each item is one line of Markdown. */
export function titled(title: string, items: readonly string[], room: Room): string {
  const total = Math.max(items.length, room.total ?? 0)
  return total === 0 ? '' : `**${title}:**\n\n${toList(items, room, total)}`
}

function toList(items: readonly string[], room: Room, total: number): string {
  const shown: string[] = []
  let left = room.characters
  for (const item of items) {
    left -= item.length + 3
    if (shown.length === room.lines || left < 0) break
    shown.push(`- ${item}`)
  }
  const more = total - shown.length
  if (more > 0) shown.push(shown.length === 0 ? `- ${count(more)}, too long to show here` : `- and ${count(more)} more`)
  return shown.join('\n')
}

export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** `1 page`, `2,000 pages`. */
export function amount(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`
}
