// The totals of a range, with the change against as many days before.

type Counts = { readonly human: number; readonly ai: number; readonly total: number }
type Props = { readonly now: Counts; readonly earlier: Counts | undefined }

const numbers = new Intl.NumberFormat('en')
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })

const parts = [
  { key: 'total', name: 'All visitors' },
  { key: 'human', name: 'Humans' },
  { key: 'ai', name: 'AI' },
] as const

export function Totals({ now, earlier }: Props) {
  return (
    <dl className="mb-5 grid grid-cols-3 gap-3">
      {parts.map(({ key, name }) => (
        <div key={key} className="rounded-lg border border-line px-4 py-3">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-2xl font-semibold tabular-nums">{numbers.format(now[key])}</dd>
          <dd className="text-sm text-muted">{earlier === undefined ? ' ' : change(now[key], earlier[key])}</dd>
        </div>
      ))}
    </dl>
  )
}

/** `+12.5% (was 80)`; without a percentage after nothing. */
export function change(now: number, earlier: number): string {
  if (now === earlier) return 'as before'
  return earlier === 0 ? `was ${earlier}` : `${percent.format(now / earlier - 1)} (was ${numbers.format(earlier)})`
}
