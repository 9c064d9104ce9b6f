// The sources of the product with which all pages were compared, and the names that stay open.

import type { JobChecks } from '../api/job/checks.ts'
import { count, plain } from './words.ts'

type Drift = NonNullable<JobChecks['drift']>
type Props = { readonly drift: Drift; readonly site: JobChecks['coverage']['site'] }

export function DriftBasis({ drift: { sources, files, pages, terms }, site }: Props) {
  const open = (site?.notJudged ?? []).filter(({ reason }) => reason === 'source' || reason === 'history')
  return (
    <details className="border-t border-line px-4 py-2">
      <summary className="cursor-pointer text-sm">
        Compared with {sources.map(sayName).join(', ')}
        {open.length > 0 && <span className="text-muted"> · not everything</span>}
      </summary>
      <p className="mt-1 text-sm text-muted">
        {count(terms, 'name')} on {count(pages, 'page')}, in {count(files, 'file')} of the sources and their history.
      </p>
      <ul className="text-sm">
        {sources.map((source) => (
          <li key={source.name} className="wrap-anywhere">
            <bdi className="font-medium">{plain(source.name)}</bdi> {sayPast(source)}
          </li>
        ))}
        {open.map(({ reason, message, count: number, example }) => (
          <li key={reason} className="wrap-anywhere">
            {count(number, 'name')} not judged: {message} <code className="text-muted">{plain(example)}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}

function sayName({ name, commit }: Drift['sources'][number]): string {
  return commit === null ? `${plain(name)} (not read)` : `${plain(name)}@${commit.slice(0, 7)}`
}

function sayPast({ commit, revisions, since, isWhole }: Drift['sources'][number]): string {
  if (commit === null) return 'cannot be read by this job, so nothing is known to be gone'
  const from = since === null ? '' : ` since ${since.slice(0, 10)}`
  return `${count(revisions, 'revision')}${from}${isWhole ? ', its whole history' : ''}`
}
