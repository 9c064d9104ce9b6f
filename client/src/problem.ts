// What can go wrong with page views, for the person who runs the server. Pages never see any of it.

export type Problem =
  /** It is tried again. */
  | { readonly kind: 'away'; readonly reason: string }
  /** It is not tried again: the settings are wrong, or the service fails at it every time. */
  | { readonly kind: 'refused'; readonly reason: string; readonly count: number }
  /** The queue was full, or the recorder closed. `total`: since it was created. */
  | { readonly kind: 'dropped'; readonly total: number }

const quietMs = 60_000

/** Tells of a problem on the console, once a minute at most. */
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
