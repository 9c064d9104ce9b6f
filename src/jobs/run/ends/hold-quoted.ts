// Holds a change that would show a part of a private source in documentation that is public, or may be: the run ends with a
// question, and nothing leaves the service. A person may answer with the code of exactly these places, which publishes them.

import { createHash } from 'node:crypto'
import { inlineCode } from '../../../lib/plain-text.ts'
import { mapStrings } from '../../../lib/outbound/map-strings.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import { loadMessages } from '../../review/branch-history.ts'
import { findPrivate, openSources } from '../../sources/open.ts'
import { findQuoted, mayQuote, type Quoted } from '../../sources/quoted.ts'
import type { Checked } from '../check.ts'
import type { RunPart } from '../context.ts'
import type { Asked } from './record.ts'

const shownPlaces = 20
/** The first digits of a SHA-256, in hexadecimal. */
const codeLength = 12

/** Undefined: the change may be published. Otherwise the question is stored as the finish of the run. */
export async function holdQuoted(
  context: LeasedRun & RunPart<'job' | 'repository', 'db' | 'git' | 'redactor'>,
  checked: Checked,
): Promise<Asked | undefined> {
  const { deps, job, repository, run, signal } = context
  if (checked.edits.length === 0 || checked.sources.length === 0) return undefined
  const changes = await changesOf(context, checked)
  if (!mayQuote(changes)) return undefined
  const isPublic = await repository.isPublic(signal)
  if (isPublic === false) return undefined
  const hidden = await findPrivate(deps.git, checked.sources, signal)
  const sources = checked.sources.filter(({ name }) => hidden.has(name))
  const { present } = await openSources(deps.git, sources)
  const quoted = await findQuoted(changes, present, signal)
  if (quoted.length === 0) return undefined
  const code = codeOf(quoted)
  const history = { db: deps.db, jobId: job.id, branch: checked.branch, upTo: run.number }
  const isAllowed = new RegExp(String.raw`\bpublish ${code}\b`, 'i')
  if ((await loadMessages(history)).some((prompt) => isAllowed.test(prompt))) return undefined
  const finish = mapStrings(
    { kind: 'question', question: sayQuoted(quoted, code, isPublic) } as const,
    deps.redactor.redact,
  )
  await writeAsRun(context, async (trx) => {
    await trx
      .updateTable('runs')
      .set({ finish: JSON.stringify(finish) })
      .where('id', '=', run.id)
      .execute()
  })
  return { finish, change: null }
}

async function changesOf({ repository }: RunPart<'repository', never>, { start, edits }: Checked) {
  const tree = await repository.tree(start)
  const decoder = new TextDecoder()
  const changes = edits.filter(({ content }) => content !== null && !content.subarray(0, 8_000).includes(0))
  return await Promise.all(
    changes.map(async ({ path, content }) => {
      const before = tree.entry(path)?.kind === 'file' ? await tree.read(path) : undefined
      return { path, before: decoder.decode(before), after: decoder.decode(content ?? undefined) }
    }),
  )
}

/** The same for the same lines and names, wherever they are. */
function codeOf(quoted: readonly Quoted[]): string {
  const facts = quoted.map((one) =>
    [one.path, one.source, one.sourcePath, 'host' in one ? one.host : one.lines].join('\n'),
  )
  return createHash('sha256').update(facts.toSorted().join('\n\n')).digest('hex').slice(0, codeLength)
}

function sayQuoted(quoted: readonly Quoted[], code: string, isPublic: true | undefined): string {
  const places = quoted.slice(0, shownPlaces).map((one) => {
    const what = 'host' in one ? `the internal host name ${inlineCode(one.host)}` : `${one.lines} lines, which are`
    const place = inlineCode(`@${one.source}/${one.sourcePath}`)
    return `- ${inlineCode(one.path)} from line ${one.line}: ${what} in ${place} from line ${one.sourceLine}`
  })
  const more = quoted.length > shownPlaces ? [`- and ${quoted.length - shownPlaces} more`] : []
  return [
    `${isPublic ? 'The documentation is public' : 'The documentation may be public'}, and the change repeats parts of a private source:`,
    [...places, ...more].join('\n'),
    `Nothing is published. Say what to write instead, or answer with \`publish ${code}\` to publish these places as they are.`,
  ].join('\n\n')
}
