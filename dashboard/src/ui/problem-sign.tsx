// A small sign in lists: how many new problems the checks of a job found. Nothing for a job without any.

type Props = { readonly checks: { readonly introduced: number } | null }

export function ProblemSign({ checks }: Props) {
  if (checks === null || checks.introduced === 0) return null
  const words = `${checks.introduced} new ${checks.introduced === 1 ? 'problem' : 'problems'}`
  return (
    <span className="text-warn tabular-nums" title={words}>
      <span aria-hidden>⚠ {checks.introduced}</span>
      <span className="sr-only">{words}</span>
    </span>
  )
}
