// A task on a site of Jekyll: a page that goes, which links of Liquid and data name.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn } from '../task.ts'

const site = docsSite('jekyll')
const [billing, teams, webhooks, errors] = [
  'guides/billing',
  'guides/teams',
  'guides/webhooks',
  'reference/errors',
].map((name) => site.page(name)) as [string, string, string, string]
const navigation = '_data/navigation.yml'
const [liquid, rooted] = ['Invoices are in {% link guides/billing.md %}.', 'See [billing](/guides/billing/).'] as const
const files = {
  ...site.files,
  [webhooks]: `${site.files[webhooks]}\n${liquid}\n`,
  [errors]: `${site.files[errors]}\n${rooted}\n`,
}
const next = 'Read [the next page](../reference/cli.md), and [how to begin](../reference/cli.md#begin).'
const removed = 'The page `guides/billing.md` is deleted. Its entry in the navigation and the links to it are gone too.'
const remove = turn(
  call('delete_file', { path: billing }),
  edit(webhooks, [`\n${liquid}\n`, '']),
  edit(errors, [`\n${rooted}\n`, '']),
  edit(teams, ['Read [the next page](../guides/billing.md), and [how to begin](../guides/billing.md#begin).', next]),
)
const entry = edit(navigation, ['- title: guides/billing\n  url: /guides/billing/\n', ''])

export const removedFeature: Task = {
  name: 'a feature that goes, with the Liquid links to its page',
  files,
  messages: ['Acme has no billing any more. Delete guides/billing and everything that leads to it.'],
  wanted: [
    { path: billing, isGone: true },
    { path: navigation, lacks: ['guides/billing'] },
    { path: webhooks, lacks: ['guides/billing'] },
  ],
  mayChange: [billing, navigation, teams, webhooks, errors],
  mayLose: /^Invoices are in|^See \[billing\]/,
  deletes: billing,
  text: { names: [/billing/], never: [/nothing (?:refers|links) to it/] },
  good: {
    turns: [[remove, turn(entry), turn(call('check', {})), finish('Delete the page about billing', removed)]],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        remove,
        turn(entry, edit(site.page('install'), ['## Begin', 'Ask us about invoices.\n\n## Begin'])),
        finish('Clean up the guides', 'Two old texts are gone; nothing links to it.'),
      ],
    ],
    faults: ['outside', 'text'],
  },
  careless: {
    turns: [
      [turn(call('delete_file', { path: billing })), finish('Clean up', 'Billing is gone; nothing links to it.')],
    ],
    faults: 'unpublished',
  },
}

const names = ['cli', 'api', 'errors', 'limits', 'events']
const menu = '_includes/menu.html'
const link = (name: string) => `Limits are in [limits]({% link ${name}/limits.md %}), all in {% link ${name}/api.md %}.`
const element = (name: string) => `<a href="{% link ${name}/cli.md %}">Commands</a>\n<a href="/${name}/api/">API</a>\n`
const section = {
  ...site.files,
  '_config.yml': 'title: Acme\npermalink: pretty\nplugins:\n  - jekyll-redirect-from\n',
  [menu]: element('reference'),
  [webhooks]: `${site.files[webhooks]}\n${link('reference')}\n`,
}
const moves = (more: object = {}) =>
  turn(...names.map((name) => call('move_file', { from: `reference/${name}.md`, to: `manual/${name}.md`, ...more })))
const movedText = `The pages ${names.join(', ')} are now in \`manual\`; their old addresses redirect.`
const movedTitle = 'Move the reference to /manual'

export const movedSection: Task = {
  name: 'a section that gets another name, with the tags and templates that lead to it',
  files: section,
  messages: ['Move all pages of reference to manual, and redirect the old addresses.'],
  wanted: [
    ...names.map((name) => ({ path: `reference/${name}.md`, isGone: true as const })),
    ...names.map((name) => ({ path: `manual/${name}.md`, contains: [`redirect_from:\n  - /reference/${name}/`] })),
    { path: webhooks, contains: [link('manual')] },
    { path: menu, contains: [element('manual')] },
    { path: navigation, contains: ['/manual/events/'], lacks: ['url: /reference/'] },
  ],
  mayChange: ['reference/*', 'manual/*', navigation, menu, webhooks, billing, site.page('install')],
  mayLose: /\{% link/,
  text: { names: [/manual/] },
  good: { turns: [[moves(), turn(call('check', {})), finish(movedTitle, movedText)]], faults: [] },
  mediocre: { turns: [[moves({ redirect: false }), finish(movedTitle, movedText)]], faults: ['task'] },
  careless: { turns: [[moves({ updateLinks: false }), finish(movedTitle, movedText)]], faults: 'unpublished' },
}
