import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { createDeleteFileTool } from '../delete-file.ts'
import { createMoveFileTool } from '../move-file.ts'

const signal = new AbortController().signal
const run = '_docs/run.md'
const post = '_posts/2024-02-03-news.md'
const text = (...lines: readonly string[]) => `---\ntitle: A\n---\n\n${lines.join('\n')}\n`
const files = {
  '_config.yml': 'baseurl: /p\nplugins: [jekyll-redirect-from]\ncollections:\n  docs:\n    output: true\n',
  'index.md': text(
    '[a]({% link _docs/run.md %}#start) ![b]({% link a.png %}) [c]({{ "/docs/run.html" | relative_url }}#start)',
    '[d]({{ site.baseurl }}/docs/run.html) <a href="{% link _docs/run.md %}">e</a> [f][g] {% link _docs/run.md %}',
    '{% raw %}{% link _docs/run.md %}{% endraw %} [h]({{ site.baseurl }}{%- link /_docs/run.md -%})',
    '',
    '[g]: {% link _docs/run.md %}',
  ),
  'a.png': 'PNG',
  '_data/nav.yml': '- title: A\n  url: "/docs/run.html"\n',
  [run]: text('## Start', '', '[me]({% link _docs/run.md %}) [n]({% post_url 2024-02-03-news %})'),
  [post]: text('[run]({% link _docs/run.md %})', '', '```', '{% post_url 2024-02-03-news %}', '```'),
  '_layouts/default.html':
    '<a href="{% link _docs/run.md %}">a</a> {{ content }}\n<a href="/p/docs/run.html">b</a> {% post_url /2024-02-03-news %}\n',
}

async function move(from: string, to: string, change: Readonly<Record<string, string>> = {}) {
  const workspace = createMemoryWorkspace({ ...files, ...change })
  const result = await createMoveFileTool().run({ from, to }, { workspace, signal })
  return { said: result.text, after: new Map(Object.entries(workspace.texts())) }
}

test('a page of Jekyll moves with the tags and templates that lead to it', async () => {
  const { said, after } = await move(run, '_docs/ops/begin.md')
  const name = '_docs/ops/begin.md'
  assert.equal(
    after.get('index.md'),
    text(
      `[a]({% link ${name} %}#start) ![b]({% link a.png %}) [c]({{ "/docs/ops/begin.html" | relative_url }}#start)`,
      `[d]({{ site.baseurl }}/docs/ops/begin.html) <a href="{% link ${name} %}">e</a> [f][g] {% link ${name} %}`,
      `{% raw %}{% link _docs/run.md %}{% endraw %} [h]({{ site.baseurl }}{%- link ${name} -%})`,
      '',
      `[g]: {% link ${name} %}`,
    ),
  )
  assert.match(after.get(post) ?? '', /\[run\]\(\{% link _docs\/ops\/begin\.md %\}\)/)
  assert.match(
    after.get('_layouts/default.html') ?? '',
    /^<a href="\{% link _docs\/ops\/begin\.md %\}">[^]*<a href="\/p\/docs\/ops\/begin\.html">/,
  )
  assert.equal(
    after.get(name),
    '---\ntitle: A\nredirect_from:\n  - /docs/run.html\n---\n\n' +
      `## Start\n\n[me]({% link ${name} %}) [n]({% post_url 2024-02-03-news %})\n`,
  )
  assert.equal(after.get('_data/nav.yml'), '- title: A\n  url: "/docs/ops/begin.html"\n')
  assert.match(said, /\[redirect from \/docs\/run to \/docs\/ops\/begin in .*, as `redirect_from`\]/)
  // An example that nobody follows.
  assert.match(said, /\[may still name it: index\.md:7\]/)
})

test('a post of Jekyll is named by its tag, and by another one as a page', async () => {
  const renamed = await move(post, '_posts/more/2024-03-04-old.md')
  assert.match(renamed.after.get(run) ?? '', /\{% post_url more\/2024-03-04-old %\}/)
  assert.match(renamed.after.get('_layouts/default.html') ?? '', /\{% post_url more\/2024-03-04-old %\}/)
  const page = await move(post, '_docs/news.md')
  assert.match(page.after.get(run) ?? '', /\[n\]\(\{% link _docs\/news\.md %\}\)/)
  assert.match(page.after.get('_docs/news.md') ?? '', /^redirect_from:\n {2}- \/2024\/02\/03\/news\.html$/m)
})

test('a file of Jekyll that moves keeps its tag', async () => {
  const { after } = await move('a.png', 'images/b.png')
  assert.match(after.get('index.md') ?? '', /!\[b\]\(\{% link images\/b\.png %\}\)/)
})

test('the redirect of a page of Jekyll is written as the page is served', async () => {
  const config = files['_config.yml']
  const gem = "gem 'jekyll'\ngroup :jekyll_plugins do\n  gem 'jekyll-redirect-from'\nend\n"
  for (const [change, fields, expected] of [
    [{}, 'redirect_from: /old/', 'redirect_from: [/old/, /docs/run.html]'],
    [{}, 'redirect_from:\n  - /docs/begin.html', 'redirect_from:\n  - /docs/run.html'],
    [{ '_config.yml': `permalink: pretty\n${config}` }, 'title: A', 'redirect_from:\n  - /docs/run/'],
    [{}, 'permalink: /x/', undefined],
    [{ '_config.yml': config.replace('[jekyll-redirect-from]', '[]') }, 'title: A', undefined],
    [{ '_config.yml': config.replace('[jekyll-redirect-from]', '[]'), Gemfile: gem }, 'title: A', '- /docs/run.html'],
    [{ '_config.yml': 'title: A\n', Gemfile: "gem 'github-pages', group: :jekyll_plugins\n" }, 'title: A', undefined],
  ] as const) {
    const page = `---\n${fields}\n---\n\nText\n`
    const { after } = await move(run, '_docs/begin.md', { ...change, [run]: page })
    const written = after.get('_docs/begin.md') ?? ''
    assert.ok(expected === undefined ? written === page : written.includes(expected), written)
  }
  // A file without frontmatter is copied, so it has no fields.
  const { said } = await move('notes.md', 'memo.md', { 'notes.md': 'Text\n' })
  assert.match(said, /no redirect from \/notes\.md: memo\.md has no place for `redirect_from`/)
})

test('a deletion removes the links of Liquid, and lists the tags that stop the build', async () => {
  const workspace = createMemoryWorkspace(files)
  const result = await createDeleteFileTool().run({ path: run, removeLinks: true }, { workspace, signal })
  assert.match(result.text, /\n_data\/nav\.yml: still names it at line 2\nindex\.md: still names it at lines 6, 9\n/)
  assert.match(workspace.texts()['_layouts/default.html'] ?? '', /^a \{\{ content \}\}\nb \{% post_url/)
  assert.equal(
    workspace.texts()['index.md'],
    text(
      'a ![b]({% link a.png %}) c',
      'd e [f][g] {% link _docs/run.md %}',
      '{% raw %}{% link _docs/run.md %}{% endraw %} h',
      '',
      '[g]: {% link _docs/run.md %}',
    ),
  )
})
