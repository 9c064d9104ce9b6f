// The last words of a run, where no pull request says them first: a question, a response without a change, what is left
// when a budget ended the run, and the reply beside a change.

import type { Job } from '../../api/jobs.ts'
import { Prose } from '../../prose/prose.tsx'

const titles = {
  question: 'The job waits for you',
  no_change: 'Nothing was changed in this run',
  change: 'A budget ended this run: only a part of the work is in the pull request',
} as const

export function ResultNotice({ job: { result, outcome } }: { readonly job: Job }) {
  if (result === null) return null
  if (result.kind === 'change' && outcome !== 'partial') return <Reply text={result.reply} />
  const ground = result.kind === 'no_change' ? 'bg-raised' : 'bg-warn-soft'
  return (
    <section aria-label={titles[result.kind]} className={`mb-6 rounded-lg border border-line px-4 py-3 ${ground}`}>
      <p className="mb-1 font-semibold">{titles[result.kind]}</p>
      <Prose text={result.text} />
      {result.kind === 'question' && (
        <p className="mt-1 text-sm text-muted">
          Nothing of this run is published. Send your response below: the agent continues with its edits.
        </p>
      )}
    </section>
  )
}

function Reply({ text }: { readonly text: string | null }) {
  if (text === null) return null
  return (
    <section aria-label="The agent replies to you" className="mb-6 rounded-lg border border-line bg-raised px-4 py-3">
      <p className="mb-1 font-semibold">The agent replies to you</p>
      <Prose text={text} />
    </section>
  )
}
