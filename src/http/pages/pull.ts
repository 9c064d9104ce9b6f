// Renders the page of one of Docent's own pull requests. Everything on it comes from a model, a repository or another
// person, so it is escaped or made safe before, and characters that could deceive the reader are shown by name.

import { html, raw } from 'hono/html'
import type { PullNow, PullPage } from '../../forge/own/response.ts'
import { nameTricky, shorten } from '../../lib/plain-text.ts'
import { hiddenFromSearch, type Html, layout } from './page.ts'
import { parsePatch, type Row } from './patch.ts'
import { visible } from './visible.ts'

type FileDiff = PullPage['files'][number]

/** Browsers display this many rows without trouble. `git diff` shows the whole change. */
export const maxRows = 5_000
export const maxRowsOfFile = 2_000
export const maxLineLength = 4_000

const maxConflicts = 10

const states = { open: 'Open', merged: 'Merged', closed: 'Closed' } as const
const signs = { hunk: '', context: ' ', added: '+', deleted: '-', remark: '' } as const

type Shown = Pick<PullPage, 'project' | 'files'> & {
  readonly pull: PullNow
  readonly texts: SafeTexts
  /** The same in the dashboard, where people sign in. Undefined: it is not built. */
  readonly dashboard?: string | undefined
}

/** HTML that executes nothing and loads nothing, made of the Markdown of each part; an empty part is left out. */
export type SafeTexts = { readonly note: string; readonly text: string; readonly facts: string }

export function renderPull({ pull, project, texts, files, dashboard }: Shown, href: string): Html {
  const body = html`<main>
    <header>
      <p class="quiet">${visible(project)}</p>
      <h1>${visible(pull.title)} <span class="quiet">#${pull.number}</span></h1>
      <p class="facts">
        <span class="badge ${pull.state}">${pull.draft ? 'Draft' : states[pull.state]}</span>
        <code>${visible(pull.branch)}</code> <span aria-label="into">→</span> <code>${visible(pull.base)}</code>
        <span class="quiet">at <code>${pull.headCommit.slice(0, 10)}</code> · ${dateOf(pull.updatedAt)}</span>
      </p>
      ${renderBehind(pull)}
      ${dashboard === undefined ? '' : html`<p class="facts"><a href="${dashboard}">Comment or merge in the dashboard</a></p>`}
    </header>
    ${renderText('Note', 'text warning', texts.note)} ${renderText('Description', 'text', texts.text)}
    ${renderText('Facts', 'text', texts.facts)} ${renderList(files)} ${renderFiles(files)}
  </main>`
  const title = `${nameTricky(pull.title)} · ${nameTricky(project)}`
  return layout({ title, href, head: hiddenFromSearch(), body })
}

function renderText(label: string, name: string, safe: string): Html | '' {
  return safe === '' ? '' : html`<section aria-label="${label}" class="${name}">${raw(safe)}</section>`
}

function renderBehind({ base, behind }: PullNow): Html | '' {
  if (behind === null) return ''
  const { commits, conflicts, checkedAt } = behind
  const as = html`<span class="quiet">as of ${dateOf(checkedAt)}</span>`
  if (commits === 0) return html`<p class="facts">Up to date with <code>${visible(base)}</code> ${as}</p>`
  const count = commits === 1 ? 'has 1 commit' : `has ${commits} commits`
  const shown = conflicts.slice(0, maxConflicts)
  const more = conflicts.length > shown.length ? ' and more' : ''
  const names = shown.map((path, index) => html`${index === 0 ? '' : ', '}<code>${visible(path)}</code>`)
  return html`<p class="facts">
    <code>${visible(base)}</code> ${count} that this branch does not have;
    ${shown.length === 0 ? 'they can be merged' : html`conflicts in ${names}${more}`} ${as}
  </p>`
}

function dateOf(time: string): Html {
  return html`<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>`
}

function renderList(files: readonly FileDiff[]): Html {
  if (files.length === 0) return html`<p class="quiet">This pull request changes nothing.</p>`
  const additions = files.reduce((sum, file) => sum + file.additions, 0)
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0)
  return html`<nav aria-label="Files">
    <h2>${files.length} ${files.length === 1 ? 'file' : 'files'} ${counts(additions, deletions)}</h2>
    <ul>
      ${files.map(
        (file, index) =>
          html`<li>
            <a href="#file-${index + 1}">${visible(file.path)}</a> ${file.status === 'modified' ? '' : tag(file)}
            ${file.binary ? html`<span class="quiet">binary</span>` : counts(file.additions, file.deletions)}
          </li>`,
      )}
    </ul>
  </nav>`
}

function renderFiles(files: readonly FileDiff[]): readonly Html[] {
  const room = { rows: maxRows }
  return files.map((file, index) => {
    const rows = parsePatch(file.patch)
    const shown = rows.slice(0, Math.min(room.rows, maxRowsOfFile))
    room.rows -= shown.length
    return html`<section class="file" id="file-${index + 1}">
      <h3>
        <a href="#file-${index + 1}">${visible(file.path)}</a>
        ${file.status === 'modified' ? '' : tag(file)} ${file.binary ? '' : counts(file.additions, file.deletions)}
      </h3>
      ${file.previousPath === null ? '' : html`<p class="note">Renamed from ${visible(file.previousPath)}</p>`}
      ${shown.length === 0 ? '' : renderRows(shown)} ${note(file, rows.length, rows.length - shown.length)}
    </section>`
  })
}

function renderRows(rows: readonly Row[]): Html {
  return html`<table>
    <thead class="unseen">
      <tr>
        <th>Line before</th>
        <th>Line after</th>
        <th>Text</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ kind, before, after, text }) =>
          html`<tr class="${kind}">
            <td>${before ?? ''}</td>
            <td>${after ?? ''}</td>
            <td><i>${signs[kind]}</i>${visible(cut(text))}</td>
          </tr> `,
      )}
    </tbody>
  </table>`
}

function cut(text: string): string {
  if (text.length <= maxLineLength) return text
  return `${shorten(text, maxLineLength)} and ${text.length - maxLineLength} more characters`
}

function note(file: FileDiff, all: number, hidden: number): Html | '' {
  const lines = (count: number) => (count === 1 ? 'line' : 'lines')
  if (file.binary) return html`<p class="note">Binary file: not shown.</p>`
  if (hidden > 0) return html`<p class="note">${hidden} more ${lines(hidden)} of this diff are not shown here.</p>`
  if (all > 0) return ''
  if (file.additions + file.deletions > 0) return html`<p class="note">Too large to be shown here.</p>`
  return html`<p class="note">${file.status === 'renamed' ? 'Renamed without changes.' : 'No lines to show.'}</p>`
}

function tag(file: FileDiff): Html {
  return html`<span class="tag ${file.status}">${file.status}</span>`
}

function counts(additions: number, deletions: number): Html {
  return html`<span class="counts"><ins>+${additions}</ins> <del>−${deletions}</del></span>`
}
