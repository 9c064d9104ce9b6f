// Renders the API reference as one page, from the OpenAPI document only. It needs no scripts, so it also works in print
// and for programs.

import { html } from 'hono/html'
import type { Document } from '../document.ts'
import { type Place, renderOperation } from './operation.ts'
import { type Html, layout } from './page.ts'
import { renderProse } from './prose.ts'
import { describe, renderFields } from './schema.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const

type Tag = NonNullable<Document['tags']>[number]

export function renderReference(document: Document, href: string): Html {
  const places = placesOf(document)
  const server = document.servers?.[0]?.url ?? ''
  const body = html`<a class="skip" href="#content">Skip to content</a>
    <nav aria-label="Contents">${renderContents(document, places)}</nav>
    <main id="content">
      <h1>${document.info.title} API <span class="quiet">${document.info.version}</span></h1>
      ${renderProse(document.info.description ?? '')}
      <p>Base address: <code>${server}</code> · <a href="openapi.json">openapi.json</a></p>
      ${document.tags?.map((tag) => renderTag(document, tag, placesOfTag(places, tag)))} ${renderSchemas(document)}
    </main>`
  return layout({ title: `${document.info.title} API`, href, body })
}

function renderContents(document: Document, places: readonly Place[]): Html {
  return html`<p class="name"><a href="#content">${document.info.title}</a></p>
    ${document.tags?.map(
      (tag) =>
        html`<p><a href="#${idOf(tag)}">${tag.name}</a></p>
          <ul>
            ${placesOfTag(places, tag).map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
          </ul>`,
    )}
    <p><a href="#schemas">Schemas</a></p>`
}

function renderTag(document: Document, tag: Tag, places: readonly Place[]): Html {
  return html`<section id="${idOf(tag)}">
    <h2>${tag.name}</h2>
    ${renderProse(tag.description ?? '', { anchors: true })} ${places.map((place) => renderOperation(place, document))}
  </section>`
}

function renderSchemas(document: Document): Html {
  return html`<section id="schemas">
    <h2>Schemas</h2>
    ${Object.entries(document.components?.schemas ?? {}).map(
      ([name, schema]) =>
        html`<article id="schema-${name}">
          <h3>${name}</h3>
          <p>${describe(schema)}</p>
          ${renderFields(schema)}
          ${
            'example' in schema && schema.example !== undefined
              ? html`<pre>${JSON.stringify(schema.example, undefined, 2)}</pre>`
              : ''
          }
        </article>`,
    )}
  </section>`
}

function placesOf(document: Document): readonly Place[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ method: method.toUpperCase(), path, operation }] : []
    }),
  )
}

function placesOfTag(places: readonly Place[], tag: Tag): readonly Place[] {
  return places.filter(({ operation }) => operation.tags?.includes(tag.name))
}

function idOf(tag: Tag): string {
  return tag.name.toLowerCase().replaceAll(' ', '-')
}
