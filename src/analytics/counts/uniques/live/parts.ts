// The parts of a live window, each loaded when a query first asks for it. A part says, in SQL for the rows that are read once
// and for each page view that is stored afterwards, which values of its dimensions a page view counts for.

import type { PageView } from '../../../page-view.ts'
import type { Plan } from '../../query/plan.ts'
import { siteNameOf, siteOf } from '../../query/referrer-sites.ts'
import { isAi, isHuman, isVisit } from '../../query/sql.ts'
import { linesOf } from '../count-rows.ts'
import type { Dimension } from '../dimensions.ts'
import type { Judged } from './judge.ts'

type Key = {
  /** An expression; rows with the same one have the same values. */
  readonly sql: string
  readonly where: (plan: Plan) => string
  /** The same of a page view. Undefined: it does not count. */
  readonly of: (view: PageView, judged: Judged) => string | undefined
}

export type LivePart = {
  readonly dimensions: readonly Dimension[]
  /** The scopes of visitors. */
  readonly visitors: Key
  readonly valuesOf: (key: string) => readonly (readonly [Dimension, string])[]
  /** Page views that are counted, too, by the larger of two reports. */
  readonly views?: Key & { readonly dimension: Dimension }
}

const agentOf = ({ agent, operator }: PageView) => `${agent}\n${operator}`

export const liveParts: readonly LivePart[] = [
  {
    dimensions: ['site', 'page'],
    visitors: { sql: 'toString(path)', where: isVisit, of: (view) => view.path },
    valuesOf: (path) => [
      ['site', ''],
      ['page', path],
    ],
  },
  {
    dimensions: ['referrer'],
    visitors: {
      sql: siteOf('toString(referrer)'),
      where: (plan) => `${isVisit(plan)} AND ${isHuman} AND referrer != ''`,
      of: ({ referrer }, { isHuman: counts }) => (counts && referrer !== '' ? siteNameOf(referrer) : undefined),
    },
    valuesOf: (site) => [['referrer', site]],
  },
  {
    dimensions: ['agent', 'verified_agent', 'unverified_agent', 'agent_views'],
    visitors: {
      sql: linesOf('verified', 'agent', 'operator'),
      where: (plan) => `visitor != 0 AND ${isAi(plan)}`,
      of: (view, judged) => (judged.isAi ? `${view.verified}\n${agentOf(view)}` : undefined),
    },
    valuesOf: (key) => {
      const [end, agent] = [key.indexOf('\n'), key.slice(key.indexOf('\n') + 1)]
      const verified = key.slice(0, end)
      if (verified === 'address')
        return [
          ['agent', agent],
          ['verified_agent', agent],
        ]
      return verified === 'failed'
        ? [
            ['agent', agent],
            ['unverified_agent', agent],
          ]
        : [['agent', agent]]
    },
    views: {
      dimension: 'agent_views',
      sql: linesOf('agent', 'operator', 'path'),
      where: isAi,
      of: (view, judged) => (judged.isAi ? `${agentOf(view)}\n${view.path}` : undefined),
    },
  },
]

/** The part that has all of these dimensions. */
export function partOf(dimensions: readonly Dimension[]): LivePart | undefined {
  if (dimensions.length === 0) return undefined
  return liveParts.find((part) => dimensions.every((one) => part.dimensions.includes(one)))
}
