// The sources that the agent named for its pages: verified at the commits that the run read, with permanent links.

import type { ForgeKind } from '../../../forge/host.ts'
import { permanentLink } from '../../../forge/links/permanent-link.ts'
import { type Citation, type CitedRepository, type HeldCitation, verifyCitations } from '../../../grounding/cite.ts'
import type { Oid } from '../../../git/types.ts'
import { knownForge } from '../../../forge/links/known-forge.ts'
import { openSources, toFiles } from '../../sources/open.ts'
import type { RunSource } from '../../sources/run-sources.ts'
import type { RunPart } from '../context.ts'

/** `link` null: the forge of the repository is not known. */
export type ShownCitation = { readonly page: string; readonly place: string; readonly link: string | null }
export type ShownCitations = { readonly held: readonly ShownCitation[]; readonly dropped: number }

export const noCitations: ShownCitations = { held: [], dropped: 0 }

type Context = RunPart<'project' | 'repository' | 'signal', 'git' | 'hostOf'>

/** `base`: the commit at which the docs' own repository is read. */
export async function verifyCited(
  context: Context,
  citations: readonly Citation[],
  { base, sources }: { readonly base: Oid; readonly sources: readonly RunSource[] },
): Promise<ShownCitations> {
  if (citations.length === 0) return noCitations
  const { deps, project, repository, signal } = context
  const { present } = await openSources(deps.git, sources)
  const places = new Map<string, CitedRepository>()
  places.set('', { files: toFiles(await repository.tree(base)), repository: project.repository, commit: base })
  for (const { name, files } of present) {
    const pin = sources.find((one) => one.name === name)
    if (pin?.commit) places.set(name, { files, repository: pin.repository, commit: pin.commit })
  }
  const { held, dropped } = await verifyCitations(citations, (name) => places.get(name))
  const own = { kind: (await deps.hostOf(project.id, signal))?.kind, origin: originOf(project.repository) }
  return { dropped, held: held.map((one) => toShown(one, own)) }
}

type Own = { readonly kind: ForgeKind | undefined; readonly origin: string | undefined }

function toShown(held: HeldCitation, own: Own): ShownCitation {
  const { page, name, path, lines, repository } = held
  const kind = kindOf(originOf(repository), own)
  const range = lines === undefined ? '' : `:${lines.from}${lines.to === lines.from ? '' : `-${lines.to}`}`
  const place = `${name === '' ? '' : `@${name}/`}${path}${range}`
  return {
    page,
    place,
    link: (kind && permanentLink(kind, held)) ?? null,
  }
}

/** The forge of the documentation's own host is known; another one is, if everybody knows it. */
function kindOf(origin: string | undefined, own: Own): ForgeKind | undefined {
  if (origin === undefined) return undefined
  return origin === own.origin ? own.kind : knownForge(origin)
}

/** Undefined: it is not reached over https, so no link leads to it. */
function originOf(repository: string): string | undefined {
  const url = URL.parse(repository)
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined
}
