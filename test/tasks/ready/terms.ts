// The automation “Update stale terms and values” on a site of Docusaurus: a source has renamed an option and changed a default since
// the page was written. A page about the past stays.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn } from '../task.ts'

const site = docsSite('docusaurus')
const [teams, limits] = ['guides/teams', 'reference/limits'].map((name) => site.page(name)) as [string, string]
const options = (name: string, retries: number) =>
  `export const options = {\n  "${name}": number(100),\n  "retries": number(${retries}),\n}\n`
const flag = ['`--max-lines`', '`--max-rows`'] as const
const retries = ['(default `3`)', '(default `5`)'] as const
const fixed =
  'In `guides/teams.md`, `--max-lines` is `--max-rows` now, and `--retries` is 5 by default, as src/options.ts of api shows.'

export const staleTerms: Task = {
  name: 'Update stale terms and values: an option, and a default',
  files: {
    ...site.files,
    [teams]: `${site.files[teams]}\nSet \`--max-lines\`.\n\nA request is sent again: \`--retries\` (default \`3\`).\n`,
    [limits]: `${site.files[limits]}\nSince 2.0, \`--max-rows\` replaces \`--max-lines\`.\n`,
  },
  automation: {
    kind: 'stale-terms',
    source: [
      { 'src/options.ts': options('max-lines', 3) },
      { 'src/options.ts': options('max-rows', 5) },
      { 'src/new.ts': 'new\n' },
    ],
    asks: [/Bring names and values of the documentation up to date/],
  },
  messages: [],
  wanted: [
    { path: teams, contains: ['Set `--max-rows`.', '(default `5`)'], lacks: ['--max-lines'] },
    { path: limits, contains: ['replaces `--max-lines`'] },
  ],
  mayChange: [teams],
  mayLose: /^Set `--max|^A request is sent again/,
  text: { names: [/--max-rows/, /--retries/] },
  good: {
    turns: [
      [
        turn(call('check', { old: true })),
        turn(call('read_file', { path: '@api/src/options.ts' })),
        turn(edit(teams, flag, retries)),
        turn(call('check', {})),
        finish('Update an option and a default', fixed),
      ],
    ],
    faults: [],
    says: [/stale-term: names --max-lines, which api removed/, /stale-value: says 3 of --retries/],
  },
  mediocre: {
    turns: [
      [
        turn(edit(teams, flag)),
        finish('Update an option', '`--max-lines` is `--max-rows` now; `--retries` is still right.'),
      ],
    ],
    faults: ['task'],
  },
  careless: {
    turns: [
      [
        turn(edit(teams, flag, retries), edit(limits, ['replaces `--max-lines`', 'replaces `--max-rows`'])),
        finish('Update options', fixed),
      ],
    ],
    faults: ['task', 'content', 'outside'],
  },
}
