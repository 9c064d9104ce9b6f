// A line of small bars: the shape of a few days, without numbers. The numbers are beside it.

const height = 24
const step = 8
const gap = 2
const width = step - gap

export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(1, ...values)
  const bars = values.map((value, index) => {
    const tall = Math.max(1, Math.round((value / most) * height))
    return `M${index * step} ${height}v-${tall}h${width}v${tall}z`
  })
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${values.length * step - gap} ${height}`}
      preserveAspectRatio="xMaxYMax"
      className="h-6 w-16 shrink-0 fill-accent"
    >
      <path d={bars.join('')} />
    </svg>
  )
}
