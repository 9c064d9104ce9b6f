// A task on a site of Nextra 4: a page, and its place in the folder's `_meta`.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn, write } from '../task.ts'

const meta = 'content/guides/_meta.js'
const retries = 'content/guides/retries.mdx'
const site = docsSite('nextra')
const files = {
  ...site.files,
  [meta]:
    "export default { deploy: 'Deploy', webhooks: 'Webhooks', domains: 'Domains', teams: 'Teams', billing: 'Billing' }\n",
}
const page = `---
title: Retries
description: How often Acme sends a webhook again.
---

# Retries

Acme sends a [webhook](./webhooks.mdx) five times.
`
const entry = edit(meta, ["webhooks: 'Webhooks'", "webhooks: 'Webhooks', retries: 'Retries'"])
const said = 'A new page, `guides/retries.mdx`, says how often Acme sends a webhook.'

export const newEntry: Task = {
  name: 'a page with an entry in the file of its folder',
  files,
  messages: ['Add a page guides/retries after webhooks: Acme sends a webhook five times.'],
  wanted: [
    { path: retries, contains: ['# Retries', 'five times'] },
    { path: meta, contains: ['retries:'] },
  ],
  mayChange: [retries, meta],
  text: { names: [/retries/i] },
  good: {
    turns: [
      [
        turn(call('read_file', { path: meta })),
        turn(write(retries, page), entry),
        turn(call('check', {})),
        finish('Add a page about retries', said),
      ],
    ],
    faults: [],
  },
  mediocre: { turns: [[turn(write(retries, page)), finish('Add a page about retries', said)]], faults: ['task'] },
  careless: {
    turns: [
      [turn(write(retries, page.replace('./webhooks', './hooks')), entry), finish('Add a page about retries', said)],
    ],
    faults: ['links'],
  },
}
