// Everything that the service itself states about a change, beside its diff: why it is a draft, problems, losses, new sites,
// and what the policy refused. No model wrote any of it.

import type { ReactNode } from 'react'
import { type Finding, type JobChecks, type PageLoss, readSarif, type ReviewNote } from '../api/job/checks.ts'
import { Badge } from '../ui/badge.tsx'
import { Download } from '../ui/download.tsx'
import { DriftBasis } from './drift.tsx'
import { FindingLine } from './findings.tsx'
import { ReviewList } from './list.tsx'
import { byPersonOrSeverity } from './order.ts'
import { PlaceLink } from './place.tsx'
import { count, plain, wordsLost } from './words.ts'

type Props = { readonly checks: JobChecks; readonly projectId: string; readonly jobId: string }

export function Review({ checks, projectId, jobId }: Props) {
  const { introduced, fixed, remaining, findings, coverage, drift, warnings, expected, losses, hosts, refused } = checks
  const of = (state: Finding['state']) => findings.filter((finding) => finding.state === state)
  const problems = of('introduced').toSorted(byPersonOrSeverity)
  return (
    <section aria-label="Checks" className="mb-5 rounded-lg border border-line">
      <Counts checks={checks} read={() => readSarif(projectId, jobId)} />
      {warnings.length > 0 && (
        <Part title="Why it is a draft" className="bg-warn-soft">
          <ReviewList name="Why it is a draft" items={warnings} render={(note) => <Note {...note} />} />
        </Part>
      )}
      {introduced > 0 && (
        <Part title="New problems">
          <ReviewList
            name="New problems"
            items={problems}
            total={introduced}
            render={(finding) => <FindingLine finding={finding} />}
          />
        </Part>
      )}
      <NotJudged coverage={coverage} />
      {losses.length > 0 && (
        <Part title="Lost text" about="Headings and code that no page has any more, and pages that became short.">
          <ReviewList name="Lost text" items={losses} render={(loss) => <Loss {...loss} />} />
        </Part>
      )}
      <Ungrounded checks={checks} />
      {hosts.length > 0 && (
        <Part title="New sites" about="Other sites that the change links to or shows images from.">
          <ReviewList
            name="New sites"
            items={hosts}
            render={({ host, path, line }) => (
              <div className="flex flex-wrap items-baseline gap-x-3">
                <bdi className="font-medium wrap-anywhere">{plain(host)}</bdi>
                <PlaceLink path={path} line={line} />
              </div>
            )}
          />
        </Part>
      )}
      {expected.length > 0 && (
        <Part title="Expected" about="Code and files of tools that the settings of the project expect.">
          <ReviewList name="Expected" items={expected} render={(note) => <Note {...note} />} />
        </Part>
      )}
      {refused.length > 0 && (
        <Part title="Refused by the policy" about="Edits that the agent tried. They are not in the change.">
          <ReviewList name="Refused by the policy" items={refused} render={(note) => <Note {...note} />} />
        </Part>
      )}
      <Folded title={count(fixed, 'fixed problem')} findings={of('fixed')} total={fixed} />
      <Folded title={count(remaining ?? 0, 'remaining problem')} findings={of('remaining')} total={remaining ?? 0} />
      {drift !== null && <DriftBasis drift={drift} site={coverage.site} />}
    </section>
  )
}

/** Names and values that the change may have invented. */
function Ungrounded({ checks: { ungrounded, grounding } }: Pick<Props, 'checks'>) {
  const notJudged = grounding?.notJudged ?? 0
  if (ungrounded.length + notJudged === 0) return null
  return (
    <Part
      title="Not found in the sources"
      about="Names and values that the change adds, and that are nowhere in the repository before it, its sources, the messages and the pages that were read."
    >
      <ReviewList
        name="Not found in the sources"
        items={ungrounded}
        total={grounding?.missing ?? ungrounded.length}
        render={({ path, line, term }) => (
          <div className="flex flex-wrap items-baseline gap-x-3">
            <code className="wrap-anywhere">{plain(term)}</code>
            <PlaceLink path={path} line={line} />
          </div>
        )}
      />
      {notJudged > 0 && (
        <p className="text-sm text-muted">
          {count(notJudged, 'name or value', 'names and values')} could not be looked up.
        </p>
      )}
    </Part>
  )
}

/** Places that nobody could look up: "no new problems" says nothing about them. */
function NotJudged({ coverage: { notJudged } }: { readonly coverage: JobChecks['coverage'] }) {
  if (notJudged.length === 0) return null
  return (
    <Part title="Not judged" about="Links and entries that the change touches, and that Docent cannot look up.">
      <ReviewList
        name="Not judged"
        items={notJudged}
        render={({ message, count: number, example }) => (
          <div className="flex flex-wrap items-baseline gap-x-3">
            <span className="tabular-nums">{number.toLocaleString()}</span>
            <span>{message}</span>
            <code className="text-sm text-muted wrap-anywhere">{plain(example)}</code>
          </div>
        )}
      />
    </Part>
  )
}

function Counts({ checks, read }: { readonly checks: JobChecks; readonly read: () => Promise<Blob> }) {
  const { introduced, fixed, remaining, ignored, coverage, findings } = checks
  const isWhole = coverage.notJudged.length === 0
  const isBreaking = findings.some(({ state, severity }) => state === 'introduced' && severity === 'breaking')
  const others = [
    `${fixed} ${isWhole ? 'fixed' : 'no longer found'}`,
    remaining === null ? 'the rest of the site is still being checked' : `${remaining} remaining`,
    ...(ignored > 0 ? [`${ignored} ignored`] : []),
  ]
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <h2 className="font-semibold">Checks</h2>
      <Badge tone={introduced > 0 ? (isBreaking ? 'bad' : 'warn') : isWhole ? 'good' : 'neutral'}>
        {introduced > 0
          ? count(introduced, 'new problem')
          : `No new problems${isWhole ? '' : ' in what could be judged'}`}
      </Badge>
      <span className="text-sm text-muted tabular-nums">{others.join(' · ')}</span>
      <span className="ml-auto flex flex-wrap justify-end gap-2">
        <Download of="the new problems" format="SARIF" file="checks.sarif" read={read} />
      </span>
    </div>
  )
}

type PartProps = {
  readonly title: string
  readonly about?: string
  readonly className?: string
  readonly children: ReactNode
}

function Part({ title, about, className = '', children }: PartProps) {
  return (
    <div className={`border-t border-line px-4 pt-2.5 pb-1 ${className}`}>
      <div className="flex flex-wrap gap-x-2 text-sm">
        <h3 className="font-semibold">{title}</h3>
        {about !== undefined && <p className="text-muted">{about}</p>}
      </div>
      {children}
    </div>
  )
}

function Note({ path, line, message }: ReviewNote) {
  return (
    <p className="wrap-anywhere">
      <PlaceLink path={path} line={line} /> <bdi>{plain(message)}</bdi>
    </p>
  )
}

function Loss({ path, headings, codeBlocks, fields, words }: PageLoss) {
  return (
    <div className="flex flex-col gap-1">
      <p className="wrap-anywhere">
        <PlaceLink path={path} line={null} /> {words !== null && wordsLost(words)}
      </p>
      <LostTexts name={count(headings.length, 'heading')} texts={headings} />
      <LostTexts name={count(codeBlocks.length, 'code block')} texts={codeBlocks} />
      <LostTexts name={count(fields.length, 'field of the frontmatter', 'fields of the frontmatter')} texts={fields} />
    </div>
  )
}

const mostTexts = 10

function LostTexts({ name, texts }: { readonly name: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null
  const more = texts.length - mostTexts
  return (
    <p className="text-sm wrap-anywhere">
      <span className="text-muted">{name}: </span>
      {texts.slice(0, mostTexts).map((text, index) => (
        // eslint-disable-next-line no-array-index-key -- a page may lose the same text twice
        <span key={`${index} ${text}`}>
          {index > 0 && ', '}
          <code className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">{plain(text)}</code>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </p>
  )
}

type FoldedProps = { readonly title: string; readonly findings: readonly Finding[]; readonly total: number }

function Folded({ title, findings, total }: FoldedProps) {
  if (total === 0) return null
  return (
    <details className="border-t border-line px-4 py-2">
      <summary className="cursor-pointer text-sm">{title}</summary>
      <ReviewList name={title} items={findings} total={total} render={(finding) => <FindingLine finding={finding} />} />
    </details>
  )
}
