// Renders a JSON schema of the OpenAPI document as a list of fields.

import { html } from 'hono/html'
import type { Document } from '../document.ts'
import type { Html } from './page.ts'
import { renderInline } from './prose.ts'

export type Schema = NonNullable<NonNullable<Document['components']>['schemas']>[string]

/** Lists the fields of an object and of its nested objects. Links to named schemas. */
export function renderFields(schema: Schema): Html | '' {
  if ('$ref' in schema || !schema.properties) return ''
  const required = schema.required ?? []
  return html`<dl>
    ${Object.entries(schema.properties).map(
      ([name, field]) =>
        html`<dt>
            <code>${name}</code>
            <span class="type">${typeOf(field)}</span>
            ${required.includes(name) ? '' : html`<span class="type">optional</span>`}
          </dt>
          <dd>
            ${describe(field)}${renderFields(field)}${'items' in field && field.items ? renderFields(field.items) : ''}
          </dd>`,
    )}
  </dl>`
}

export function typeOf(schema: Schema): Html {
  if ('$ref' in schema && schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if ('$ref' in schema) return html``
  if (schema.items) return html`list of ${typeOf(schema.items)}${nullable(schema)}`
  if (schema.allOf?.[0]) return typeOf(schema.allOf[0])
  if (schema.anyOf || schema.oneOf) return alternatives(schema.anyOf ?? schema.oneOf ?? [])
  const types = [schema.type ?? 'any'].flat().filter((type) => type !== 'null')
  return html`${types.join(' or ')}${schema.format === undefined ? '' : `, ${schema.format}`}${nullable(schema)}`
}

function alternatives(schemas: readonly Schema[]): Html {
  return html`${schemas.map((one, at) => html`${at === 0 ? '' : ' or '}${isNull(one) ? 'null' : typeOf(one)}`)}`
}

function isNull(schema: Schema): boolean {
  return 'type' in schema && schema.type === 'null'
}

/** Describes a schema in words: its description, and the values that it allows. */
export function describe(schema: Schema): Html {
  const { description } = schema as { readonly description?: string }
  if ('$ref' in schema) return html`${description === undefined ? '' : renderInline(description)}`
  const values = schema.enum?.filter((value) => value !== null).map((value) => html` <code>${String(value)}</code>`)
  return html`${description === undefined ? '' : renderInline(description)}${values ? html` One of${values}.` : ''}${limits(schema)}`
}

function limits(schema: Exclude<Schema, { $ref: string }>): string {
  const found = [
    schema.minimum === undefined ? [] : [`at least ${schema.minimum}`],
    schema.maximum === undefined ? [] : [`at most ${schema.maximum}`],
    schema.default === undefined || schema.default === null ? [] : [`default ${JSON.stringify(schema.default)}`],
  ].flat()
  return found.length === 0 ? '' : ` (${found.join(', ')})`
}

function nullable(schema: Exclude<Schema, { $ref: string }>): string {
  return [schema.type].flat().includes('null') ? ' or null' : ''
}
