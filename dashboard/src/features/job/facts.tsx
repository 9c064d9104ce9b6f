// The facts of a job beside its content: who asked, where it works, with which model, what it used, and which pages it read.

import type { ReactNode } from 'react'
import { formatCost } from '../../api/job/status.ts'
import type { Job, JobEvent } from '../../api/jobs.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { type Used, usedOf } from './budget.ts'
import { ForgeChecks, Merging, PullCard } from './pull-card.tsx'

const numbers = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

type Props = {
  readonly job: Job
  readonly projectId: string
  readonly events: readonly JobEvent[]
  readonly mayWrite: boolean
}

export function Facts({ job, projectId, events, mayWrite }: Props) {
  const { usage, pullRequest, origin } = job
  const used = job.status === 'active' ? usedOf(events) : []
  return (
    <dl aria-label="Facts" className="flex h-fit flex-col gap-3 text-sm lg:sticky lg:top-4">
      {pullRequest !== null && (
        <Fact name="Pull request">
          <PullCard pull={pullRequest} projectId={projectId} mayWrite={mayWrite} />
        </Fact>
      )}
      {job.merging !== null && (
        <Fact name="Merge">
          <Merging merging={job.merging} />
        </Fact>
      )}
      {job.forgeChecks !== null && (
        <Fact name="Failed checks of the forge">
          <ForgeChecks checks={job.forgeChecks} />
        </Fact>
      )}
      {used.length > 0 && (
        <Fact name="Budget of this run">
          <ul className="flex flex-col gap-1.5">
            {used.map((one) => (
              <Meter key={one.name} {...one} />
            ))}
          </ul>
        </Fact>
      )}
      <Fact name="Created">
        <RelativeTime at={job.createdAt} />
        {origin !== null && <span> {byWhom(origin)}</span>}
      </Fact>
      <Fact name="Model">
        <span className="font-mono text-xs">{job.model}</span>
      </Fact>
      <Fact name="Used">
        {numbers.format(usage.turns)} {usage.turns === 1 ? 'turn' : 'turns'}
        {tokenWords(usage)}
      </Fact>
      <Fact name="Cost">{formatCost(usage.costUsd) ?? 'Not known: the model has no price'}</Fact>
      <PagesRead job={job} />
      <Fact name="Branch">
        <span className="font-mono text-xs">{job.source.ref ?? 'None yet'}</span>
      </Fact>
      <Fact name="Repository">{job.source.repository}</Fact>
      <Sources job={job} />
      <Fact name="Job">
        <code className="font-mono text-xs">{job.id}</code>
      </Fact>
    </dl>
  )
}

function Sources({ job }: Pick<Props, 'job'>) {
  if (job.sources.length === 0) return undefined
  return (
    <Fact name="Sources">
      <ul>
        {job.sources.map(({ name, repository, commit }) => (
          <li key={name} title={repository} className="font-mono text-xs">
            {commit === null ? `${name}, not read` : `${name}@${commit.slice(0, 7)}`}
          </li>
        ))}
      </ul>
    </Fact>
  )
}

/** Each address once, as it was last. */
function PagesRead({ job }: Pick<Props, 'job'>) {
  const pages = [...new Map(job.pagesRead.map((page) => [page.address, page])).values()]
  if (pages.length === 0) return undefined
  return (
    <Fact name="Pages read">
      <ul className="flex flex-col gap-1">
        {pages.map(({ address, status, bytes }) => (
          <li key={address}>
            <span className="font-mono text-xs break-all">{address}</span>{' '}
            <span className="text-muted">
              {status === null ? 'No response' : `${status}, ${compact.format(bytes)}B`}
            </span>
          </li>
        ))}
      </ul>
    </Fact>
  )
}

/** Continues the number of turns. The built-in model uses no tokens. */
function tokenWords({ inputTokens, cachedInputTokens, outputTokens }: Job['usage']): string {
  if (inputTokens + outputTokens === 0) return ''
  const cached = cachedInputTokens === 0 ? '' : ` (${compact.format(cachedInputTokens)} from the cache)`
  return `, ${compact.format(inputTokens)} tokens in${cached}, ${compact.format(outputTokens)} out`
}

function byWhom({ kind, name }: NonNullable<Job['origin']>): string {
  if (kind === 'command_line') return 'from the command line'
  if (kind === 'automation') return `by the automation ${name}`
  return kind === 'api' ? `with the key ${name}` : `by ${name}`
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}

function Meter({ name, used, limit }: Used) {
  const format = name === 'Cost' ? (value: number) => formatCost(value) ?? '' : (value: number) => compact.format(value)
  const share = Math.min(1, used / limit)
  return (
    <li>
      <span className="flex justify-between tabular-nums">
        <span>{name}</span>
        <span className="text-muted">
          {format(used)} of {format(limit)}
        </span>
      </span>
      <meter aria-label={name} className="block h-1.5 w-full" min={0} max={1} high={0.9} optimum={0} value={share} />
    </li>
  )
}
