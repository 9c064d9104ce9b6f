// Renders the part of Markdown that our descriptions use: paragraphs, tables and `code`. Everything else is text.

import { html } from 'hono/html'
import type { Html } from './page.ts'

/** With `anchors`, each table row that has an error code gets the anchor `#code-<code>`. */
export function renderProse(
  text: string,
  options: { readonly anchors: boolean } = { anchors: false },
): readonly Html[] {
  return text
    .split(/\n\n+/)
    .map((block) => (block.startsWith('|') ? renderTable(block, options.anchors) : paragraph(block)))
}

export function renderInline(text: string): readonly (Html | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))
}

function paragraph(block: string): Html {
  return html`<p>${renderInline(block)}</p>`
}

function renderTable(block: string, anchors: boolean): Html {
  const [head = [], , ...rows] = block.split('\n').map(toCells)
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          ${head.map((cell) => html`<th>${renderInline(cell)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr ${anchors ? anchorOf(cells) : ''}>
              ${cells.map((cell) => html`<td>${renderInline(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function anchorOf(cells: readonly string[]): Html | '' {
  const code = cells.map((cell) => /^`([a-z_]+)`$/.exec(cell)?.[1]).find((name) => name !== undefined)
  return code === undefined ? '' : html`id="code-${code}"`
}

function toCells(row: string): readonly string[] {
  return row.replace(/^\| ?| ?\|$/g, '').split(' | ')
}
