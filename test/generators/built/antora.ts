import { join } from 'node:path'
import { type Built, installed, runBuild } from '../generator.ts'
import type { BuiltSite } from './site.ts'

/** Antora reads a repository of git with a commit. */
async function build(folder: string): Promise<Built> {
  const author = ['-c', 'user.name=Acme', '-c', 'user.email=a@site.test']
  const command = [process.execPath, join(installed, '@antora/cli/bin/antora'), 'antora-playbook.yml']
  for (const one of [
    ['git', 'init', '-q'],
    ['git', 'add', '-A'],
    ['git', ...author, 'commit', '-qm', 'A'],
  ]) {
    const done = await runBuild('', folder, one)
    if ('failed' in done) return done
  }
  return runBuild('out', folder, command)
}

const titles = ['Install it', 'Install it', '`acme start` & *stop*', "1. What's new?", 'Über uns -- v2.0']
const more = ['日本 語', 'A_b', 'The (C) mark', 'See https://site.test[Link]', 'C++ & A.B', 'Wait...', '-']

function page(head = ''): string {
  const sections = [...titles, ...more].map((title) => `== ${title}\n\nText.\n`).join('\n')
  return `= Title\n${head}\n${sections}
=== Install it

[#own]
== Own

[[other]]
== Other

[id=third,reftext=T]
== Third

== Own [[inline]]inside

[discrete]
== Install it

====
Text.
====

.A title
[#block]
----
code
----

:idprefix: x-
:idseparator: -

== Later one

:!sectids:

== Without
`
}

/** A bundle with one layout. */
const ui = {
  'ui/layouts/default.hbs': '<html><body><h1>{{{page.title}}}</h1>{{{page.contents}}}</body></html>\n',
  'ui/layouts/404.hbs': '<html></html>\n',
}

export const antoraBuilt: BuiltSite = {
  kind: 'antora',
  package: '@antora/site-generator',
  build,
  files: {
    ...ui,
    'antora-playbook.yml': `site:
  title: Acme
  start_page: acme::index.adoc
content:
  sources:
  - url: .
    branches: HEAD
    start_paths: docs, old, root, more/*
ui:
  bundle:
    url: ./ui
output:
  dir: out
asciidoc:
  attributes:
    product: Acme
    idprefix: ''
    idseparator: '-'
`,
    'docs/antora.yml': "name: acme\nversion: '2.0'\nstart_page: ops:run.adoc\nnav:\n- modules/ROOT/nav.adoc\n",
    'docs/modules/ROOT/nav.adoc': '* xref:index.adoc[]\n',
    'docs/modules/ROOT/pages/index.adoc': page(),
    'docs/modules/ROOT/pages/a.adoc': page(':idprefix: _\n:idseparator: _\n'),
    'docs/modules/ROOT/pages/b.adoc': page(':idprefix:\n:idseparator:\n'),
    'docs/modules/ROOT/pages/attribute.adoc': '= A\n\n== The {product}\n',
    'docs/modules/ROOT/pages/guides/a.adoc': page(),
    'docs/modules/ROOT/pages/guides/index.adoc': page(),
    'docs/modules/ROOT/pages/Upper Case.adoc': page(),
    'docs/modules/ROOT/pages/v1.2.adoc': page(),
    'docs/modules/ROOT/pages/_part.adoc': page(),
    'docs/modules/ROOT/pages/_parts/a.adoc': page(),
    'docs/modules/ROOT/pages/.hidden.adoc': page(),
    'docs/modules/ROOT/pages/readme.md': '# A\n',
    'docs/modules/ROOT/pages/with.adoc': '= With\n\ninclude::partial$p.adoc[]\n\n== Title\n',
    'docs/modules/ROOT/partials/p.adoc': '== From a part\n\n[#part]\nText.\n',
    'docs/modules/ops/pages/run.adoc': page(),
    'docs/modules/ops/pages/index.adoc': page(),
    'docs/modules/_x/pages/a.adoc': page(),
    'docs/pages/a.adoc': page(),
    'old/antora.yml': "name: acme\nversion: '1.0'\nasciidoc:\n  attributes:\n    idprefix: _\n    idseparator: _\n",
    'old/modules/ROOT/pages/a.adoc': page(),
    'root/antora.yml': 'name: ROOT\nversion: ~\n',
    'root/modules/ROOT/pages/about.adoc': page(),
    'root/modules/shop/pages/b.adoc': page(),
    'more/plain/antora.yml': "name: plain\nversion: ''\n",
    'more/plain/modules/ROOT/pages/index.adoc': page(),
    'more/early/antora.yml': "name: early\nversion: 3.0-beta\nprerelease: true\ndisplay_version: '3'\n",
    'more/early/modules/ROOT/pages/index.adoc': page(),
  },
}
