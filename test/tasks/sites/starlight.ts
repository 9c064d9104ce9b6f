// Tasks on a site of Starlight: a page about a new flag, and descriptions that pages lack, some of them generated.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn, write } from '../task.ts'

const site = docsSite('starlight')
const config = 'astro.config.mjs'
const [cli, errors, limits] = ['reference/cli', 'reference/errors', 'reference/limits'].map((name) =>
  site.page(name),
) as [string, string, string]
const flag = 'src/content/docs/reference/plant-cache.mdx'

const page = `---
title: plantCache
description: An experimental cache of plants.
---

\`plantCache\` keeps plants between builds. It is \`false\` by default.
`
const entry = [
  "{ slug: 'reference/limits' }",
  "{ slug: 'reference/limits' }, { slug: 'reference/plant-cache' }",
] as const

export const newFlag: Task = {
  name: 'a page about an experimental flag',
  files: site.files,
  messages: [
    'Document the experimental flag plantCache in reference/plant-cache: it keeps plants between builds, and is false by default.',
  ],
  wanted: [
    { path: flag, contains: ['`false` by default', 'between builds'] },
    { path: config, contains: ['reference/plant-cache'] },
  ],
  mayChange: [flag, config],
  text: { names: [/plantCache/], never: [/since version \d/i] },
  good: {
    turns: [
      [
        turn(call('read_file', { path: cli }), call('read_file', { path: config })),
        turn(write(flag, page), edit(config, entry)),
        turn(call('check', {})),
        finish(
          'Document `plantCache`',
          '`reference/plant-cache.mdx` describes plantCache, and the sidebar lists it. To be filled in: the version that has it.',
        ),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(write(flag, page), edit(config, entry)),
        finish(
          'Document `plantCache`',
          '`reference/plant-cache.mdx` describes plantCache, since version 4.2. 3 files changed.',
        ),
      ],
    ],
    faults: ['text'],
  },
  careless: {
    turns: [
      [
        turn(write(flag, page), edit(config, ["{ slug: 'reference/limits' }", "{ slug: 'reference/plantcache' }"])),
        finish('Document `plantCache`', 'plantCache is documented.'),
      ],
    ],
    faults: 'unpublished',
  },
}

const mark = '{/* Generated from the source code. Do not edit. */}\n'
const without = (path: string) => (site.files[path] ?? '').replace(/description: .*\n/, '')
const files = {
  ...site.files,
  [cli]: without(cli),
  [limits]: without(limits),
  [errors]: without(errors).replace('\n# ', `\n${mark}\n# `),
}
const describe = (path: string, name: string, text: string) =>
  edit(path, [`title: ${name}\n`, `title: ${name}\ndescription: ${text}\n`])
const [ofCli, ofLimits] = ['What the command line can do.', 'How many plants an account holds.']

export const descriptions: Task = {
  name: 'descriptions that pages lack, but not those that are generated',
  files,
  messages: ['Add the missing descriptions to the pages of the reference.'],
  wanted: [
    { path: cli, contains: ['description: '] },
    { path: limits, contains: ['description: '] },
  ],
  mayChange: [cli, limits],
  text: { names: [/errors/], never: [/all pages/] },
  good: {
    turns: [
      [
        turn(...[cli, errors, limits].map((path) => call('read_file', { path }))),
        turn(describe(cli, 'reference/cli', ofCli), describe(limits, 'reference/limits', ofLimits)),
        finish(
          'Describe two pages of the reference',
          'cli and limits have a description. Left alone: `reference/errors.mdx`, which is generated.',
        ),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(
          describe(cli, 'reference/cli', ofCli),
          describe(limits, 'reference/limits', ofLimits),
          describe(errors, 'reference/errors', 'All errors.'),
        ),
        finish('Describe the reference', 'cli, limits and errors have a description: all pages.'),
      ],
    ],
    faults: ['outside', 'text'],
  },
  careless: {
    turns: [
      [
        turn(
          describe(cli, 'reference/cli', 'The command line: all of it'),
          describe(limits, 'reference/limits', ofLimits),
        ),
        finish('Describe the reference', 'cli and limits have a description; errors is generated.'),
      ],
    ],
    faults: 'unpublished',
  },
}
