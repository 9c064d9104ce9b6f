// A line of small bars: the shape of a few days, without numbers. The numbers are beside it.

export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(1, ...values)
  return (
    <svg aria-hidden viewBox={`0 0 ${values.length * 8} 24`} className="h-6 w-16 shrink-0 fill-accent">
      {values.map((value, index) => {
        const height = Math.max(1, (value / most) * 24)
        return <rect key={index} x={index * 8} y={24 - height} width={6} height={height} rx={1} />
      })}
    </svg>
  )
}
