// Sends the daily sums of a file in requests of bounded size. The same sums again change nothing, so a request whose response was
// lost is repeated, and so is the whole file after a stop.

import { tryAgain } from '../../../analytics/import/deliver.ts'
import type { DailySum, SumSource } from '../../../analytics/histories/daily-sums.ts'
import type { History } from '../../../analytics/histories/records.ts'
import { systemClock } from '../../../lib/clock.ts'
import type { Failure } from '../../../lib/failure.ts'
import type { Api } from '../../api/api.ts'
import { CommandFailure } from '../../exit.ts'

/** The service takes 5,000 of them and 1 MiB. A character of a path takes at most 3 bytes: paths are ASCII. */
const mostSums = 5_000
const mostCharacters = 600_000

export type ReadFile = {
  readonly source: SumSource
  readonly name: string
  readonly fingerprint: string
  readonly sums: readonly DailySum[]
}

type Sending = {
  readonly api: Api
  readonly projectId: string
  readonly stop: AbortSignal
  readonly onSent: (sums: number) => void
  readonly onWait: (failure: Failure, ms: number) => void
}

/** Returns the history. Throws `unavailable` when it is stopped. */
export async function sendSums(
  { source, name, fingerprint, sums }: ReadFile,
  { api, projectId, stop, onSent, onWait }: Sending,
): Promise<History> {
  const path = `/v1/analytics/${encodeURIComponent(projectId)}/histories`
  const parts = divide(sums)
  let history: History | undefined
  let sent = 0
  for (const [index, part] of parts.entries()) {
    if (stop.aborted) throw stopped(name)
    const isComplete = index === parts.length - 1
    const body = { sums: part, isComplete }
    const id = history?.id
    const ask = () =>
      id === undefined
        ? api.send('POST', path, { source, name: name.slice(-500), fingerprint, ...body })
        : api.send('POST', `${path}/${id}/sums`, body)
    history = JSON.parse((await tryAgain({ clock: systemClock, stop, onWait }, ask)).body) as History
    sent += part.length
    onSent(sent)
  }
  if (history === undefined) throw stopped(name)
  return history
}

function stopped(name: string): CommandFailure {
  return new CommandFailure('stopped', 'unavailable', `Stopped. Run the same command again to continue with ${name}.`)
}

/** At least one part. */
export function divide(sums: readonly DailySum[]): readonly (readonly DailySum[])[] {
  const parts: DailySum[][] = [[]]
  let characters = 0
  for (const sum of sums) {
    const size = 80 + (sum.path?.length ?? 0)
    if ((parts.at(-1)?.length ?? 0) >= mostSums || characters + size > mostCharacters) {
      parts.push([])
      characters = 0
    }
    parts.at(-1)?.push(sum)
    characters += size
  }
  return parts
}
