// Tasks on a site of Mintlify: a field of an API with a changelog and a translation, a page that moves, and a guide that
// becomes two.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn, write } from '../task.ts'

const site = docsSite('mintlify')
const [api, events, teams, domains] = ['reference/api', 'reference/events', 'guides/teams', 'guides/domains'].map(
  (name) => site.page(name),
) as [string, string, string, string]

const fields = `
## Visitors

| Field | Meaning |
| --- | --- |
| \`human\` | Visits of people |
| \`ai\` | Visits of agents |
`
const updates = `
## Updates

### 14 November 2026

Exports are faster.
`
const withApi = {
  ...site.files,
  [api]: `${site.files[api]}${fields}`,
  [events]: `${site.files[events]}${updates}`,
  'AGENTS.md': 'Edit English pages only. A workflow translates them into `fr/`.\n',
  'snippets/fr-visitors.mdx': fields.replace('Visits of people', 'Visites humaines'),
}
const row = '| `ai` | Visits of agents |'
const bots = `${row}\n| \`bots\` | Page views of crawlers, which \`total\` does not include |`
const update = '### 22 November 2026\n\nThe response of visitors has the field `bots`.\n\n### 14 November 2026'
const readFields = turn(call('read_file', { path: api }), call('read_file', { path: events }))

export const newField: Task = {
  name: 'a new field of the API, with its entry in the changelog',
  files: withApi,
  messages: [
    'The response of visitors has a new field `bots`: page views of crawlers. `total` does not include them. Document it in the API reference, and in the updates under 22 November 2026.',
  ],
  wanted: [
    { path: api, contains: ['`bots`', 'crawlers'] },
    { path: events, contains: ['### 22 November 2026', 'bots'] },
  ],
  mayChange: [api, events],
  text: { names: [/bots/, /updates|changelog/i], never: [/translat(?:ed|ions are)/] },
  good: {
    turns: [
      [
        readFields,
        turn(edit(api, [row, bots]), edit(events, ['### 14 November 2026', update])),
        finish('Document `bots`', 'The API reference describes the field `bots`, and the updates announce it.'),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        readFields,
        turn(
          edit(api, [row, bots]),
          edit(events, ['### 14 November 2026', update]),
          edit('snippets/fr-visitors.mdx', [row, '| `ai` | Visits of agents |\n| `bots` | Robots |']),
        ),
        finish('Document `bots`', 'The API reference and its translation describe `bots`. The updates announce it.'),
      ],
    ],
    faults: ['outside'],
  },
  careless: {
    turns: [
      [
        turn(edit(api, [row, '| `bots` | Bots |'])),
        finish('Add a field', 'The reference and the updates in `changelog.mdx` describe bots.'),
      ],
    ],
    faults: ['task', 'content', 'text'],
  },
}

const members = 'guides/members.mdx'
const redirect = '"source": "/guides/teams"'

export const movedPage: Task = {
  name: 'a page that gets another address',
  files: site.files,
  messages: ['Rename the page guides/teams to guides/members. Readers have the old address in their bookmarks.'],
  wanted: [
    { path: teams, isGone: true },
    { path: members, contains: ['# guides/teams'] },
    { path: 'docs.json', contains: ['"guides/members"', redirect], lacks: ['"guides/teams"'] },
  ],
  mayChange: ['guides/*.mdx', 'docs.json'],
  text: { names: [/members/], never: [/no redirect/] },
  good: {
    turns: [
      [
        turn(call('move_file', { from: teams, to: members })),
        turn(call('check', {})),
        finish(
          'Move teams to members',
          'The page is at `guides/members.mdx`. Links, navigation and a redirect from teams follow.',
        ),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(call('move_file', { from: teams, to: members, redirect: false })),
        finish('Move teams to members', 'The page is at `guides/members.mdx`. Links and navigation follow.'),
      ],
    ],
    faults: ['task'],
  },
  careless: {
    turns: [
      [
        turn(write(members, site.files[teams] ?? ''), call('delete_file', { path: teams })),
        finish('Move teams to members', 'Done.'),
      ],
    ],
    faults: 'unpublished',
  },
}

const certificates = 'guides/certificates.mdx'
const section = `
## Certificates

Acme gets a certificate for every domain.

### Renewal

A certificate is renewed 30 days before its end.
`
const withSection = { ...site.files, [domains]: `${site.files[domains]}${section}` }
const newPage = `---
title: Certificates
description: How Acme gets certificates.
---

# Certificates

Back to [domains](./domains.mdx).
`
const navigation = ['"guides/domains",', '"guides/domains",\n        "guides/certificates",'] as const
const summary =
  'The section about certificates is a page of its own, `guides/certificates.mdx`, and domains links to it.'

export const splitGuide: Task = {
  name: 'a section that becomes a page',
  files: withSection,
  messages: ['Move the section about certificates out of guides/domains into a page of its own, guides/certificates.'],
  wanted: [
    { path: certificates, contains: ['Acme gets a certificate for every domain.', '30 days before'] },
    { path: domains, contains: ['certificates'], lacks: ['Acme gets a certificate'] },
    { path: 'docs.json', contains: ['guides/certificates'] },
  ],
  mayChange: [domains, certificates, 'docs.json'],
  mayLose: /^## Certificates$/,
  text: { names: [/certificates/, /domains/] },
  good: {
    turns: [
      [
        turn(call('read_file', { path: domains }), call('read_file', { path: 'docs.json' })),
        turn(
          write(certificates, `${newPage}${section.replace('\n## Certificates\n', '')}`),
          edit(domains, [section, '\nSee [certificates](./certificates.mdx).\n']),
          edit('docs.json', navigation),
        ),
        turn(call('check', {})),
        finish('Give certificates their own page', summary),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(call('read_file', { path: domains })),
        turn(
          write(certificates, `${newPage}${section.replace('\n## Certificates\n', '')}`),
          edit(domains, [section, '\nSee [certificates](./certificates.mdx).\n']),
        ),
        finish('Give certificates their own page', summary),
      ],
    ],
    faults: ['task'],
  },
  careless: {
    turns: [
      [
        turn(
          write(certificates, `${newPage}\nAcme gets a certificate for every domain.\n`),
          edit(domains, [section, '\nSee [certificates](./certificates.mdx).\n']),
          edit('docs.json', navigation),
        ),
        finish('Give certificates their own page', `${summary} No word is lost.`),
      ],
    ],
    faults: ['task', 'content'],
  },
}
