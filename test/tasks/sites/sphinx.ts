// A task on a site of Sphinx in reStructuredText: a section with a label becomes a page of its own.

import { call, edit, finish, type Task, turn, write } from '../task.ts'

const index = 'docs/index.rst'
const deploy = 'docs/guides/deploy.rst'
const rollBack = 'docs/guides/roll-back.rst'

const section = `.. _roll-back:

Roll back
---------

Run \`\`acme undo\`\` to go back to the version before.
`
const files = {
  'docs/conf.py': "project = 'Acme'\n",
  [index]: `Acme
====

Read :doc:\`guides/deploy\`, and how to :ref:\`go back <roll-back>\`.

.. toctree::

   install
   guides/deploy
   guides/webhooks
`,
  'docs/install.rst': 'Install\n=======\n\nThen see :ref:`roll-back`.\n',
  [deploy]: `Deploy\n======\n\nRun \`\`acme deploy\`\`.\n\n${section}`,
  'docs/guides/webhooks.rst': 'Webhooks\n========\n\nA webhook is sent after :doc:`deploy`::\n\n   acme start\n',
}
const page = section.replace('---------', '=========')
const entry = ['   guides/deploy\n', '   guides/deploy\n   guides/roll-back\n'] as const
const taken = edit(deploy, [`\n${section}`, ''])
const title = 'Give rolling back a page of its own'
const said =
  'The section "Roll back" is now the page `guides/roll-back.rst`. Its label is the same, so links to it stay.'

export const splitPage: Task = {
  name: 'a section with a label that becomes a page',
  files,
  messages: ['Make a page guides/roll-back of the section "Roll back" in guides/deploy.'],
  wanted: [
    { path: rollBack, contains: ['.. _roll-back:', 'Roll back\n=========', '``acme undo``'] },
    { path: deploy, lacks: ['acme undo'] },
    { path: index, contains: ['guides/roll-back'] },
  ],
  mayChange: [index, deploy, rollBack],
  mayLose: /^-+$/,
  text: { names: [/roll-back/] },
  good: {
    turns: [[turn(write(rollBack, page), taken, edit(index, entry)), turn(call('check', {})), finish(title, said)]],
    faults: [],
  },
  mediocre: { turns: [[turn(write(rollBack, page), taken), finish(title, said)]], faults: ['task', 'navigation'] },
  careless: {
    turns: [
      [turn(write(rollBack, page.replace('.. _roll-back:\n\n', '')), taken, edit(index, entry)), finish(title, said)],
    ],
    faults: ['task', 'content', 'links'],
  },
}
