// Reads pages outside of the repository for one run, within its rules (`judge.ts`) and its number. The count and the links that
// may be followed are in the stored results, so they are the same when the run continues elsewhere.

import type { AskedPage, PageAnswer, Pages } from '../../../agent/pages.ts'
import type { Turn } from '../../../agent/transcript.ts'
import { parsePage } from '../../../docs-syntax/markdown.ts'
import type { DiscussionKey, Discussions } from '../../../forge/discussion/discussion.ts'
import { Failure } from '../../../lib/failure.ts'
import { getPage, type GotPage, pageLimits } from '../../../lib/outbound/pages/get-page.ts'
import { isBelow, parsePageAddress } from '../../../lib/outbound/pages/page-address.ts'
import { startOf } from '../../../lib/plain-text.ts'
import type { ProjectRow } from '../../../postgres/schema.ts'
import type { RunPart } from '../context.ts'
import { describeDiscussion, nameDiscussion } from './discussion-text.ts'
import { findDocsLinks } from './docs-links.ts'
import { createJudge, type Judge, type PageSettings } from './judge.ts'
import { toPageText } from './page-text.ts'
import { loadWrittenAddresses } from './written.ts'

export const mostPagesOfRun = 20
/** The most links of one page that are stored, below the allowed prefixes. */
const mostLinks = 300

type Given = {
  /** The commit of the base. */
  readonly base: string
  /** The stored turns of the run. */
  readonly turns: readonly Turn[]
  readonly hasReadPrivate: () => Promise<boolean>
}

type Context = RunPart<'job' | 'project' | 'repository', 'db' | 'hostOf' | 'pages'>

export function createPages(context: Context, { base, turns, hasReadPrivate }: Given): Pages {
  const { deps, job, project, repository } = context
  const settings = pageSettingsOf(project)
  const fetched = turns.flatMap(({ results = [] }) => results.flatMap(({ facts }) => facts?.fetched ?? []))
  const links = new Set(fetched.flatMap((page) => page.links ?? []))
  const written = () => loadWrittenAddresses(deps.db, job.id)
  let count = fetched.length
  let docs: Promise<ReadonlySet<string>> | undefined
  const findDocs = async (signal: AbortSignal) => findDocsLinks(await repository.tree(base), settings.prefixes, signal)
  return {
    // A run that has read a page keeps the tool, whatever the settings are by then.
    mayRead: async () => {
      if (settings.addresses.length + settings.prefixes.length + count > 0) return true
      return (await written()).length > 0
    },
    read: async (address, signal) => {
      const url = parsePageAddress(address)
      if (!url) return refused('`url` must be a whole address that begins with https://, without a user name')
      const linked = async () => [...(await (docs ??= findDocs(signal))), ...links]
      const judge = createJudge({ settings, written, linked, hasReadPrivate })
      const reason = await judge.refuse(url)
      if (reason !== undefined) return refused(reason)
      if (count >= mostPagesOfRun) return refused(`this run has read ${mostPagesOfRun} pages, which is the most`)
      count += 1
      const answer = await request(context, { url, judge, settings }, signal)
      if (answer.kind === 'page') for (const link of answer.links) links.add(link)
      return answer
    },
  }
}

/** A setting that was never stored is the default. */
export function pageSettingsOf({ pages }: Pick<ProjectRow, 'pages'>): PageSettings {
  const { addresses = [], prefixes = [] } = JSON.parse(pages) as Partial<PageSettings>
  return { addresses, prefixes }
}

function refused(reason: string): PageAnswer {
  return { kind: 'refused', reason }
}

type Allowed = { readonly url: URL; readonly judge: Judge; readonly settings: PageSettings }

/** The forge shows its own pages over its API; they often need the credential. */
async function request(context: Context, allowed: Allowed, signal: AbortSignal): Promise<PageAnswer> {
  const { url, judge } = allowed
  const discussions = await discussionsOf(context, signal)
  const key = discussions?.keyOf(url)
  if (discussions && key) return await readDiscussion(discussions, { ...allowed, key }, signal)
  const got = await getPage({ url, refuseRedirect: judge.refuseRedirect }, context.deps.pages, signal)
  return toAnswer(got, allowed)
}

/** A credential that is missing or refused is the matter of other steps. */
async function discussionsOf({ deps, project }: Context, signal: AbortSignal): Promise<Discussions | undefined> {
  try {
    return (await deps.hostOf(project.id, signal))?.discussions
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

function toAnswer(got: GotPage, { url, settings }: Allowed): PageAnswer {
  const { href: address } = url
  if (got.kind === 'failed')
    return { kind: 'failed', asked: { address, status: got.status, bytes: 0 }, reason: got.reason }
  const { status, headers, body } = got
  const asked: AskedPage = { address, status, bytes: body.byteLength }
  if (status < 200 || status > 299) return { kind: 'failed', asked, reason: `the host responded with status ${status}` }
  const page = toPageText({
    address: got.url.href,
    type: headers['content-type'],
    encoding: headers['content-encoding'],
    bytes: body,
  })
  if ('problem' in page) return { kind: 'failed', asked, reason: page.problem }
  const moved = got.url.href === address ? '' : `, redirected to ${got.url.href}`
  const title = page.title === '' ? '' : `; its title: ${JSON.stringify(startOf(page.title, 300))}`
  const empty = page.text.trim() === '' ? '; it has no text: a script may fill it' : ''
  const head = `${address}${moved}: status ${status}, ${asked.bytes} bytes, ${page.kind}${title}${empty}`
  return { kind: 'page', asked, head, text: page.text, links: followable(page.links, settings) }
}

type AskedDiscussion = Allowed & { readonly key: DiscussionKey }

async function readDiscussion(
  discussions: Discussions,
  { url, key, settings }: AskedDiscussion,
  signal: AbortSignal,
): Promise<PageAnswer> {
  const { href: address } = url
  const failed = (status: number | null, reason: string): PageAnswer => {
    return { kind: 'failed', asked: { address, status, bytes: 0 }, reason }
  }
  const deadline = AbortSignal.timeout(pageLimits.deadlineMs)
  try {
    const found = await discussions.read(key, AbortSignal.any([signal, deadline]))
    if (!found)
      return failed(404, 'there is no such page on the forge, or the credential of the project may not read it')
    const text = describeDiscussion(found)
    const asked = { address, status: 200, bytes: Buffer.byteLength(text) }
    const head = `${address}: ${nameDiscussion(found)}, from the API of the forge`
    const links = parsePage('page.md', text).links.map((link) => link.url)
    return { kind: 'page', asked, head, text, links: followable(links, settings) }
  } catch (error) {
    signal.throwIfAborted()
    if (deadline.aborted) return failed(null, `the forge did not respond in ${pageLimits.deadlineMs / 1000} seconds`)
    if (error instanceof Failure) return failed(null, error.message.replace(/\.$/, ''))
    throw error
  }
}

/** The links that lead below an allowed prefix, in normal form. */
function followable(links: readonly string[], { prefixes }: PageSettings): readonly string[] {
  const found = new Set<string>()
  for (const link of prefixes.length === 0 ? [] : links) {
    const url = parsePageAddress(link)
    if (url && prefixes.some((prefix) => isBelow(prefix, url))) found.add(url.href)
    if (found.size === mostLinks) break
  }
  return [...found]
}
