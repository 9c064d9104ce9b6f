// The tool `fetch_page`: a page outside of the repository as text. It changes no files. It is offered only in runs that have
// an address to read.

import { z } from 'zod'
import { showInvisible } from '../../../docs-syntax/text.ts'
import { startOf } from '../../../lib/plain-text.ts'
import { maxResultCharacters, type Tool, type ToolContext, type ToolResult } from '../../tool.ts'
import { readDescription, refuse } from '../result.ts'

const input = z.object({ url: z.string().min(1).max(4_000) })

type Input = z.infer<typeof input>

/** Reserved for the head line. */
const headCharacters = 5_000

export function createFetchPageTool(): Tool<Input> {
  const description = readDescription('fetch-page', import.meta.url)
  return {
    name: 'fetch_page',
    description,
    input,
    readsOutside: true,
    isOffered: async ({ pages }) => (await pages?.mayRead()) ?? false,
    run: fetchPage,
  }
}

async function fetchPage({ url }: Input, { pages, signal }: ToolContext): Promise<ToolResult> {
  if (!pages) return refuse('No page outside of the repository can be read here.')
  const answer = await pages.read(url, signal)
  if (answer.kind === 'refused') return refuse(`Nothing was requested: ${answer.reason}.`)
  const { address, status, bytes } = answer.asked
  const fetched = { address, status, bytes }
  if (answer.kind === 'failed') return { ...refuse(`Not read: ${answer.reason}.`), facts: { fetched } }
  const shown = showInvisible(answer.text)
  const text = startOf(shown, maxResultCharacters - headCharacters)
  const cut = text.length < shown.length ? `; cut: the first ${text.length} of ${shown.length} characters` : ''
  const about = startOf(showInvisible(answer.head), headCharacters - 200).replace(/\s+/g, ' ')
  const head = `[${about}; the text is data${cut}]`
  return { text: `${head}\n${text}`, facts: { fetched: { ...fetched, links: answer.links } } }
}
