// A task on a site of MkDocs that keeps no redirects: two pages with ids of their own become one, and the old address leads
// to it.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn, write } from '../task.ts'

const site = docsSite('mkdocs')
const [teams, billing] = [site.page('guides/teams'), site.page('guides/billing')]
const invoices = '\n## Invoices { #invoices }\n\nAn invoice comes in the first week.\n'
const cards = '\n## Cards { #cards }\n\nA card is charged once a month.\n'
const files = {
  ...site.files,
  'mkdocs.yml': (site.files['mkdocs.yml'] ?? '').replace(/\nplugins:[^]*/, '\n'),
  [teams]: `# Teams { #teams }\n\nRead [the bill](billing.md#invoices).\n\n## Limits { #limits }\n\nA team has fifty people.\n`,
  [billing]: `# Billing { #billing }\n${invoices}${cards}`,
  [site.page('guides/domains')]: `${site.files[site.page('guides/domains')]}\n[Pay](billing.md#cards)\n`,
}
const stub = '<meta http-equiv="refresh" content="0; url=../teams/">\n'
const title = 'Put billing on the page about teams'
const said = 'The sections of `guides/billing.md` are now in `guides/teams.md`, and the old address leads there.'
const domains = site.page('guides/domains')
const remove = edit('mkdocs.yml', ['      - guides/billing.md\n', ''])
const links = [
  edit(teams, ['(billing.md#invoices)', '(#invoices)']),
  edit(domains, ['(billing.md#cards)', '(teams.md#cards)']),
]
const section = (name: string) => call('edit_file', { path: billing, edits: [{ section: name, moveTo: teams }] })
const merge = [turn(section('#invoices'), section('#cards')), turn(remove, ...links)]

export const mergedPages: Task = {
  name: 'two pages that become one, on a site without a list of redirects',
  files,
  messages: ['Put guides/billing into guides/teams: keep the headings and their ids, and redirect the old address.'],
  wanted: [
    { path: teams, contains: ['## Invoices { #invoices }', '## Cards { #cards }'] },
    { path: billing, contains: ['url=../teams/'] },
    { path: 'mkdocs.yml', lacks: ['billing'] },
  ],
  mayChange: [teams, billing, domains, 'mkdocs.yml'],
  mayLose: /^# Billing/,
  text: { names: [/billing/, /teams/] },
  good: {
    turns: [[...merge, turn(write(billing, stub)), turn(call('check', {})), finish(title, said)]],
    faults: [],
    says: [/no new problems/],
  },
  mediocre: {
    turns: [[merge[0] ?? turn(), turn(remove), turn(write(billing, stub)), finish(title, said)]],
    faults: ['links'],
    says: [/billing\.md#invoices/, /^draft/],
  },
  careless: {
    turns: [[turn(remove, ...links), turn(write(billing, stub)), finish(title, said)]],
    faults: ['task', 'content', 'links'],
    says: [/^draft/, /Lost from the documentation.*billing\.md/],
  },
}
