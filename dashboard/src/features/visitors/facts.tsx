// How the numbers came about: days, window, retention, source. Said where people wonder about them.

import type { About } from '../../api/visitors.ts'
import { formatDay } from './format.ts'

const windows: Readonly<Record<About['visitorWindow'], string>> = {
  day: 'A visitor is recognised within a day, and counts again on the next.',
  week: 'A visitor is recognised within a week, and counts again in the next.',
  month: 'A visitor is recognised within a calendar month, and counts again in the next.',
  never: 'A visitor is recognised for as long as page views are kept.',
}
const sources: Readonly<Record<About['collectionSource'], string>> = {
  both: 'Page views from browsers, servers and access logs count; one that two of them reported counts once.',
  browser:
    'People count when their browser reports them; AI agents and crawlers as servers and access logs report them.',
  server: 'Page views from servers and access logs count; those that browsers report do not.',
}

export function Facts({ about }: { readonly about: About }) {
  return (
    <details className="text-sm text-muted">
      <summary className="w-fit cursor-pointer rounded hover:text-text">How this is counted</summary>
      <ul className="mt-2 list-disc space-y-1 pl-5">
        <li>Every number is exact: visitors are counted, never estimated or sampled.</li>
        <li>
          {windows[about.visitorWindow]} Docent stores no addresses and sets no cookies. So the visitors of single days,
          pages or sites do not add up to the total.
        </li>
        <li>
          Someone who came both in a browser and through an AI agent is one of all visitors, and counts under humans and
          under AI.
        </li>
        <li>
          Days begin at midnight in {about.timeZone}. Page views are kept for {about.retentionMonths} months: since{' '}
          {formatDay(about.firstDay)}.
        </li>
        <li>{sources[about.collectionSource]}</li>
        {about.unverifiedAiAgents === 'ignore' && (
          <li>AI agents from addresses that their operator does not publish do not count.</li>
        )}
      </ul>
    </details>
  )
}
