// Whether Docent merges the pull request of a job by itself, and what it waits for.

import type { Job } from '../../api/jobs.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'

export function Merging({ merging }: { readonly merging: NonNullable<Job['merging']> }) {
  const { state, askedAt, obstacles } = merging
  if (state === 'merged') return 'Docent merged it.'
  if (state === 'asked') {
    return <>Docent asked for it {askedAt !== null && <RelativeTime at={askedAt} />}; the forge does not show it yet.</>
  }
  return (
    <>
      Docent merges it when nothing needs a person. It waits:
      <ul className="list-inside list-disc break-words">
        {obstacles.map(({ code, message }) => (
          <li key={`${code} ${message}`}>{message}</li>
        ))}
      </ul>
    </>
  )
}
