// Draws the chart: the grid, the bars of other tools, the stacked bars, the dates below them, and the interval under the cursor.

import { BarStack } from '@visx/shape'
import { type Behind, bottom, height, type Layout, lineOf, type Point } from './layout.ts'

const colours = { human: 'fill-human', ai: 'fill-ai' } as const
const keys = ['human', 'ai'] as const
/** Half of the longest date. */
const halfDate = 22

type Props = {
  readonly points: readonly Point[]
  readonly layout: Layout
  readonly width: number
  readonly cursor: number | undefined
  readonly tick: (date: string) => string
  readonly isOpen: boolean
  readonly behind: Behind
  /** The places of marks. */
  readonly marked: readonly number[]
}

export function Bars({ points, layout, width, cursor, tick, isOpen, behind, marked }: Props) {
  const { x, y } = layout
  const chosen = cursor === undefined ? undefined : points[cursor]
  return (
    <svg width={width} height={height} aria-hidden className="block">
      {chosen && (
        <rect
          x={(x(chosen.date) ?? 0) - (x.step() - x.bandwidth()) / 2}
          width={x.step()}
          height={height - bottom}
          className="fill-sunken"
        />
      )}
      <Grid layout={layout} width={width} />
      <Earlier points={points} x={x} y={y} />
      <BarStack
        data={[...points]}
        keys={[...keys]}
        x={({ date }) => date}
        xScale={x}
        yScale={y}
        color={(key) => colours[key]}
      >
        {(stacks) =>
          stacks.flatMap(({ key, bars }) =>
            bars
              .filter((bar) => bar.height > 0)
              .map((bar) => (
                <rect
                  key={`${key}${bar.index}`}
                  x={bar.x}
                  y={bar.y}
                  width={bar.width}
                  // One pixel of ground between the two.
                  height={key === 'human' ? bar.height : Math.max(1, bar.height - 1)}
                  className={`${bar.color} ${isOpen && bar.index === points.length - 1 ? 'opacity-60' : ''}`}
                />
              )),
          )
        }
      </BarStack>
      {marked.map((place) => (
        <line
          key={place}
          x1={place}
          x2={place}
          y1={24}
          y2={height - bottom}
          strokeDasharray="2 3"
          className="stroke-strong-line"
        />
      ))}
      {lineOf(points, behind, layout).map((part) => (
        <Line key={part[0]?.x} part={part} />
      ))}
      <Dates {...{ layout, width, tick }} />
    </svg>
  )
}

type EarlierProps = Pick<Props, 'points'> & Pick<Layout, 'x' | 'y'>

/** The bars of another tool, where nothing was measured here. */
function Earlier({ points, x, y }: EarlierProps) {
  return points.map(
    ({ date, earlier }) =>
      earlier &&
      earlier.visitors > 0 && (
        <rect
          key={date}
          x={x(date)}
          y={y(earlier.visitors)}
          width={x.bandwidth()}
          height={height - bottom - y(earlier.visitors)}
          className="fill-strong-line"
        />
      ),
  )
}
/** On a halo of the ground, so that it shows over bars, too. */
function Line({ part }: { readonly part: ReturnType<typeof lineOf>[number] }) {
  const [only] = part
  if (part.length === 1 && only) return <circle cx={only.x} cy={only.y} r={3} className="fill-text stroke-ground" />
  const line = part.map(({ x, y }) => `${x},${y}`).join(' ')
  return (
    <g fill="none" strokeLinejoin="round">
      <polyline points={line} strokeWidth={4} className="stroke-ground" />
      <polyline points={line} strokeWidth={1.5} className="stroke-text" data-compared />
    </g>
  )
}

type Part = Pick<Props, 'layout' | 'width'>

function Grid({ layout: { ticks, left }, width }: Part) {
  return ticks.map(({ value, text, y: line }) => (
    <g key={value}>
      <line x1={left} x2={width} y1={line} y2={line} className="stroke-line" />
      <text x={left - 6} y={line + 4} textAnchor="end" className="fill-muted text-[11px]">
        {text}
      </text>
    </g>
  ))
}

function Dates({ layout: { labels }, width, tick }: Part & Pick<Props, 'tick'>) {
  return labels.map(({ date, x: middle }) => (
    <text
      key={date}
      x={Math.min(middle, width - halfDate)}
      y={height - 7}
      textAnchor="middle"
      className="fill-muted text-[11px]"
    >
      {tick(date)}
    </text>
  ))
}
