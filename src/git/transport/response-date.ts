// Reads the `Date` headers of the responses that a git process gets. Git shows headers only in its trace, which goes to file
// descriptor 4, so that standard error holds nothing but messages. The trace has no bodies, and git hides logins in it.

import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

const descriptor = 4

/** The environment that makes git write the trace. */
export const dateTrace = { GIT_TRACE_CURL: String(descriptor), GIT_TRACE_CURL_NO_DATA: '1', GIT_TRACE_REDACT: '1' }

/** Calls `onDate` with each date as it arrives. Reads until the process and its children have closed the descriptor. */
export function readDates(child: ChildProcess, onDate: (date: string) => void): void {
  const pipe = child.stdio[descriptor]
  // There is no pipe when the process could not be started.
  if (!(pipe instanceof Readable)) return
  createInterface({ input: pipe }).on('line', (line) => {
    const date = /<= Recv header: date: (.{1,64})$/i.exec(line)?.[1]
    if (date !== undefined) onDate(date)
  })
}
