// The figures of an archive: what the API says about a project and about each month of its page views. The maker of an archive
// records them, and tests ask a later revision for the same.

export type Figures = Readonly<Record<string, unknown>>

/** An archive of a release: what `expected.json` says. */
export type Recorded = {
  readonly version: string
  /** The clock at the end, in ISO 8601. */
  readonly madeAt: string
  /** May do everything. */
  readonly key: string
  /** By path. */
  readonly figures: Figures
  readonly windows: readonly CountedWindow[]
}

/** A window of visitors. `result`: that of counting it again: `equal` for one that was sealed, `new` for one that was open. */
export type CountedWindow = { readonly projectId: string; readonly name: string; readonly result: string }

/** Sends a request, and returns the parsed response. */
export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Counts each window again from its page views. */
export async function countAgain(call: Call, projectIds: readonly string[]): Promise<readonly CountedWindow[]> {
  const counted: CountedWindow[] = []
  for (const projectId of projectIds) {
    const path = windowsPath(projectId)
    const { visitorWindows } = await call<{ visitorWindows: readonly { name: string }[] }>('GET', path)
    for (const { name } of visitorWindows) {
      const { result } = await call<{ result: string }>('POST', `${path}/rebuild`, { name })
      counted.push({ projectId, name, result })
    }
  }
  return counted
}

function windowsPath(projectId: string): string {
  return `/v1/analytics/${projectId}/visitor-windows`
}

const exports = ['visitors', 'views', 'timeseries', 'ai-agents', 'crawlers', 'referrers']

/** The paths whose responses are recorded. `months`: each `2026-11`, one after the other. */
export function pathsOf(projectId: string, months: readonly string[]): readonly string[] {
  const firstDays = [...months, monthAfter(months.at(-1) ?? '')].map((month) => `${month}-01`)
  const ranges = [[firstDays[0], firstDays.at(-1)], ...firstDays.slice(1).map((end, at) => [firstDays[at], end])]
  return [
    `/v2/agent/${projectId}/jobs?limit=100`,
    `/v1/projects/${projectId}/pulls`,
    `/v1/projects/${projectId}/segments`,
    windowsPath(projectId),
    ...ranges.flatMap(([from, to]) =>
      exports.map((name) => `/v1/analytics/${projectId}/${name}?dateFrom=${from}&dateTo=${to}&limit=250`),
    ),
  ]
}

export function monthAfter(month: string, by = 1): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by)).toISOString().slice(0, 7)
}
