// A site, and the names that its generator gives to pages.

/** `address` and `id`: undefined for a file that no site serves. */
type Row = readonly [path: string, text: string, address: string | undefined, id?: string]

export type NamedSite = readonly [name: string, config: Readonly<Record<string, string>>, rows: readonly Row[]]

export const text = '# A\n'

/** A page with this frontmatter. */
export const fields = (yaml: string) => `---\n${yaml}\n---\n\n# A\n`
