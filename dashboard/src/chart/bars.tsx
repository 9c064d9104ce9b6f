// Draws the chart: the grid, the bars of other tools, the stacked bars, the dates below them, and the interval under the cursor.

import { BarStack } from '@visx/shape'
import { bottom, height, type Layout, type Point } from './layout.ts'

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
}

export function Bars({ points, layout: { x, y, ticks, left, labels }, width, cursor, tick, isOpen }: Props) {
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
      {ticks.map(({ value, text, y: line }) => (
        <g key={value}>
          <line x1={left} x2={width} y1={line} y2={line} className="stroke-line" />
          <text x={left - 6} y={line + 4} textAnchor="end" className="fill-muted text-[11px]">
            {text}
          </text>
        </g>
      ))}
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
      {labels.map(({ date, x: middle }) => (
        <text
          key={date}
          x={Math.min(middle, width - halfDate)}
          y={height - 7}
          textAnchor="middle"
          className="fill-muted text-[11px]"
        >
          {tick(date)}
        </text>
      ))}
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
