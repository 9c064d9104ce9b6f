// Prints the bytes of the first request of a run by part (instructions, texts and schemas of the tools, first messages), as
// a scripted model receives it, and the bytes of single calls that do the work of many, with their results. Run it with `npm run bench`, or `node bench/bytes.ts [pages]`.

import { createInstructions } from '../src/agent/instructions.ts'
import { createTools } from '../src/agent/tools/all.ts'
import { inputSchemaOf } from '../src/agent/tools/input-schema.ts'
import { createMemoryWorkspace } from '../test/support/memory-workspace.ts'
import { startModelServer } from '../test/support/model-server.ts'
import { makePages } from '../test/support/pages.ts'
import { startService } from '../test/support/service.ts'

const pages = Number(process.argv[2] ?? 300)
const model = await startModelServer(() => ({ calls: [{ name: 'finish', input: { noChange: 'Nothing to do.' } }] }))
const service = await startService(makePages(pages), {
  DOCENT_MODEL: 'compatible/scripted',
  DOCENT_COMPATIBLE_BASE_URL: model.baseUrl,
})
const { id } = await service.client.create('Rename the product')
await service.client.ended(id)
await service.close()
await model.close()

const tools = createTools()
const texts = tools.map(({ description }) => description).join('')
const schemas = tools.map(({ input }) => JSON.stringify(inputSchemaOf(input))).join('')
const first = (model.requests[0] ?? []).filter(({ role }) => role !== 'system')
const parts = {
  instructions: bytesOf(createInstructions('n'.repeat(16))),
  'texts of tools': bytesOf(texts),
  'schemas of tools': bytesOf(schemas),
  'first messages': bytesOf(first.map(({ content }) => content ?? '').join('')),
  'whole request': model.sizes[0] ?? 0,
}
for (const [part, bytes] of Object.entries(parts)) console.log(`${part.padEnd(18)} ${String(bytes).padStart(6)} bytes`)

const guide = (number: number) => `docs/guides/${number}.md`
const calls: readonly (readonly [name: string, input: object])[] = [
  ['replace_text', { pattern: 'Acme Cloud', newText: 'Acme Platform', in: 'prose' }],
  ['edit_file', { path: guide(1), edits: [{ section: 'Old part', moveTo: guide(2) }] }],
  ['edit_file', { path: guide(1), edits: [{ section: 'Old part', newText: '' }] }],
  ['search', { frontmatter: 'description', without: true, glob: 'docs/guides/**' }],
  ['list_files', {}],
]
for (const [name, input] of calls) {
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new Error(name)
  const context = { workspace: createMemoryWorkspace(makeRepository()), signal: new AbortController().signal }
  const { text, isError } = await tool.run(tool.input.parse(input), context)
  if (isError) throw new Error(text)
  const sent = JSON.stringify(input)
  console.log(`${name} ${sent.slice(0, 60)}: ${bytesOf(sent)} bytes, result ${bytesOf(text)} bytes`)
}

/** 75 guides that name a product and have a section of 38 lines, and 2,925 other pages in 200 folders. */
function makeRepository(): Record<string, string> {
  const others = Array.from({ length: 2_925 }, (_, number) => {
    const folder = ['api', 'ref', 'how', 'es', 'fr'][number % 5] ?? ''
    return [`docs/${folder}/s${number % 40}/p${number}.md`, '# P\n\nText.\n'] as const
  })
  const guides = Array.from({ length: 75 }, (_, number) => [guide(number), makeGuide(number)] as const)
  return Object.fromEntries([...guides, ...others])
}

function makeGuide(number: number): string {
  const head = `---\ntitle: Page ${number}\n${number % 3 === 0 ? '' : 'description: About it\n'}---\n\n# Page ${number}\n\n`
  const lines = (count: number, text: string) =>
    Array.from({ length: count }, (_, line) => `Line ${line} ${text}\n`).join('')
  const body = lines(40, 'of the page, with some words about how to do things.')
  return `${head}${body}\nAcme Cloud helps.\n\n## Old part\n\n${lines(36, 'of the old part, with words.')}`
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
