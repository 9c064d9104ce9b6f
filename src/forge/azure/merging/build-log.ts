// The log of a build on Azure DevOps: that of its first task that failed. The token needs the scope *Build (Read)*.

import { z } from 'zod'
import { text } from '../../reply/shapes.ts'
import type { Azure } from '../azure.ts'

const timelineSchema = z.object({
  records: z
    .array(
      z.object({
        type: text(100).nullish(),
        result: text(50).nullish(),
        order: z.int().nullish(),
        finishTime: text(50).nullish(),
        log: z.object({ id: z.int().positive() }).nullish(),
      }),
    )
    .max(10_000)
    .nullish(),
})

/** `build` undefined: no build of this project. */
export async function readBuildLog(
  azure: Azure,
  build: number | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (build === undefined) return undefined
  const { client } = azure
  const path = `${projectPath(azure)}/_apis/build/builds/${build}`
  const reply = await client.ask({ method: 'GET', path: `${path}/timeline` }, signal)
  const found = reply.kind === 'response' ? timelineSchema.safeParse(reply.body).data : undefined
  const failed = (found?.records ?? []).filter(({ type, result }) => type === 'Task' && result === 'failed')
  const [first] = failed.toSorted((one, other) => ((one.finishTime ?? '') < (other.finishTime ?? '') ? -1 : 1))
  return first?.log ? await client.readEnd({ path: `${path}/logs/${first.log.id}` }, signal) : undefined
}

export function buildPage(azure: Azure, build: number): string {
  return `${azure.place.webUrl}${projectPath(azure)}/_build/results?buildId=${build}`
}

/** The build that a page shows. Undefined: it is no page of a build of this project. */
export function buildOf(azure: Azure, link: string): number | undefined {
  const url = URL.parse(link)
  const isHere = url?.origin === new URL(azure.place.webUrl).origin
  if (!url || !isHere || url.pathname !== `${projectPath(azure)}/_build/results`) return undefined
  const [, build] = /^(\d{1,15})$/.exec(url.searchParams.get('buildId') ?? '') ?? []
  return build === undefined ? undefined : Number(build)
}

function projectPath({ located: { root, project } }: Azure): string {
  return `${root}/${encodeURIComponent(project)}`
}
