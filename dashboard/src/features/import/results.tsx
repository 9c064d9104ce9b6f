// The state of an import: how far it is, and for each log how many lines became page views and why the others did not.

import { Badge } from '../../ui/badge.tsx'
import type { Progress, ReadLog } from './protocol.ts'

const number = new Intl.NumberFormat('en')
const megabytes = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 })

export function ProgressLine({ progress }: { readonly progress: Progress | undefined }) {
  if (progress === undefined) return <p className="text-sm text-muted">Starts …</p>
  const { name, bytesRead, size, lines, accepted } = progress
  return (
    <div className="flex flex-col gap-1">
      <progress
        aria-label={`Progress of ${name}`}
        value={Math.min(bytesRead, size)}
        max={Math.max(size, 1)}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
      <p className="text-sm break-words text-muted tabular-nums">
        {name}: {megabytes.format(bytesRead / 1e6)} of {megabytes.format(size / 1e6)} MB, {number.format(lines)} lines,{' '}
        {number.format(accepted)} page views
      </p>
    </div>
  )
}

export function LogResult({ log }: { readonly log: ReadLog }) {
  const { name, format, lines, linesBefore, accepted, rejected, before, isDamaged } = log
  return (
    <section aria-label={name} className="rounded-lg border border-line">
      <h3 className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2 font-medium break-all">
        {name} {format !== undefined && <Badge>{format}</Badge>}
      </h3>
      <dl className="divide-y divide-line">
        <Row name="Lines" count={lines} />
        {before > 0 && <Row name="Imported before" count={linesBefore} />}
        <Row name="Page views" count={accepted} />
        {rejected.map(({ reason, words, count, examples }) => (
          <Row key={reason} name="Left out" why={words} count={count} examples={examples} />
        ))}
      </dl>
      {format === undefined && <Note>The log is empty.</Note>}
      {before > 0 && <Note>This import began after the first {number.format(before)} bytes.</Note>}
      {isDamaged && <Note>The compressed data is damaged or cut off: everything before that was imported.</Note>}
    </section>
  )
}

function Note({ children }: { readonly children: React.ReactNode }) {
  return <p className="border-t border-line px-4 py-2 text-sm text-muted">{children}</p>
}

type RowProps = {
  readonly name: string
  readonly why?: string
  readonly count: number
  readonly examples?: readonly string[]
}

function Row({ name, why, count, examples }: RowProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-4 py-2">
      <dt>
        {name}
        {why !== undefined && <span className="text-muted">: {why}</span>}
      </dt>
      <dd className="tabular-nums">{number.format(count)}</dd>
      {examples !== undefined && examples.length > 0 && (
        <dd className="col-span-2">
          <details className="text-sm">
            <summary className="w-fit cursor-pointer text-muted hover:text-text">Examples</summary>
            {[...new Set(examples)].map((line) => (
              <pre key={line} tabIndex={0} className="mt-1 overflow-x-auto font-mono text-xs">
                {line}
              </pre>
            ))}
          </details>
        </dd>
      )}
    </div>
  )
}
