// A finding for each source of a project: whether it can be read, and at which commit it is.

import { Failure, toFailure } from '../../lib/failure.ts'
import type { SourceAccess } from '../../projects/sources/source-access.ts'
import type { Source } from '../../projects/sources/sources.ts'
import type { Api } from '../api/api.ts'
import { failed, type Finding, fromFailure, ok } from './finding.ts'

export type KnownSource = Pick<Source, 'id' | 'name' | 'repository'>

export type InspectSources = {
  readonly list: (projectId: string) => Promise<readonly KnownSource[]>
  readonly inspect: (projectId: string, source: KnownSource) => Promise<SourceAccess>
  /** A finding about an address that the settings of this shell refuse. */
  readonly refusal: (about: string, repository: string) => Finding | undefined
}

export function sourcesOfService(api: Pick<Api, 'send'>): InspectSources {
  return {
    list: async (projectId) => {
      try {
        const { body } = await api.send('GET', `/v1/projects/${projectId}/sources`)
        return (JSON.parse(body) as { readonly sources: readonly KnownSource[] }).sources
      } catch (error) {
        // An older service has no sources.
        if (error instanceof Failure && error.code === 'not_found') return []
        throw error
      }
    },
    inspect: async (projectId, { name }) => {
      const { body } = await api.send('POST', `/v1/projects/${projectId}/sources/${name}/check`)
      return JSON.parse(body) as SourceAccess
    },
    refusal: () => undefined,
  }
}

export async function checkSources(
  { list, inspect, refusal }: InspectSources,
  project: { readonly id: string; readonly label: string },
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const source of await list(project.id)) {
    const about = `source ${source.name} of ${project.label}`
    const find = async () => toFinding(about, source, await inspect(project.id, source))
    const found =
      refusal(about, source.repository) ?? (await find().catch((error) => fromFailure(about, toFailure(error))))
    findings.push(found)
  }
  return findings
}

function toFinding(about: string, { repository }: KnownSource, { base, problem, missing }: SourceAccess): Finding {
  if (problem === null && base) return ok(about, `${repository} can be read; ${base.branch} is at ${base.commit}`)
  const [first] = missing
  const todo = first?.remedy ?? 'Check the address, the network and the credential of the source.'
  return failed(about, `${repository}: ${problem ?? 'it could not be read'}`, todo)
}
