// The pages that a person sees while creating and installing a GitHub App. They work without scripts: the manifest is in a
// form that a button submits. They show no secret and nothing from a repository.

import { html } from 'hono/html'
import { type Html, hiddenFromSearch, layout } from './page.ts'

type Page = { readonly href: string }

/** `action` is the page of GitHub that receives the manifest. */
export function renderNewApp(page: {
  readonly action: string
  readonly manifest: string
  readonly name: string
  readonly webUrl: string
  readonly href: string
}): Html {
  const body = html`<h1>Create the GitHub App</h1>
    <p class="lead">
      Docent works on your repositories as a GitHub App of your own. The button leads to ${page.webUrl}, where you
      confirm the name (${page.name}) and press “Create GitHub App”. Then GitHub sends you back here.
    </p>
    <p>The App may read and write the contents, pull requests and issues of the repositories that you choose later.</p>
    <form method="post" action="${page.action}">
      <input type="hidden" name="manifest" value="${page.manifest}" />
      <button type="submit">Continue to GitHub</button>
    </form>`
  return render('Create the GitHub App', body, page)
}

export function renderCreatedApp(
  page: Page & { readonly app: { readonly name: string; readonly installUrl: string } },
): Html {
  const body = html`<h1>The GitHub App exists</h1>
    <p class="lead">${page.app.name} was created, and its private key is stored encrypted.</p>
    <p>Next, choose the repositories that it may work on:</p>
    <p><a href="${page.app.installUrl}">Install the App</a></p>`
  return render('The GitHub App exists', body, page)
}

export function renderInstalledApp(page: Page & { readonly installationId: number }): Html {
  const body = html`<h1>The App is installed</h1>
    <p class="lead">Connect a project with this installation:</p>
    <pre>docent project credential set PROJECT --installation ${page.installationId}</pre>
    <p>The command checks that the App may read, push and open pull requests. You can close this page.</p>`
  return render('The App is installed', body, page)
}

function render(title: string, body: Html, { href }: Page): Html {
  return layout({ title, href, head: hiddenFromSearch(), body: html`<main class="github-app">${body}</main>` })
}
