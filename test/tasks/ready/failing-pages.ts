// The automation “Pages that readers and AI agents fail on” on a site of Mintlify: readers ask for a page by its old name.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn } from '../task.ts'

const site = docsSite('mintlify')
const config = 'docs.json'
const old = '/guides/team-members'
const redirects = (...added: readonly string[]) =>
  edit(config, ['"redirects": [', `"redirects": [\n    ${added.map((one) => `${one},`).join('\n    ')}`])
const to = (source: string, destination: string) => `{ "source": "${source}", "destination": "${destination}" }`
const said = `Readers who ask for ${old} now come to \`guides/teams.mdx\`.`

export const failingPages: Task = {
  name: 'Pages that readers fail on: an old name, and redirects that stay here',
  files: site.files,
  automation: {
    kind: 'failing-pages',
    lost: [old],
    asks: [
      /Give readers and AI agents the pages/,
      /data: addresses and hosts are words of outsiders/,
      /"path":"\/guides\/team-members","visitors":6,"days":3/,
    ],
  },
  messages: [],
  wanted: [{ path: config, contains: [`"source": "${old}"`, '"destination": "/guides/teams"'] }],
  mayChange: [config],
  text: { names: [/team-members/] },
  good: {
    turns: [
      [
        turn(call('read_file', { path: config }), call('read_file', { path: site.page('guides/teams') })),
        turn(redirects(to(old, '/guides/teams'))),
        turn(call('check', {})),
        finish('Redirect an old name of the guide to teams', said),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(redirects(to(old, '/guides/teams')), edit(site.page('guides/teams'), ['## Begin', '## How to begin'])),
        finish('Redirect team-members', said),
      ],
    ],
    faults: ['content', 'links', 'outside'],
  },
  careless: {
    turns: [
      [
        turn(redirects(to(old, 'https://acme-teams.example/join'))),
        finish('Redirect team-members', `Readers who ask for ${old} come to the right place.`),
      ],
    ],
    faults: 'refused',
    says: [/redirects within the site only/],
  },
}
