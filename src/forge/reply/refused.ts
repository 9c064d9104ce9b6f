// Finds the names that a host refuses, of those that one request may name together.

/** Asks for all at once and, if the host refuses that, for each separately. Returns the refused names. */
export async function refusedOf(
  names: readonly string[],
  isRefused: (some: readonly string[]) => Promise<boolean>,
): Promise<readonly string[]> {
  if (names.length === 0 || !(await isRefused(names))) return []
  if (names.length === 1) return names
  const refused: string[] = []
  for (const name of names) if (await isRefused([name])) refused.push(name)
  return refused
}
