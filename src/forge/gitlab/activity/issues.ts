// Reads the new comments on the issues of one project on GitLab: those of each issue that changed, because no list of the project
// has them. Confidential issues are left out: an answer there would be for people who may see them.

import { z } from 'zod'
import { type Entry, entryText, type Marks, overlapping, type Read } from '../../activity/activity.ts'
import { parseReply } from '../../parse.ts'
import { instant, pullNumber } from '../../reply/shapes.ts'
import type { GitLab } from '../gitlab.ts'
import { ask, authorOf, type Note, pageOf, readChanges, toMillis } from './notes.ts'

const pageSize = 20
/** Each issue costs a request. The rest of a flood is read in the next look. */
const mostPages = 5

const issuesSchema = z.array(
  z.object({
    iid: pullNumber,
    updated_at: instant,
    confidential: z.boolean().nullish(),
    user_notes_count: z.int().nonnegative().nullish(),
  }),
)
type Issue = z.infer<typeof issuesSchema>[number]

/** A comment changes the time of its issue. */
export async function readIssues(gitlab: GitLab, marks: Marks, signal: AbortSignal): Promise<Read> {
  const since = marks['issues']?.since ?? ''
  const { issues, isWhole } = await readChanged(gitlab, since, signal)
  const entries: Entry[] = []
  for (const issue of issues) {
    if (issue.confidential === true || issue.user_notes_count === 0) continue
    const place = `issues/${issue.iid}`
    const { notes } = await readChanges(gitlab, { place, mark: { since } }, signal)
    entries.push(...notes.flatMap((note) => fromNote(gitlab, issue, note, since)))
  }
  const last = issues.at(-1)?.updated_at
  const next = last === undefined ? since : isWhole ? toMillis(overlapping(last)) : last
  return { entries, marks: { issues: { since: next } }, off: [] }
}

/** The oldest change first, so what is left is newer. */
async function readChanged(gitlab: GitLab, since: string, signal: AbortSignal) {
  const issues: Issue[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const after = since === '' ? {} : { updated_after: since }
    const query = { ...after, scope: 'all', order_by: 'updated_at', sort: 'asc', per_page: pageSize, page }
    const rows = parseReply(await ask(gitlab, 'issues', { query }, signal), issuesSchema, gitlab.asked.read)
    issues.push(...rows)
    if (rows.length < pageSize) return { issues, isWhole: true }
  }
  return { issues, isWhole: false }
}

/** An older one was edited. */
function fromNote(gitlab: GitLab, { iid }: Issue, note: Note, since: string): readonly Entry[] {
  if (note.system || note.created_at < since) return []
  return [
    {
      kind: 'comment',
      forgeId: String(note.id),
      number: iid,
      author: authorOf(note.author),
      at: note.created_at,
      text: entryText(note.body),
      path: null,
      line: null,
      link: `${pageOf(gitlab, `issues/${iid}`)}#note_${note.id}`,
      state: null,
      isIssue: true,
    },
  ]
}
