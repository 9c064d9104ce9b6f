// The newest release of each source that wants a commit status: what the status says, or why the forge refused it.

import type { Ledger } from '../../api/project/ledger.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'

type Release = Ledger['releases'][number]

export function Releases({ releases }: { readonly releases: readonly Release[] }) {
  if (releases.length === 0) return null
  return (
    <ul className="mb-4 flex max-w-prose flex-col gap-1 text-sm" aria-label="Releases">
      {releases.map((release) => (
        <li key={release.source ?? ''}>
          <Said release={release} />
          {release.problem !== null && (
            <p className="text-bad">
              Its commit status was refused. <bdi>{release.problem}</bdi>
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

function Said({ release: { source, tag, text, saidAt } }: { readonly release: Release }) {
  return (
    <p>
      <bdi className="font-medium">{tag}</bdi>
      {source === null ? '' : ` of ${source}`}
      {text === null || saidAt === null ? (
        ' has no commit status yet.'
      ) : (
        <>
          : {text}.{' '}
          <span className="text-muted">
            The commit status said so <RelativeTime at={saidAt} />.
          </span>
        </>
      )}
    </p>
  )
}
