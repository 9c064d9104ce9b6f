// Prints the bytes of the first request of a run by part: instructions, texts and schemas of the tools, first messages.
// The request is the one that a scripted model receives. Run it with `npm run bench`, or `node bench/bytes.ts [pages]`.

import { createInstructions } from '../src/agent/instructions.ts'
import { createTools } from '../src/agent/tools/all.ts'
import { inputSchemaOf } from '../src/agent/tools/input-schema.ts'
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

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
