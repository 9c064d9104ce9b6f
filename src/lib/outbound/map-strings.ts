// Changes the strings in a value that came from JSON, wherever they are. Pure.

type Change = (text: string) => string

/** Default for `changeName`: the names of fields stay. Returns the value itself when nothing changed. */
export function mapStrings<T>(value: T, change: Change, changeName: Change = (name) => name): T {
  return mapAny(value, change, changeName) as T
}

function mapAny(value: unknown, change: Change, changeName: Change): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const mapped = value.map((one: unknown) => mapAny(one, change, changeName))
    return mapped.every((one, index) => one === value[index]) ? value : mapped
  }
  const before = Object.entries(value)
  const after = before.map(([name, one]) => [changeName(name), mapAny(one, change, changeName)] as const)
  const isSame = after.every(([name, one], index) => name === before[index]?.[0] && one === before[index]?.[1])
  return isSame ? value : Object.fromEntries(after)
}
