// Renders the page at `/`, for people who open the service in a browser: explains what it is, and links to the reference.
// It shows no data, so it needs no key.

import { html } from 'hono/html'
import { type Html, hiddenFromSearch, layout } from './page.ts'

type Welcome = {
  /** The path of the public address, without a trailing slash. */
  readonly prefix: string
  readonly publicUrl: string
  readonly version: string
  readonly href: string
}

const commands = `docent project create --name Docs --repository https://git.example.com/docs.git
docent job create --prompt 'Rename "Acme CLI" to "Acme Command"' --watch
docent analytics summary
docent key create --name laptop`

export function renderWelcome({ prefix, publicUrl, version, href }: Welcome): Html {
  const body = html`<main class="welcome">
    <h1>Docent <span class="quiet">${version}</span></h1>
    <p class="lead">
      This service works on documentation. Give it an instruction, and an agent edits the repository and opens a pull
      request. It also counts who reads the published pages: people and AI agents.
    </p>
    <h2>Start here</h2>
    <p>On the machine that runs the service, the command line needs no key:</p>
    <pre>${commands}</pre>
    <p>Over HTTP, send the key that the last command prints:</p>
    <pre>curl ${publicUrl}/v1/projects -H "Authorization: Bearer $KEY"</pre>
    <h2>Look around</h2>
    <ul>
      <li><a href="${prefix}/reference">API reference</a>: every operation, with examples</li>
      <li><a href="${prefix}/openapi.json">OpenAPI document</a>: generate a client from it</li>
      <li>
        <a href="${prefix}/healthz">Liveness</a> and <a href="${prefix}/readyz">readiness</a>: the state of the service
      </li>
    </ul>
    <p>
      Each pull request has a page. The field <code>prLink</code> of the job links to it, and
      <code>docent job open</code>
      opens it.
    </p>
  </main>`
  return layout({ title: 'Docent', href, head: hiddenFromSearch(), body })
}
