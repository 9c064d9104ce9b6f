// A model deletes a page that others name, on a site of every kind, and says that all is well. The service finds each
// reference, and publishes nothing as finished. Then come the places in which public sites named a deleted page: the tool
// changes or lists each, or the check finds it.

import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'
import { after, before, test } from 'node:test'
import type { ReviewResponse } from '../../src/http/resources/jobs/review-schemas.ts'
import { createDeleteFileTool } from '../../src/agent/tools/delete-file.ts'
import { siteKinds } from '../../src/sites/kinds.ts'
import { checkFiles } from '../support/check-files.ts'
import { docsSite, memoryTree } from '../support/docs-sites.ts'
import { createMemoryWorkspace } from '../support/memory-workspace.ts'
import { git } from '../support/repository.ts'
import { finish, type ScriptedService, startScriptedService } from '../support/scripted.ts'
import { sampled } from '../support/rounds.ts'

let service: ScriptedService
before(async () => {
  service = await startScriptedService({}, {}, docsSite('plain').files)
})
after(() => service.close())

/** The branch holds these files and no others. */
async function replaceTree(files: Readonly<Record<string, string>>): Promise<void> {
  const work = `${service.repository}-work`
  await git(dirname(work), 'clone', '--quiet', service.repository, work)
  await git(work, 'rm', '-rq', '.')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true })
    await writeFile(join(work, path), text)
  }
  await git(work, 'add', '--all')
  await git(work, 'commit', '--quiet', '--message=another site', '--no-gpg-sign', '--allow-empty')
  await git(work, 'push', '--quiet', 'origin', 'HEAD')
  await rm(work, { recursive: true })
}

for (const kind of sampled(siteKinds)) {
  test(`${kind}: a page that others name is never deleted as if all were well`, async () => {
    const site = docsSite(kind)
    const [gone, before] = [site.page('guides/webhooks'), site.page('guides/deploy')]
    await replaceTree(site.files)
    service.play({ calls: [{ name: 'delete_file', input: { path: gone } }] }, finish, finish, finish)
    const { id } = await service.client.create('Remove the page')
    const job = await service.client.ended(id)
    const pull = (await service.client.pulls()).find(({ jobId }) => jobId === id)
    assert.ok(!pull || pull.draft, `${job.status} ${job.outcome}`)
    const path = `/v2/agent/${service.client.projectId}/job/${id}/checks`
    const { findings } = await service.client.call<ReviewResponse>('GET', path)
    const dead = findings.filter((one) => one.state === 'introduced' && one.path === before && one.kind === 'link')
    assert.equal(dead.length, 2, JSON.stringify(findings))
  })
}

const titled = (text: string) => `---\ntitle: A\n---\n\n${text}\n`

type Shape = { readonly site: string; readonly gone: string; readonly files: Readonly<Record<string, string>> }

/** The places are the lines that have `GONE` and the name of the page. */
const shapes: readonly Shape[] = [
  {
    site: 'Sphinx',
    gone: 'testing/coverage.rst',
    files: {
      'conf.py':
        "extensions = ['sphinxext.rediraffe']\nrediraffe_redirects = {\n    'coverage.rst': 'testing/coverage.rst',  # GONE\n}\n",
      'index.rst':
        'A\n=\n\n.. toctree::\n\n   testing/run\n   GONE <testing/coverage>\n\n:doc:`GONE <testing/coverage>`\n',
      'testing/run.rst': 'B\n=\n\n:ref:`GONE <coverage>`\n\n:doc:`GONE <coverage>`\n',
      'testing/coverage.rst': '.. _coverage:\n\nC\n=\n',
    },
  },
  {
    site: 'Antora',
    gone: 'modules/cli/pages/options.adoc',
    files: {
      'antora.yml': "name: acme\nversion: '1'\nnav:\n- modules/ROOT/nav.adoc\n",
      'modules/ROOT/nav.adoc': '* xref:index.adoc[A]\n** xref:cli:options.adoc[GONE]\n*** xref:cli:index.adoc[B]\n',
      'modules/ROOT/pages/index.adoc': '= A\n\nxref:cli:options.adoc#all[GONE]\n\nxref:acme:cli:options.adoc[GONE]\n',
      'modules/cli/pages/index.adoc': '= B\n\nxref:options.adoc[GONE]\n',
      'modules/cli/pages/options.adoc': '= C\n\n[#all]\n== All\n',
    },
  },
  {
    site: 'Jekyll',
    gone: 'docs/_docs/permalinks.md',
    files: {
      'docs/_config.yml':
        'permalink: /:categories/:title/\ncollections:\n  docs:\n    permalink: /:collection/:path/\n    output: true\n',
      'docs/_data/docs_nav.yml': '- title: B\n  link: /docs/other/\n- title: C\n  link: /docs/permalinks/ # GONE\n',
      'docs/_docs/permalinks.md': titled('# C'),
      'docs/_docs/other.md': titled(
        '[GONE](/docs/permalinks/)\n\n[GONE]({{ "/docs/permalinks/" | relative_url }}#c)\n\n[GONE]({% link _docs/permalinks.md %})\n\n<a href="/docs/permalinks/">GONE</a>\n\n[GONE](../permalinks/)',
      ),
      'docs/index.html': '---\n---\n<ul>\n<li><a href="/docs/permalinks/">GONE</a></li>\n</ul>\n',
      'docs/_includes/top.html': '<a href="{{ site.baseurl }}/docs/permalinks/">GONE</a>\n',
    },
  },
  {
    site: 'Astro',
    gone: 'src/content/docs/en/guide/routing.mdx',
    files: {
      'astro.config.mjs': "import { defineConfig } from 'astro/config'\nexport default defineConfig({})\n",
      'src/content.config.ts':
        "import { defineCollection } from 'astro:content'\nimport { glob } from 'astro/loaders'\nexport const collections = { docs: defineCollection({ loader: glob({ pattern: '**/*.mdx', base: './src/content/docs' }) }) }\n",
      'src/pages/[...slug].astro':
        "---\nimport { getCollection } from 'astro:content'\nexport async function getStaticPaths() {\n  return (await getCollection('docs')).map((entry) => ({ params: { slug: entry.id } }))\n}\n---\n",
      'src/config/menu/docs.ts':
        "export const menu = [\n  { label: 'B', href: '/en/guide/other' },\n  { label: 'GONE', href: '/en/guide/routing' },\n]\n",
      'src/content/docs/en/guide/routing.mdx': titled('# C'),
      'src/content/docs/en/guide/other.mdx': titled('[GONE](/en/guide/routing)\n\n[GONE](/en/guide/routing#c)'),
    },
  },
  {
    site: 'Angular',
    gone: 'content/techniques/queues.md',
    files: {
      'angular.json': '{}\n',
      'src/app/menu.component.ts': "const menu = [\n  { title: 'GONE', path: '/techniques/queues' },\n]\n",
      'src/app/app.routes.ts':
        "const routes = [\n  { path: 'techniques/queues', component: QueuesComponent }, // GONE\n]\n",
      'content/techniques/queues.md': '### Queues\n',
      'content/techniques/tasks.md':
        '### Tasks\n\n[GONE](/techniques/queues)\n\n<a href="/techniques/queues">GONE</a>\n\n[GONE](techniques/queues)\n',
    },
  },
  {
    site: 'Fumadocs',
    gone: 'content/docs/api.mdx',
    files: {
      'source.config.ts':
        "import { defineDocs } from 'fumadocs-mdx/config'\nexport const docs = defineDocs({ dir: 'content/docs' })\n",
      'lib/source.ts':
        "import { loader } from 'fumadocs-core/source'\nimport { docs } from '@/.source'\nimport { defineI18n } from 'fumadocs-core/i18n'\nconst i18n = defineI18n({ languages: ['en', 'cn'], defaultLanguage: 'en' })\nexport const source = loader({ baseUrl: '/docs', source: docs.toFumadocsSource(), i18n })\n",
      'content/docs/meta.json': '{\n  "pages": [\n    "index",\n    "api"\n  ]\n}\n',
      'content/docs/index.mdx': titled('[GONE](/docs/api)\n\n[GONE](./api.mdx)'),
      'content/docs/index.cn.mdx': titled('[B](/docs)'),
      'content/docs/api.mdx': titled('# C'),
      'content/docs/api.cn.mdx': titled('# GONE api'),
    },
  },
  {
    site: 'Hugo',
    gone: 'content/en/content-management/archetypes.md',
    files: {
      'hugo.toml':
        "baseURL = 'https://acme.example/'\n[module]\n[[module.mounts]]\nsource = 'content/en'\ntarget = 'content'\n",
      'content/en/_index.md': titled(
        '[GONE](/content-management/archetypes/)\n\n[GONE](content-management/archetypes)',
      ),
      'content/en/content-management/_index.md': titled('[GONE](archetypes/)'),
      'content/en/content-management/archetypes.md': titled('# C'),
      'content/en/content-management/other.md': titled(
        '[GONE]({{< relref "archetypes" >}})\n\n[GONE](../archetypes/#c)',
      ),
    },
  },
  {
    site: 'Nextra',
    gone: 'content/guide/ssg.mdx',
    files: {
      'next.config.mjs': "import nextra from 'nextra'\nexport default nextra({})()\n",
      'app/[[...mdxPath]]/page.jsx': "import { importPage } from 'nextra/pages'\n",
      'app/_meta.global.tsx':
        "export default {\n  guide: {\n    items: {\n      other: 'B',\n      ssg: 'GONE',\n    },\n  },\n}\n",
      'content/index.mdx': titled('[GONE](/guide/ssg)\n\n[GONE](./guide/ssg.mdx)'),
      'content/guide/other.mdx': titled('[GONE](./ssg)'),
      'content/guide/ssg.mdx': titled('# C'),
    },
  },
  {
    site: 'MyST',
    gone: 'docs/syntax/tables.md',
    files: {
      'docs/conf.py': "extensions = ['myst_parser']\n",
      'docs/index.md': '# A\n\n```{toctree}\nGONE <syntax/tables.md>\nsyntax/other.md\n```\n',
      'docs/syntax/other.md': '# B\n\n[GONE](tables.md#c)\n\n[GONE](#syntax/tables)\n\n{doc}`GONE <tables>`\n',
      'docs/syntax/tables.md': '(syntax/tables)=\n# C\n',
    },
  },
]

for (const { site, gone, files } of shapes) {
  test(`${site}: each place that named a deleted page is changed, listed or found`, async () => {
    const workspace = createMemoryWorkspace(files)
    const signal = new AbortController().signal
    const { text } = await createDeleteFileTool().run({ path: gone, removeLinks: true }, { workspace, signal })
    const left = workspace.texts()
    const { findings } = await checkFiles(memoryTree(left))
    const found = findings.map(({ path, line }) => `${path}:${line}`)
    const listed = Array.from(text.matchAll(/^(\S+): still names it at lines? ([\d, ]+)/gm)).flatMap(
      ([, path = '', lines = '']) => lines.split(', ').map((line) => `${path}:${line}`),
    )
    const [, translations = ''] = /its translations stay: ([^\]]+)/.exec(text) ?? []
    const known = new Set([...found, ...listed, ...(text.match(/[^\s,[\]]+:\d+(?=[,\]])/g) ?? [])])
    const silent = Object.entries(left).flatMap(([path, content]) =>
      content.split('\n').flatMap((line, at) => {
        const isNamed = line.includes('GONE') && line.includes(parse(gone).name)
        return isNamed && !known.has(`${path}:${at + 1}`) && !translations.includes(path) ? [`${path}:${at + 1}`] : []
      }),
    )
    assert.deepEqual(silent, [], text)
  })
}
