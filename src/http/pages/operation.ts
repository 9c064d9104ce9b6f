// Renders one operation of the reference: its description, parameters, body and responses.

import { html } from 'hono/html'
import type { Document } from '../document.ts'
import type { Html } from './page.ts'
import { renderInline, renderProse } from './prose.ts'
import { describe, renderFields, type Schema, typeOf } from './schema.ts'

type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>
export type Place = { readonly method: string; readonly path: string; readonly operation: Operation }
type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>
type ResponseObject = {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

export function renderOperation({ method, path, operation }: Place, document: Document): Html {
  const body = bodyOf(operation)
  const fields = body && named(body, document)
  return html`<article id="${operation.operationId}">
    <h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
    <p class="path"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
    ${renderProse(operation.description ?? '')} ${renderParameters(parametersOf(operation, document))}
    ${
      body && fields
        ? html`<h4>Body: ${typeOf(body)}</h4>
            ${renderFields(fields)}`
        : ''
    }
    <h4>Responses</h4>
    <div class="responses">
      ${responsesOf(operation, document).map(([status, response]) => renderResponse(status, response))}
    </div>
    <details>
      <summary>With curl</summary>
      <pre>${curl({ method, path, operation }, document.servers?.[0]?.url ?? '', fields)}</pre>
    </details>
  </article>`
}

/** Parameters that several operations share are components of the document. */
function parametersOf(operation: Operation, document: Document): readonly Parameter[] {
  return (operation.parameters ?? []).map((parameter) => {
    return '$ref' in parameter ? (document.components?.parameters?.[nameOf(parameter.$ref)] as Parameter) : parameter
  })
}

function renderParameters(parameters: readonly Parameter[]): Html | '' {
  if (parameters.length === 0) return ''
  return html`<h4>Parameters</h4>
    <dl>
      ${parameters.map(
        (parameter) =>
          html`<dt>
              <code>${parameter.name}</code>
              <span class="type"
                >${parameter.in}, ${typeOf(parameter.schema ?? {})}${parameter.required ? '' : ', optional'}</span
              >
            </dt>
            <dd>${renderInline(parameter.description ?? '')}${describe(parameter.schema ?? {})}</dd>`,
      )}
    </dl>`
}

function renderResponse(status: string, response: ResponseObject): Html {
  const types = Object.entries(response.content ?? {})
  const names = Object.keys(response.headers ?? {}).filter((name) => name !== 'X-Request-Id')
  const isProblem = Number(status) >= 400
  return html`<details ${isProblem ? '' : html`open`}>
    <summary>
      <b class="${isProblem ? 'bad' : 'good'}">${status}</b>
      ${isProblem ? codesOf(response.description) : renderInline(response.description)}
    </summary>
    ${isProblem ? renderProse(response.description) : ''}
    ${types.map(([type, { schema }]) => html`<p><code>${type}</code> ${schema && !isProblem ? typeOf(schema) : ''}</p>`)}
    ${names.length === 0 ? '' : html`<p>Headers: ${names.map((name) => html`<code>${name}</code> `)}</p>`}
    ${types.map(([, { schema }]) => (schema && !isProblem ? renderFields(schema) : ''))}
  </details>`
}

/** Returns the error codes from the description of a problem, which has one line per code. */
function codesOf(description: string): readonly Html[] {
  const codes = [...description.matchAll(/^`([a-z_]+)`:/gm)]
  return codes.map(([, code]) => html`<a href="#code-${code}"><code>${code}</code></a> `)
}

/** Returns the responses of an operation. Responses that several operations share are components of the document. */
function responsesOf(operation: Operation, document: Document): readonly [string, ResponseObject][] {
  const responses = Object.entries<ResponseObject | { readonly $ref: string }>(operation.responses ?? {})
  return responses.map(([status, response]) => {
    if (!('$ref' in response)) return [status, response]
    const shared = document.components?.responses?.[nameOf(response.$ref)]
    return [status, shared as ResponseObject]
  })
}

function bodyOf(operation: Operation): Schema | undefined {
  const body = operation.requestBody
  return body && 'content' in body ? body.content['application/json']?.schema : undefined
}

function named(schema: Schema, document: Document): Schema {
  if (!('$ref' in schema) || schema.$ref === undefined) return schema
  return document.components?.schemas?.[nameOf(schema.$ref)] ?? schema
}

function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}

function curl({ method, path, operation }: Place, server: string, body: Schema | undefined): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${server}${path}'`,
    ...(operation.security?.length === 0 ? [] : ['-H "Authorization: Bearer $DOCENT_API_KEY"']),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(sampleOf(body))}'`] : []),
  ]
  return lines.join(' \\\n  ')
}

/** Returns a sample object, made from the fields that have an example. */
function sampleOf(schema: Schema): Readonly<Record<string, unknown>> {
  if ('$ref' in schema) return {}
  const fields = Object.entries(schema.properties ?? {})
  return Object.fromEntries(fields.flatMap(([name, field]) => ('example' in field ? [[name, field.example]] : [])))
}
