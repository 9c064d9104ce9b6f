// Draws plots with two lines each, side by side, as SVG that is readable on light and dark backgrounds. Both axes are
// logarithmic, and all plots have the same vertical one. Pure.

export type Point = { readonly x: number; readonly label: string; readonly counters: number; readonly rows: number }
/** Its points go from left to right; `given` says what stays the same. */
export type Plot = { readonly title: string; readonly given: string; readonly points: readonly Point[] }

const [plotWidth, plotHeight, left, top] = [230, 200, 76, 64] as const
const step = plotWidth + 96
const height = top + plotHeight + 44

const style = `<style>
    .paper { fill: #ffffff } text { fill: #24292f } .grid { stroke: #d8dee4 } .line { fill: none; stroke-width: 2.5 }
    .rows { stroke: #b35900 } .counters { stroke: #0a6dc2 } text.rows { fill: #b35900 } text.counters { fill: #0a6dc2 }
    .dot.rows { fill: #b35900 } .dot.counters { fill: #0a6dc2 } text.rows, text.counters { stroke: none; font-weight: 600 }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117 } text { fill: #e6edf3 } .grid { stroke: #30363d }
      .rows { stroke: #f0a35e } .counters { stroke: #6cb6ff } text.rows { fill: #f0a35e } text.counters { fill: #6cb6ff }
      .dot.rows { fill: #f0a35e } .dot.counters { fill: #6cb6ff }
    }
  </style>`

/** `name` describes the picture to people who do not see it. */
export function drawPlots(name: string, plots: readonly Plot[]): string {
  const times = plots.flatMap(({ points }) => points.flatMap(({ counters, rows }) => [counters, rows]))
  const first = Math.floor(Math.log10(Math.min(...times)))
  const last = Math.ceil(Math.log10(Math.max(...times)))
  const width = step * plots.length + 12
  const parts = plots.map((plot, at) => drawPlot(plot, left + at * step, [first, last]))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${name}">
  ${style}
  <rect class="paper" width="${width}" height="${height}"/>
${parts.join('\n')}
</svg>
`
}

function drawPlot({ title, given, points }: Plot, x0: number, [first, last]: readonly [number, number]): string {
  const [low = 1, high = 1] = [points[0]?.x, points.at(-1)?.x]
  const toX = (x: number) => round(x0 + (Math.log(x / low) / Math.log(high / low)) * plotWidth)
  const toY = (ms: number) => round(top + ((last - Math.log10(ms)) / (last - first)) * plotHeight)
  const decades = Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at))
  const grid = decades.map(
    (ms) => `<line class="grid" x1="${x0}" x2="${x0 + plotWidth}" y1="${toY(ms)}" y2="${toY(ms)}"/>
    <text x="${x0 - 6}" y="${toY(ms) + 4}" text-anchor="end">${ms.toLocaleString('en')} ms</text>`,
  )
  const labels = points.map(
    ({ x, label }) => `<text x="${toX(x)}" y="${top + plotHeight + 20}" text-anchor="middle">${label}</text>`,
  )
  const lines = (['rows', 'counters'] as const).map((kind) => {
    const path = points.map((point, at) => `${at === 0 ? 'M' : 'L'}${toX(point.x)} ${toY(point[kind])}`).join(' ')
    const dots = points.map(
      (point) => `<circle class="dot ${kind}" cx="${toX(point.x)}" cy="${toY(point[kind])}" r="3"/>`,
    )
    const end = points.at(-1)
    const above = round(toY(end?.[kind] ?? 1) - 10)
    return `<path class="line ${kind}" d="${path}"/>
    ${dots.join('')}
    <text class="${kind}" x="${x0 + plotWidth}" y="${above}" text-anchor="end">${kind}</text>`
  })
  return `  <g>
    <text x="${x0}" y="28" font-weight="600">${title}</text>
    <text x="${x0}" y="46">${given}</text>
    ${[...grid, ...labels, ...lines].join('\n    ')}
  </g>`
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10
}
