// Tasks on a site of Docusaurus: a heading that other pages link to, and a page that belongs into another folder.

import { docsSite } from '../../support/docs-sites.ts'
import { call, edit, finish, type Task, turn } from '../task.ts'

const site = docsSite('docusaurus')
const [install, deploy, limits, errors] = ['install', 'guides/deploy', 'reference/limits', 'reference/errors'].map(
  (name) => site.page(name),
) as [string, string, string, string]
const link = ['./guides/deploy.md#begin', './guides/deploy.md#first-deployment'] as const
const heading = ['## Begin', '## First deployment'] as const
const said = 'The heading is "First deployment" now, and the link from the installation page follows it.'

export const renamedHeading: Task = {
  name: 'a heading that another page links to',
  files: site.files,
  messages: ['In guides/deploy, call the section "Begin" "First deployment".'],
  wanted: [{ path: deploy, contains: ['## First deployment'], lacks: ['## Begin'] }],
  mayChange: [deploy, install],
  mayLose: /^## Begin$/,
  text: { names: [/First deployment/] },
  good: {
    turns: [
      [
        turn(call('search', { pattern: 'deploy.md#begin' })),
        turn(edit(deploy, heading), edit(install, link)),
        turn(call('check', {})),
        finish('Rename a section of the deployment guide', said),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(edit(deploy, heading), edit(install, link), edit(errors, ['acme start', 'acme start --verbose'])),
        finish('Rename a section of the deployment guide', said),
      ],
    ],
    faults: ['content', 'outside'],
  },
  careless: {
    turns: [[turn(edit(deploy, heading)), finish('Rename a section', 'The heading is "First deployment" now.')]],
    faults: ['links'],
  },
}

const moved = 'docs/guides/limits.md'

export const otherFolder: Task = {
  name: 'a page that moves into another folder',
  files: site.files,
  messages: ['The page reference/limits is a guide. Move it to guides/limits, and put it under Guides in the sidebar.'],
  wanted: [
    { path: limits, isGone: true },
    { path: moved, contains: ['# reference/limits'] },
    { path: 'sidebars.js', contains: ['guides/limits'], lacks: ['reference/limits'] },
  ],
  mayChange: ['docs/**', 'sidebars.js', 'docusaurus.config.js'],
  text: { names: [/guides\/limits/], never: [/redirect (?:is|was) (?:written|added)/] },
  good: {
    turns: [
      [
        turn(call('move_file', { from: limits, to: moved })),
        turn(call('read_file', { path: 'sidebars.js' })),
        turn(
          edit(
            'sidebars.js',
            [',"guides/limits","reference/events"', ',"reference/events"'],
            ['"guides/billing"]', '"guides/billing","guides/limits"]'],
          ),
        ),
        finish(
          'Make limits a guide',
          'The page is at `guides/limits.md`, with all links. The old address needs a redirect in `docusaurus.config.js`: please add one.',
        ),
      ],
    ],
    faults: [],
  },
  mediocre: {
    turns: [
      [
        turn(call('move_file', { from: limits, to: moved })),
        finish('Move a page', 'It is under Guides now; `sidebar.ts` names it. A redirect was added.'),
      ],
    ],
    faults: ['text'],
  },
  careless: {
    turns: [
      [
        turn(call('move_file', { from: limits, to: moved, updateLinks: false })),
        finish('Make limits a guide', 'The page is at `guides/limits.md`, with all links.'),
      ],
    ],
    faults: 'unpublished',
  },
}
