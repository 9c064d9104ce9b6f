// The automation “Fix what the check finds” on a site of MkDocs: the navigation names a page that has another name, and a code
// fence is not closed.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn } from '../task.ts'

const site = docsSite('mkdocs')
const [config, limits] = ['mkdocs.yml', site.page('reference/limits')]
const entry = ['guides/bill.md', 'guides/billing.md'] as const
const open = '\n## Ask\n\nAsk for more:\n\n```sh\nacme limits --ask\n'
const fence = ['acme limits --ask\n', 'acme limits --ask\n```\n'] as const
const fixed =
  'The navigation names `guides/billing.md` again, and the last code block of `reference/limits.md` is closed.'

export const checkFindings: Task = {
  name: 'Fix what the check finds: an entry of the navigation, and a fence',
  files: {
    ...site.files,
    [config]: (site.files[config] ?? '').replace(entry[1], entry[0]),
    [limits]: `${site.files[limits]}${open}`,
  },
  automation: { kind: 'fix-check-findings', asks: [/Fix the problems that the check of the documentation finds/] },
  messages: [],
  wanted: [
    { path: config, contains: [entry[1]] },
    { path: limits, contains: ['acme limits --ask\n```'] },
  ],
  mayChange: [config, limits],
  text: { names: [/navigation/, /limits/] },
  good: {
    turns: [
      [
        turn(call('check', { old: true })),
        turn(edit(config, entry), edit(limits, fence)),
        turn(call('check', {})),
        finish('Fix the navigation and a code block', fixed),
      ],
    ],
    faults: [],
    says: [/navigation: .*guides\/bill\.md/],
  },
  mediocre: {
    turns: [[turn(edit(limits, fence)), finish('Close a code block', 'The code of `reference/limits.md` is closed.')]],
    faults: ['task', 'text'],
  },
  careless: {
    turns: [
      [
        turn(edit(config, entry), edit(limits, [open, '\n'])),
        finish('Fix the navigation and the limits', 'The check finds nothing any more.'),
      ],
    ],
    faults: ['task', 'content'],
  },
}
