import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInstructions } from '../instructions.ts'
import { createTools } from './all.ts'
import { inputSchemaOf } from './input-schema.ts'

type Schema = Readonly<Record<string, unknown>>

const tools = createTools()

/** Fields that their name explains, or that the text of another tool explains for all. */
const plainFields: ReadonlySet<string> = new Set(
  'path from to content limit offset glob exclude startLine endLine pattern edits newText'.split(' '),
)

function fieldsOf(schema: Schema): string[] {
  const fields = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>)
  return fields.flatMap(([name, { items }]) => [name, ...(items ? fieldsOf(items as Schema) : [])])
}

function sizeOf(some: typeof tools): number {
  const sent = some.map(({ name, description, input }) => name + description + JSON.stringify(inputSchemaOf(input)))
  return Buffer.byteLength(sent.join(''))
}

test('instructions, texts and schemas of the usual tools take at most 8,650 bytes', () => {
  const usual = tools.filter(({ isOffered }) => !isOffered)
  const bytes = Buffer.byteLength(createInstructions('n'.repeat(16))) + sizeOf(usual)
  assert.ok(bytes <= 8_650, `${bytes}`)
  const more = sizeOf(tools) - sizeOf(usual)
  assert.ok(more <= 2_000, `${more} of tools that few runs are offered`)
})

test('fetch_page, which only some runs are offered, takes at most 600 bytes more', () => {
  const bytes = sizeOf(tools.filter(({ name }) => name === 'fetch_page'))
  assert.ok(bytes > 0 && bytes <= 600, `${bytes}`)
})

test('the text of a tool names each field that its name does not explain', () => {
  for (const { name, description, input } of tools) {
    const unnamed = fieldsOf(inputSchemaOf(input)).filter(
      (field) => !plainFields.has(field) && !description.includes(`\`${field}`),
    )
    assert.deepEqual(unnamed, [], name)
  }
})

test('the limits that models meet are in the schemas, no others are', () => {
  const texts = new Map(tools.map(({ name, input }) => [name, JSON.stringify(inputSchemaOf(input))]))
  assert.match(texts.get('search') ?? '', /"context":\{"type":"integer","maximum":10\}/)
  assert.match(texts.get('write_file') ?? '', /"content":\{"type":"string","maxLength":500000\}/)
  assert.equal([...texts.values()].join('').match(/max(?:imum|Length)/g)?.length, 2)
})

test('a schema holds no part that the model does not need', () => {
  for (const { name, input } of tools) {
    assert.doesNotMatch(JSON.stringify(inputSchemaOf(input)), /additionalProperties|"(?:title|default)":"/, name)
  }
})
