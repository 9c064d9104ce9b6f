// The automation “Fix broken links” on a site of MkDocs: one link has a target with another name, and one has no target any more.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn } from '../task.ts'

const site = docsSite('mkdocs')
const teams = site.page('guides/teams')
const line = 'A team has [webhooks](./webhook.md) and [a price](./prices.md).'
const target = ['./webhook.md', './webhooks.md'] as const
const words = ['[a price](./prices.md)', 'a price'] as const
const fixed =
  'In `guides/teams.md`, the link about webhooks leads to `guides/webhooks.md`. The page about prices is gone, so its link is gone, too.'

export const brokenLinks: Task = {
  name: 'Fix broken links: one has another name, and one has no target',
  files: { ...site.files, [teams]: `${site.files[teams]}\n${line}\n` },
  automation: { kind: 'fix-broken-links', asks: [/Fix the links, anchors and images/] },
  messages: [],
  wanted: [{ path: teams, contains: ['[webhooks](./webhooks.md) and a price.'], lacks: ['prices.md'] }],
  mayChange: [teams],
  mayLose: /^A team has \[webhooks\]/,
  text: { names: [/webhooks/], never: [/all links/] },
  good: {
    turns: [
      [
        turn(call('check', { old: true })),
        turn(call('read_file', { path: teams }), call('read_file', { path: site.page('guides/webhooks') })),
        turn(edit(teams, target, words)),
        turn(call('check', {})),
        finish('Fix two links of the guide to teams', fixed),
      ],
    ],
    faults: [],
    says: [/links to \.\/webhook\.md, which does not exist — did you mean \.\/webhooks\.md\?/],
  },
  mediocre: {
    turns: [[turn(edit(teams, target)), finish('Fix a link to webhooks', 'The link in `guides/teams.md` works.')]],
    faults: ['task'],
  },
  careless: {
    turns: [
      [
        turn(edit(teams, target, ['./prices.md', './price-list.md'])),
        finish('Fix all links', 'The links to webhooks and prices work.'),
      ],
    ],
    faults: ['task', 'links', 'text'],
    says: [/^draft/],
  },
}
