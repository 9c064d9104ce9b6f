// The facts of the job that made a pull request: what was asked, and what it used. No model wrote them.

import { useQuery } from '@tanstack/react-query'
import { formatCost } from '../../api/job/status.ts'
import { type Job, messagesQuery } from '../../api/jobs.ts'
import { visible } from '../../diff/lines/segments.ts'
import { shorten } from '../../../../src/lib/plain-text.ts'

const mostShown = 10
const mostCharacters = 300
const numbers = new Intl.NumberFormat('en')

export function JobFacts({ job, projectId }: { readonly job: Job; readonly projectId: string }) {
  const messages = useQuery(messagesQuery(projectId, job.id))
  const { turns, inputTokens, cachedInputTokens, outputTokens, costUsd } = job.usage
  const cost = costUsd === 0 ? undefined : formatCost(costUsd)
  const cached = cachedInputTokens === 0 ? '' : ` (${numbers.format(cachedInputTokens)} from the cache)`
  const used = [
    `${numbers.format(turns)} ${turns === 1 ? 'turn' : 'turns'}`,
    // The built-in model uses no tokens.
    ...(inputTokens + outputTokens === 0
      ? []
      : [`${numbers.format(inputTokens)}${cached} + ${numbers.format(outputTokens)} tokens`]),
    ...(cost === undefined ? [] : [cost]),
  ]
  const all = messages.data ?? []
  return (
    <dl aria-label="Facts" className="mb-5 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[6rem_minmax(0,1fr)]">
      <dt className="text-muted">Asked</dt>
      <dd className="min-w-0">
        <ul className="flex flex-col gap-1">
          {all.slice(-mostShown).map(({ id, prompt }) => (
            <li key={id} className="wrap-anywhere">
              <bdi>{inOneLine(prompt)}</bdi>
            </li>
          ))}
        </ul>
        {all.length > mostShown && <p className="text-muted">The last 10 of {all.length} messages.</p>}
      </dd>
      <dt className="text-muted">Used</dt>
      <dd className="min-w-0 wrap-anywhere">
        <span className="font-mono text-xs">{job.model}</span>, {used.join(', ')}
      </dd>
    </dl>
  )
}

function inOneLine(prompt: string): string {
  const line = prompt.trim().replaceAll(/\s+/g, ' ')
  return visible(shorten(line, mostCharacters).toWellFormed())
}
