// The automation “Update from code changes” on a site of VitePress: a source has another default and a new option, which the page about
// the command line does not have.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, type Task, turn } from '../task.ts'

const site = docsSite('vitepress')
const cli = site.page('reference/cli')
const options = (port: number, more = '') => `export const options = {\n  port: number(${port}),\n${more}}\n`
const port = [
  '`--port`: the port of the server. Default: `8000`.',
  '`--port`: the port of the server. Default: `8080`.',
] as const
const host = '- `--host`: the address to listen on. Default: `127.0.0.1`.'
const both = [`- ${port[0]}`, `- ${port[1]}\n${host}`] as const
const sources = [{ page: cli, source: '@api/src/options.ts:2-3' }]
const summary = 'The default of `--port` is 8080, and `--host` is new, as commit "Listen on a host" of api shows.'
const close = (title: string, text: string, cited: object = { sources }) =>
  turn(call('finish', { title, summary: text, ...cited }))

export const codeChange: Task = {
  name: 'Update from code changes: a default, and a new option',
  files: { ...site.files, [cli]: `${site.files[cli]}\n## Options\n\n- ${port[0]}\n` },
  automation: {
    kind: 'update-from-code',
    source: [{ 'src/options.ts': options(8000) }, { 'src/options.ts': options(8080, "  host: text('127.0.0.1'),\n") }],
    asks: [/Bring the documentation up to date with a change of the product/],
  },
  messages: [],
  wanted: [{ path: cli, contains: ['Default: `8080`', '`--host`'] }],
  mayChange: [cli],
  mayLose: /Default: `8000`/,
  text: { names: [/--port/, /--host/] },
  good: {
    turns: [
      [
        turn(call('read_file', { path: '@api/src/options.ts' }), call('read_file', { path: cli })),
        turn(edit(cli, both)),
        turn(call('check', {})),
        close('Document the options of the server as they are now', summary),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(edit(cli, [`- ${port[0]}`, `- ${port[1]}`])),
        close('Correct a default', 'The default of `--port` is 8080; `--host` needs no change.', {}),
      ],
    ],
    faults: ['task'],
  },
  careless: {
    turns: [
      [
        turn(edit(cli, [`\n## Options\n\n- ${port[0]}\n`, `\n${host}\n`])),
        close('Rewrite the options', '`--port` and `--host` are documented.', {}),
      ],
    ],
    faults: ['task', 'content'],
  },
}
