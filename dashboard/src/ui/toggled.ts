// A set of what is unfolded or chosen, after a click on one of it. Pure.

export function toggled(before: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(key)) after.add(key)
  return after
}
