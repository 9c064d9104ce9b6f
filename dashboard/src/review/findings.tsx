// One problem of the documentation: how bad it is, where it is, and what it is.

import type { Finding } from '../api/job/checks.ts'
import { Badge } from '../ui/badge.tsx'
import { severities } from './marks.ts'
import { PlaceLink } from './place.tsx'
import { plain } from './words.ts'

export function FindingLine({ finding }: { readonly finding: Finding }) {
  const { path, line, kind, severity, message, suggestion, state, byPerson } = finding
  const { tone, label } = severities[severity]
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="w-18 shrink-0">
        <Badge tone={state === 'introduced' ? tone : 'neutral'}>{label}</Badge>
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <PlaceLink path={path} line={line} isBefore={state === 'fixed'} />
        <p className="wrap-anywhere">
          <bdi>{plain(message)}</bdi> <code className="ml-1 font-mono text-xs text-muted">{kind}</code>
        </p>
        {suggestion !== null && (
          <p className="text-sm wrap-anywhere text-muted">
            Did you mean <code className="font-mono">{plain(suggestion)}</code>?
          </p>
        )}
        {byPerson && <p className="text-sm text-muted">From a person’s commit: it does not fail the job</p>}
      </div>
    </div>
  )
}
