// The automation “Maintain the documentation” on a site of Starlight: a page with errors of spelling and an empty description.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn } from '../task.ts'

const site = docsSite('starlight')
const [teams, billing] = ['guides/teams', 'guides/billing'].map((name) => site.page(name)) as [string, string]
const written = (site.files[teams] ?? '').replace('description: About guides/teams.', "description: ''")
const spelling = ['Teh members of an team', 'The members of a team'] as const
const description = [
  "description: ''",
  'description: Invite members to a team, and share the projects of Acme with them.',
] as const
const improved =
  'In `guides/teams.mdx`, one sentence is spelled as English is, and the page has a description. Nothing else needs a change.'

export const maintained: Task = {
  name: 'Maintain the documentation: spelling, and a description',
  files: { ...site.files, [teams]: `${written}\nTeh members of an team share its projects.\n` },
  automation: {
    kind: 'maintain',
    asks: [
      /\*\*Grammar\.\*\*/,
      /\*\*Style guide\.\*\*/,
      /\*\*Titles and descriptions\.\*\*/,
      /\*\*Outdated pages\.\*\*/,
    ],
  },
  messages: [],
  wanted: [{ path: teams, contains: [spelling[1], description[1]], lacks: ['Teh'] }],
  mayChange: [teams],
  mayLose: /^Teh members|^description: ''/,
  text: { names: [/teams/, /description/] },
  good: {
    turns: [
      [
        turn(call('read_file', { path: teams }), call('read_file', { path: billing })),
        turn(edit(teams, spelling, description)),
        turn(call('check', {})),
        finish('Spell a sentence of the guide to teams, and describe the page', improved),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(edit(teams, spelling, description), edit(billing, ['## Begin', '## Getting started'])),
        finish('Improve two guides', 'The guides to teams and billing read better; the first one has a description.'),
      ],
    ],
    faults: ['content', 'links', 'outside'],
  },
  careless: {
    turns: [
      [
        turn(edit(teams, ['Teh members of an team share its projects.', 'Members share projects.'])),
        finish('Shorten the guide to teams', 'It says the same in fewer words; its description is fine.'),
      ],
    ],
    faults: ['task'],
  },
}
