// Tasks on a site of VitePress: a page that is added, and a page that goes.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn, write } from '../task.ts'

const site = docsSite('vitepress')
const config = 'docs/.vitepress/config.ts'
const [billing, webhooks] = ['guides/billing', 'guides/webhooks'].map((name) => site.page(name)) as [string, string]
const retries = 'docs/guides/retries.md'

const page = `---
title: Retries
description: How often Acme sends a webhook again.
---

# Retries

Acme sends a [webhook](./webhooks.md) five times.
`
const lastGuide = "{ text: 'guides/billing', link: '/guides/billing' }"
const entry = [lastGuide, `${lastGuide}, { text: 'Retries', link: '/guides/retries' }`] as const
const look = turn(call('read_file', { path: webhooks }), call('read_file', { path: config }))

export const newPage: Task = {
  name: 'a page in the form of its neighbours',
  files: site.files,
  messages: ['Add a page guides/retries: Acme sends a webhook five times. It belongs in the sidebar, after billing.'],
  wanted: [
    { path: retries, contains: ['# Retries', 'five times'] },
    { path: config, contains: ["'/guides/retries'"] },
  ],
  mayChange: [retries, config],
  text: { names: [/retries/i] },
  good: {
    turns: [
      [
        look,
        turn(write(retries, page), edit(config, entry)),
        turn(call('check', {})),
        finish(
          'Add a page about retries',
          'A new page, `guides/retries.md`, says how often Acme sends a webhook. The sidebar has it after billing.',
        ),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        look,
        turn(write(retries, page)),
        finish('Add a page about retries', 'A new page, `guides/retries.md`, says how often Acme sends a webhook.'),
      ],
    ],
    faults: ['task', 'navigation'],
  },
  careless: {
    turns: [
      [
        turn(write(retries, page.replace('title: Retries', 'title: "Retries')), edit(config, entry)),
        finish('Add a page about retries', 'A new page about retries.'),
      ],
    ],
    faults: 'unpublished',
  },
}

const removed = 'The page about billing is deleted. The link to it and its entry in the sidebar are gone too.'

export const deletedPage: Task = {
  name: 'a page that goes, with everything that leads to it',
  files: site.files,
  messages: ['Delete the page guides/billing, and the links to it.'],
  wanted: [
    { path: billing, isGone: true },
    { path: config, lacks: ['guides/billing'] },
  ],
  mayChange: [billing, config, 'docs/guides/teams.md'],
  mayLose: /^Read \[the next page\]/,
  deletes: billing,
  text: { names: [/billing/], never: [/nothing (?:refers|links) to it/] },
  good: {
    turns: [
      [
        turn(call('delete_file', { path: billing, removeLinks: true })),
        turn(call('check', {})),
        finish('Delete the page about billing', removed),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(call('delete_file', { path: billing, removeLinks: true })),
        turn(edit(webhooks, ['## Begin', 'Ask us about invoices.\n\n## Begin'])),
        finish('Clean up the guides', 'Two old texts are gone; nothing links to it.'),
      ],
    ],
    faults: ['outside', 'text'],
  },
  careless: {
    turns: [[turn(call('delete_file', { path: billing })), finish('Delete the page about billing', removed)]],
    faults: 'unpublished',
  },
}
