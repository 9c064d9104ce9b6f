// Tasks on a site of MkDocs: a page that contradicts the code, a term in prose and code, and a follow-up that takes
// something back.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn, write } from '../task.ts'

const site = docsSite('mkdocs')
const [cli, limits, teams] = ['reference/cli', 'reference/limits', 'guides/teams'].map((name) => site.page(name)) as [
  string,
  string,
  string,
]

const code = "OPTIONS = {\n    'port': 8080,\n    'strict': True,\n    'theme': 'plants',\n}\n"
const options = `
## Options

- \`port\`: the port of the server. Default: \`8000\`.
- \`strict\`: whether warnings are errors. Default: \`false\`.
- \`theme\`: the look of the pages. Default: \`plants\`.
`
const port = ['Default: `8000`', 'Default: `8080`'] as const
const strict = ['Default: `false`', 'Default: `true`'] as const

export const wrongDefaults: Task = {
  name: 'a page that contradicts the code',
  files: { ...site.files, [cli]: `${site.files[cli]}${options}`, 'acme/defaults.py': code },
  messages: ['Compare the options in reference/cli with acme/defaults.py, and correct the page.'],
  wanted: [{ path: cli, contains: ['Default: `8080`', 'Default: `true`', 'Default: `plants`'] }],
  mayChange: [cli],
  mayLose: /Default: /,
  text: { names: [/port/, /strict/], never: [/theme/] },
  good: {
    turns: [
      [
        turn(call('read_file', { path: cli }), call('read_file', { path: 'acme/defaults.py' })),
        turn(edit(cli, port, strict)),
        finish('Correct two defaults', '`port` is 8080 and `strict` is true, as `acme/defaults.py` says.'),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(call('read_file', { path: cli })),
        turn(edit(cli, port)),
        finish('Correct the defaults', '`port` is 8080, as `defaults.py` says; strict is right.'),
      ],
    ],
    faults: ['task'],
  },
  careless: {
    turns: [
      [
        turn(write(cli, `---\ntitle: reference/cli\ndescription: About it.\n---\n\n# Options\n${options.slice(12)}`)),
        finish('Rewrite the options', 'port and strict are right now.'),
      ],
    ],
    faults: ['task', 'content', 'links'],
  },
}

const signIn = '\nSign in first. Then run:\n\n```sh\nacme "Sign in"\n```\n'
const termFiles = {
  ...site.files,
  [teams]: `${site.files[teams]}${signIn}`,
  [limits]: `${site.files[limits]}\nYou can Sign in five times a day.\n`,
}
const inTeams = ['Sign in first', 'Log in first'] as const
const inLimits = ['can Sign in five', 'can Log in five'] as const

export const term: Task = {
  name: 'a term in prose, but not in code',
  files: termFiles,
  messages: ['Replace "Sign in" by "Log in" in the text of all pages. Commands stay as they are.'],
  wanted: [
    { path: teams, contains: ['Log in first', 'acme "Sign in"'] },
    { path: limits, contains: ['Log in five'] },
  ],
  mayChange: [teams, limits],
  mayLose: /^Sign in first|can Sign in five/,
  text: { names: [/Log in/], never: [/commands? (?:too|as well)/i] },
  good: {
    turns: [
      [
        turn(call('search', { pattern: 'Sign in' })),
        turn(edit(teams, inTeams), edit(limits, inLimits)),
        finish('Say "Log in"', 'The text of 2 pages says "Log in". The command in teams stays.'),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [[turn(edit(teams, inTeams)), finish('Say "Log in"', 'The text of the page teams says "Log in".')]],
    faults: ['task'],
  },
  careless: {
    turns: [
      [
        turn(edit(teams, inTeams, ['acme "Sign in"', 'acme "Log in"']), edit(limits, inLimits)),
        finish('Say "Log in"', 'All 5 pages say "Log in", the command as well.'),
      ],
    ],
    faults: ['task', 'content', 'text'],
  },
}

const plants = '\n## Plants\n\nAn account holds 1,000 plants.\n'
const note = '\nAsk us for more.\n'
const added = finish(
  'Say how many plants an account holds',
  'limits has a section about plants, with a note: ask us for more.',
)
const start = [
  turn(call('read_file', { path: limits })),
  turn(edit(limits, ['## Begin', `${plants.trim()}\n${note}\n## Begin`])),
  added,
]

export const takenBack: Task = {
  name: 'a follow-up that takes something back',
  files: site.files,
  messages: [
    'Add a section to reference/limits: an account holds 1,000 plants; who needs more can ask us.',
    'Leave out the note about asking us.',
  ],
  wanted: [{ path: limits, contains: ['## Plants', 'An account holds 1,000 plants.'], lacks: ['Ask us'] }],
  mayChange: [limits],
  text: { names: [/plants/], never: [/with a note|ask us for more/i] },
  good: {
    turns: [
      start,
      [
        turn(edit(limits, [`${note}\n`, '\n'])),
        finish('Say how many plants an account holds', 'limits has a section about plants: an account holds 1,000.'),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      start,
      [turn(edit(limits, [`${note}\n`, '\n'])), finish('Leave a note out', 'The note is gone, as asked.')],
    ],
    faults: ['text'],
  },
  careless: {
    turns: [
      start,
      [
        turn(edit(limits, ['An account holds 1,000 plants.\n\nAsk us for more.\n', ''])),
        finish('Say how many plants an account holds', 'limits has a section about plants.'),
      ],
    ],
    faults: ['task'],
  },
}
