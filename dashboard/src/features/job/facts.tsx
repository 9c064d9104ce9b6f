// The facts of a job beside its content: where it works, with which model, and what it used.

import type { ReactNode } from 'react'
import type { Job } from '../../api/jobs.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'

const numbers = new Intl.NumberFormat('en')
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 })

export function Facts({ job }: { readonly job: Job }) {
  const { usage, pullRequest } = job
  return (
    <dl className="flex h-fit flex-col gap-3 rounded-lg border border-line p-4 text-sm">
      <Fact name="Repository">{job.source.repository}</Fact>
      <Fact name="Branch">{job.source.ref ?? 'None yet'}</Fact>
      {pullRequest !== null && (
        <Fact name="Pull request">
          <a href={pullRequest.url} className="text-accent underline">
            #{pullRequest.number}
          </a>{' '}
          {pullRequest.draft ? 'draft, ' : ''}
          {pullRequest.state}
        </Fact>
      )}
      <Fact name="Model">{job.model}</Fact>
      <Fact name="Turns">{numbers.format(usage.turns)}</Fact>
      <Fact name="Tokens">
        {numbers.format(usage.inputTokens)} in, {numbers.format(usage.outputTokens)} out
      </Fact>
      <Fact name="Cost">{usage.costUsd === null ? 'Not known' : dollars.format(usage.costUsd)}</Fact>
      <Fact name="Created">
        <RelativeTime at={job.createdAt} />
      </Fact>
      <Fact name="Changed">
        <RelativeTime at={job.updatedAt} />
      </Fact>
      <Fact name="Id">
        <code className="font-mono break-all">{job.id}</code>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  )
}
