// The automation “Translate” on a site of MkDocs in two languages: a sentence of the source page is new, and another page only has another
// format.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn } from '../task.ts'

const site = docsSite('mkdocs')
const [teams, billing] = ['guides/teams', 'guides/billing'].map((name) => site.page(name)) as [string, string]
const german = (path: string) => path.replace('docs/', 'docs/de/')
const old = {
  ...site.files,
  [billing]: `${site.files[billing]}\nPay each month.\n`,
  [german(teams)]: '---\ntitle: Teams\n---\n\n# Teams\n\nEin Team teilt seine Projekte.\n',
  [german(billing)]: '---\ntitle: Rechnungen\n---\n\n# Rechnungen\n\nSie zahlen jeden Monat.\n',
}
const added = 'A team has at most fifty people.'
const sentence = [
  'Ein Team teilt seine Projekte.',
  'Ein Team teilt seine Projekte.\n\nEin Team hat höchstens fünfzig Mitglieder.',
] as const
const translated = 'The German page `de/guides/teams.md` has the new sentence about the size of a team.'

export const translation: Task = {
  name: 'Translate: only the sentence that is new',
  files: {
    ...old,
    [teams]: `${site.files[teams]}\n${added}\n`,
    [billing]: old[billing]?.replace('Pay each month.', 'Pay **each month**.') ?? '',
  },
  automation: {
    kind: 'translate',
    earlier: old,
    asks: [
      /Bring the translations of the documentation up to date/,
      /"translation":"docs\/de\/guides\/teams\.md","source":"docs\/guides\/teams\.md","since":"[0-9a-f]{40}"/,
    ],
  },
  messages: [],
  wanted: [
    { path: german(teams), contains: ['Ein Team teilt seine Projekte.', 'höchstens fünfzig'] },
    { path: german(billing), contains: ['Sie zahlen jeden Monat.'] },
  ],
  mayChange: [german(teams)],
  text: { names: [/teams/] },
  good: {
    turns: [
      [
        turn(call('read_file', { path: german(teams) }), call('read_file', { path: teams })),
        turn(edit(german(teams), sentence)),
        turn(call('check', {})),
        finish('Translate a sentence of the guide to teams', translated),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(
          edit(german(teams), sentence),
          edit(german(billing), ['Sie zahlen jeden Monat.', 'Sie zahlen **monatlich**.']),
        ),
        finish('Translate teams and billing', translated),
      ],
    ],
    faults: ['task', 'content', 'outside'],
  },
  careless: {
    turns: [
      [
        turn(edit(german(teams), ['Ein Team teilt seine Projekte.', 'Ein Team hat höchstens fünfzig Mitglieder.'])),
        finish('Translate teams', translated),
      ],
    ],
    faults: ['task', 'content'],
  },
}
