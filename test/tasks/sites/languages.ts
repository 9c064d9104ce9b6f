// Tasks on a site of Starlight in two languages: the redirects of a page that goes in both, and a page that is written again
// while a redirect with a pattern covers half of the site.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn, write } from '../task.ts'

const site = docsSite('starlight')
const config = 'astro.config.mjs'
const [billing, teams, domains] = ['guides/billing', 'guides/teams', 'guides/domains'].map((name) =>
  site.page(name),
) as [string, string, string]
const french = (path: string) => path.replace('docs/guides', 'docs/fr/guides')
const languages = {
  ...site.files,
  [config]: (site.files[config] ?? '').replace(
    "title: 'Acme',",
    "title: 'Acme',\n      locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français' } },",
  ),
  [billing]: '---\ntitle: Billing\ndescription: Bills.\n---\n\n## Invoices\n\nAn invoice comes in the first week.\n',
  [french(billing)]: '---\ntitle: Factures\n---\n\n## Factures\n\nUne facture arrive chaque mois.\n',
  [french(teams)]: '---\ntitle: Équipes\n---\n\nUne équipe a cinquante personnes.\n',
}
const redirect = (name: string) =>
  edit(config, ["'/old': '/install'", `'/old': '/install', '${name}billing': '${name}teams'`])
const merge = (of: (path: string) => string, section: string) => [
  turn(call('edit_file', { path: of(billing), edits: [{ section, moveTo: of(teams) }] })),
  turn(call('delete_file', { path: of(billing), removeLinks: true })),
]
const first = [
  ...merge((path) => path, '#invoices'),
  turn(redirect('/guides/')),
  finish('Put billing on the page about teams', 'The page `guides/billing.mdx` is now a part of `guides/teams.mdx`.'),
]
const whole = finish(
  'Put billing on the page about teams, also in French',
  '`guides/billing.mdx` is now a part of `guides/teams.mdx`, in both languages, and the old addresses redirect.',
)

export const otherLanguages: Task = {
  name: 'the redirects of a page that is merged in one language, then in the other',
  files: languages,
  messages: ['Put guides/billing into guides/teams, and redirect the old address.', 'Redirect the other language too.'],
  wanted: [
    { path: teams, contains: ['## Invoices'] },
    { path: config, contains: ["'/fr/guides/billing': '/fr/guides/teams'"], lacks: ["'guides/billing'"] },
  ],
  mayLose: /^---$|^title: |^description: |^Read \[the next page\]/,
  mayChange: [billing, teams, french(billing), french(teams), domains, config],
  text: { names: [/billing/] },
  good: {
    turns: [
      first,
      [turn(redirect('/fr/guides/')), whole, ...merge(french, '#factures'), turn(call('check', {})), whole],
    ],
    faults: [],
    says: [/hides|has the address/, /its translations stay: src\/content\/docs\/fr\/guides\/billing\.mdx/],
  },
  mediocre: {
    turns: [first, [turn(redirect('/fr/guides/'), call('delete_file', { path: french(billing) })), whole]],
    faults: ['content'],
  },
  careless: {
    turns: [first, [turn(redirect('/fr/guides/')), whole]],
    faults: ['navigation'],
    says: [/^draft/],
  },
}

const long = `---
title: Teams
description: How teams work.
---

${['Begin', 'Roles', 'Leave'].map((name) => `## ${name}\n\nPeople of a team share what they make.\n\n\`\`\`sh\nacme ${name.toLowerCase()}\n\`\`\`\n`).join('\n')}`
const note = 'A team has at most fifty people. See [the limits](../reference/limits.mdx).'
const short = `---
title: Teams
---

## Begin

A team has at most fifty people. See [the limits](/reference/limit/), and [roles](./role.mdx).

![A team](./team.png)
`
const noted = 'The page `guides/teams.mdx` says how many people a team has.'
const invite = (text: string) => edit(teams, ['## Begin\n', `## Begin\n\n${text}\n`])

export const rewrittenPage: Task = {
  name: 'a note on a page, while a redirect with a pattern covers half of the site',
  files: {
    ...site.files,
    [teams]: long,
    'netlify.toml':
      '[[redirects]]\nfrom = "/:locale/v1/*"\nto = "/install/"\n\n[[redirects]]\nfrom = "/*"\nto = "/404"\nstatus = 404\n',
  },
  messages: ['Say on guides/teams that a team has at most fifty people.'],
  wanted: [{ path: teams, contains: ['at most fifty people'] }],
  mayChange: [teams],
  text: { names: [/teams/] },
  good: {
    turns: [[turn(invite(note)), turn(call('check', {})), finish('Say how many people a team has', noted)]],
    faults: [],
    says: [/^ready/, /no new problems/],
  },
  mediocre: {
    turns: [[turn(invite(note.replace('limits.mdx', 'limit.mdx'))), finish('Say how many people a team has', noted)]],
    faults: ['links'],
    says: [/^draft/],
  },
  careless: {
    turns: [[turn(write(teams, short)), turn(call('check', {})), finish('Say how many people a team has', noted)]],
    faults: ['content', 'links'],
    says: [
      /^draft/,
      /\/reference\/limit\//,
      /role\.mdx/,
      /team\.png/,
      /Lost from the documentation.*guides\/teams\.mdx/,
      /\[lost.*\n.*2 headings \(Roles, Leave\); 3 code blocks/,
    ],
  },
}
