// Verifies the places that a model names as sources of a page: `@api/src/flags.ts:12-30`. One that does not hold is dropped, since
// a wrong citation is worse than a missing one.

import type { Files } from './places.ts'

/** As the model wrote it. */
export type Citation = { readonly page: string; readonly source: string }

/** `name`: of the source; empty for the repository of the documentation. `lines` undefined: the whole file. */
export type CitedPlace = {
  readonly name: string
  readonly path: string
  readonly lines: { readonly from: number; readonly to: number } | undefined
}

/** `repository`: its address. `commit`: the one at which it is read. */
export type CitedRepository = { readonly files: Files; readonly repository: string; readonly commit: string }

export type HeldCitation = CitedPlace & Pick<CitedRepository, 'repository' | 'commit'> & { readonly page: string }

export type Citations = { readonly held: readonly HeldCitation[]; readonly dropped: number }

const written = /^(?:@([a-z0-9-]{1,40})\/)?([^:#@][^:#]{0,1000})(?:[:#]L?(\d{1,7})(?:-L?(\d{1,7}))?)?$/

export function parseCitation(source: string): CitedPlace | undefined {
  const [, name = '', path = '', first, last = first] = written.exec(source.trim()) ?? []
  if (path === '' || path.split('/').some((part) => part === '..' || part === '.' || part === '')) return undefined
  if (first === undefined) return { name, path, lines: undefined }
  const lines = { from: Number(first), to: Number(last) }
  return lines.from < 1 || lines.to < lines.from ? undefined : { name, path, lines }
}

/** `find`: undefined for a name that is no source. Never throws: a file that cannot be read holds nothing. */
export async function verifyCitations(
  citations: readonly Citation[],
  find: (name: string) => CitedRepository | undefined,
): Promise<Citations> {
  const held: HeldCitation[] = []
  const seen = new Set<string>()
  let dropped = 0
  for (const { page, source } of citations) {
    const key = JSON.stringify([page, source])
    if (seen.has(key)) continue
    seen.add(key)
    const place = parseCitation(source)
    const repository = place && find(place.name)
    if (place && repository && (await isThere(place, repository.files))) {
      held.push({ page, ...place, repository: repository.repository, commit: repository.commit })
    } else dropped += 1
  }
  return { held, dropped }
}

async function isThere({ path, lines }: CitedPlace, files: Files): Promise<boolean> {
  const bytes = await files.read(path).catch(() => undefined)
  if (!bytes) return false
  const text = new TextDecoder().decode(bytes)
  const count = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return lines === undefined || lines.to <= count
}
