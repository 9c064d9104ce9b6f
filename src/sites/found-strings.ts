// The strings of a site's configuration with the file of each: a configuration may be spread over several files.

import type { ConfigString } from './config-strings.ts'
import type { SiteFiles } from './site.ts'

export type FoundString = ConfigString & { readonly file: string }

export async function readStrings(paths: readonly string[], files: SiteFiles): Promise<FoundString[]> {
  const found = await Promise.all(
    paths.map(async (path) => (await files.config(path)).strings.map((one) => ({ ...one, file: path }))),
  )
  return found.flat()
}

/** The value of a field of the outermost object. */
export function outermost(strings: readonly ConfigString[], name: string): string | undefined {
  return strings.find(({ keys }) => keys.length === 1 && keys[0] === name)?.value
}
