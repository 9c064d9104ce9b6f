// Problems with sending page views, reported to the person who runs the server. Pages never see them.

export type Problem =
  /** The service cannot be reached; the client tries again. */
  | { readonly kind: 'away'; readonly reason: string }
  /** The client does not try again: the settings are wrong, or the service fails at this batch every time. */
  | { readonly kind: 'refused'; readonly reason: string; readonly count: number }
  /** The queue was full, or the recorder closed. `total` counts since the recorder was created. */
  | { readonly kind: 'dropped'; readonly total: number }

const quietMs = 60_000

/** Creates a function that reports problems on the console, at most once a minute. */
export function createWarning(now: () => number): (problem: Problem) => void {
  const last = { time: -Infinity }
  return (problem) => {
    if (now() - last.time < quietMs) return
    last.time = now()
    // oxlint-disable-next-line eslint/no-console -- a wrong key would otherwise never be noticed; `onProblem` replaces it
    console.warn(`Docent: ${describe(problem)}`)
  }
}

function describe(problem: Problem): string {
  switch (problem.kind) {
    case 'away':
      return `page views wait, the service cannot take them: ${problem.reason}`
    case 'refused':
      return `${problem.count} page views were refused: ${problem.reason}`
    case 'dropped':
      return `page views are dropped, ${problem.total} so far`
    default:
      return problem satisfies never
  }
}
