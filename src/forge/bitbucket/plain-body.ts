// Bitbucket shows comments of HTML, and nothing else of HTML. So a description has plain lines where a body has markers
// (`body.ts`), and what the markers hold besides (whose pull request it is, and the digests of what the service wrote) is
// in the database (`written.ts`). Pure.

import { digestOf, factsMarkers, hideMarkers, isEdited, jobOf, markersOf, normalise } from '../body.ts'

const blocks = ['note', 'lead', 'facts'] as const
type Block = (typeof blocks)[number]

const lines: Readonly<Record<Block, readonly [begin: string, end: string]>> = {
  note: ["Docent's note begins here.", "Docent's note ends here."],
  lead: ["Docent's summary begins here.", "Docent's summary ends here."],
  facts: ["Docent's facts begin here.", "Docent's facts end here."],
}
const allLines = new Set(Object.values(lines).flat())

/** The job whose pull requests a branch has, and the digests of the titles and texts that the service wrote into them. */
export type Written = { readonly jobId: string; readonly digests: ReadonlySet<string> }

export type Plain = {
  readonly description: string
  /** Undefined: not a body of a job. */
  readonly jobId: string | undefined
  /** The digest of the text, if the service wrote it. */
  readonly digest: string | undefined
}

/** `body`: with markers. Keeps what people wrote around them. */
export function toPlain(body: string): Plain {
  const markers = new Map(
    blocks.flatMap((block) => markersOf(block).map((marker, at) => [marker, lines[block][at] ?? ''] as const)),
  )
  const all = body.split('\n')
  const facts = all.findIndex((line) => line.startsWith('<!-- docent:facts '))
  const shown = all.flatMap((line, at) => {
    if (line.startsWith('<!-- docent:job=') || line.startsWith('<!-- docent:title ')) return []
    const marker = line.replace(/^(<!-- docent:facts) [0-9a-z]* -->$/, '$1 -->')
    const plain = markers.get(marker)
    if (plain !== undefined) return marker.startsWith('<!-- /') ? ['', plain] : [plain, '']
    // A line of somebody else that looks like one of ours: nobody sees the space, which makes it another line.
    if (allLines.has(line.trim())) return [`\u200b${line}`]
    return [facts >= 0 && at > facts ? unfold(line) : line]
  })
  const description = normalise(shown.join('\n'))
  return { description, jobId: jobOf(body), digest: isEdited(body) ? undefined : digestOf(textOf(description)) }
}

/** Returns the body with markers; a description that the service has not written, or whose lines are gone, as it is. */
export function fromPlain(shown: string, title: string, written: Written | undefined): string {
  const description = hideMarkers(shown)
  const found = written && split(description)
  if (!found) return description
  const { jobId, digests } = written
  const text = digestOf(textOf(description))
  const facts = factsMarkers({
    jobId,
    digest: digests.has(text) ? text : 'edited',
    titleDigest: digests.has(digestOf(title)) ? digestOf(title) : '',
  })
  return found
    .map(({ block, content }) => {
      if (block === undefined) return content
      const [begin, end] = block === 'facts' ? facts : markersOf(block)
      return `${begin}\n${content}\n${end}`
    })
    .filter((part) => part !== '')
    .join('\n\n')
}

type Part = { readonly block: Block | undefined; readonly content: string }

/** In order, empty ones too. Undefined: it has no facts. Takes linear time. */
function split(description: string): readonly Part[] | undefined {
  const all = description.split('\n').map((line) => line.trimEnd())
  const contentOf = (begin: number, end?: number) => normalise(all.slice(begin, end).join('\n'))
  const facts = find(all, 'facts', 0)
  if (!facts) return undefined
  const parts: Part[] = []
  let at = 0
  for (const block of ['note', 'lead', 'facts'] as const) {
    const found = block === 'facts' ? facts : find(all.slice(0, facts.begin), block, at)
    if (!found) continue
    parts.push({ block: undefined, content: contentOf(at, found.begin) })
    parts.push({ block, content: contentOf(found.begin + 1, found.end) })
    at = found.end + 1
  }
  return [...parts, { block: undefined, content: contentOf(at) }]
}

/** From the last line that begins it, because people may have quoted one before. */
function find(all: readonly string[], block: Block, from: number) {
  const [first, last] = lines[block]
  const start = all.indexOf(first, from)
  const end = start < 0 ? -1 : all.indexOf(last, start)
  return end < 0 ? undefined : { begin: all.lastIndexOf(first, end), end }
}

/** Everything before the facts that is in no block: the text of the model or of people. */
function textOf(description: string): string {
  const parts = split(description)
  if (!parts) return description
  const before = parts.slice(0, -1).filter(({ block }) => block === undefined)
  return normalise(before.map(({ content }) => content).join('\n\n'))
}

/** A folded list of the facts. */
function unfold(line: string): string {
  if (line === '</details>') return ''
  return line.replace(/^<details><summary>(.*)<\/summary>$/, '**$1:**')
}
