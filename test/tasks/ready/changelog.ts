// The automation “Draft the changelog” on a site of Starlight: two commits of the source since the last release, of which users notice one.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn } from '../task.ts'

const site = docsSite('starlight')
const changelog = site.page('reference/events').replace('events', 'changelog')
const released = '## 1.1.0 (2026-10-01)\n\n- You can pause a team.\n'
const page = `---\ntitle: Changelog\ndescription: What is new.\n---\n\n## Unreleased\n\n${released}`
const entry = [
  '## Unreleased\n',
  '## Unreleased\n\n- You can export the events of a team: `acme events --export`.\n',
] as const
const drafted =
  'The changelog has an entry about `acme events --export`. The new tests of events get no entry: no user notices them.'

export const changelogDraft: Task = {
  name: 'Draft the changelog: an entry for what users notice',
  files: { ...site.files, [changelog]: page },
  automation: {
    kind: 'draft-changelog',
    source: [
      { 'src/events.ts': 'export const list = 1\n' },
      { 'src/events.ts': "export const list = 1\nexport const exported = flag('export')\n" },
      { 'test/events.ts': 'test()\n' },
    ],
    asks: [/Draft the entries of the changelog/],
  },
  messages: [],
  wanted: [{ path: changelog, contains: ['acme events --export', released], lacks: ['tests', '## 1.2'] }],
  mayChange: [changelog],
  text: { names: [/--export/] },
  good: {
    turns: [
      [
        turn(call('read_file', { path: changelog }), call('history', { path: '@api' })),
        turn(call('read_file', { path: '@api/src/events.ts' })),
        turn(edit(changelog, entry)),
        turn(call('check', {})),
        finish('Draft an entry about the export of events', drafted),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(edit(changelog, ['## Unreleased\n', `${entry[1]}- There are more tests of events.\n`])),
        finish('Draft the changelog', 'Two entries: `acme events --export`, and its tests.'),
      ],
    ],
    faults: ['task'],
  },
  careless: {
    turns: [
      [
        turn(
          edit(changelog, [
            `## Unreleased\n\n${released}`,
            '## 1.2.0\n\n- You can export events: `acme events --export`.\n',
          ]),
        ),
        finish('Release 1.2.0', 'The changelog has `acme events --export`.'),
      ],
    ],
    faults: ['task', 'content'],
  },
}
