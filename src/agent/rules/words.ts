// Counts and lists in words, for notes and summaries.

const maxListed = 40

/** `1 page`, `12 pages`. */
export function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** `a, b and 7 more`. */
export function listed(names: readonly string[]): string {
  if (names.length <= maxListed) return names.join(', ')
  return `${names.slice(0, maxListed).join(', ')} and ${names.length - maxListed} more`
}
