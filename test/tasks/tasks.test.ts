// Tasks on sites of eight kinds, asked by a person or by a ready-made automation, each played by a good, a mediocre and a careless writer through the whole service,
// and judged without a model. The judge itself is tried on the untouched sites and on faults planted in good work.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SiteFiles } from '../support/docs-sites.ts'
import { type ScriptedService, startScriptedService } from '../support/scripted.ts'
import { changedPaths, type Fault, judge, type Proposal, scoreOf } from './judge.ts'
import { openDesk, play } from './play.ts'
import { otherFolder, renamedHeading } from './sites/docusaurus.ts'
import { movedSection, removedFeature } from './sites/jekyll.ts'
import { movedPage, newField, splitGuide } from './sites/mintlify.ts'
import { takenBack, term, wrongDefaults } from './sites/mkdocs.ts'
import { newEntry } from './sites/nextra.ts'
import { mergedPages } from './sites/merged.ts'
import { splitPage } from './sites/sphinx.ts'
import { descriptions, newFlag } from './sites/starlight.ts'
import { otherLanguages, rewrittenPage } from './sites/languages.ts'
import { deletedPage, newPage } from './sites/vitepress.ts'
import { changelogDraft } from './ready/changelog.ts'
import { codeChange } from './ready/code.ts'
import { failingPages } from './ready/failing-pages.ts'
import { checkFindings } from './ready/findings.ts'
import { brokenLinks } from './ready/links.ts'
import { maintained } from './ready/maintain.ts'
import { staleTerms } from './ready/terms.ts'
import { translation } from './ready/translate.ts'
import { type Aspect, aspects, type Task, type Writer } from './task.ts'
import { sampled } from '../support/rounds.ts'

const tasks: readonly Task[] = [
  newField,
  movedPage,
  splitGuide,
  newPage,
  deletedPage,
  renamedHeading,
  otherFolder,
  newFlag,
  descriptions,
  wrongDefaults,
  term,
  takenBack,
  splitPage,
  removedFeature,
  movedSection,
  mergedPages,
  otherLanguages,
  rewrittenPage,
  newEntry,
  brokenLinks,
  checkFindings,
  staleTerms,
  maintained,
  failingPages,
  codeChange,
  changelogDraft,
  translation,
]

let service: ScriptedService
before(async () => (service = await startScriptedService()))
after(() => service.close())

const say = (faults: readonly Fault[]) => faults.map(({ aspect, about }) => `${aspect}: ${about}`).join('\n')
const aspectsOf = (faults: readonly Fault[]): readonly Aspect[] =>
  aspects.filter((aspect) => faults.some((fault) => fault.aspect === aspect))

for (const task of sampled(tasks)) {
  test(`${task.name}: three writers get what they deserve`, async () => {
    const untouched = await judge(task, task.files, undefined)
    assert.ok(untouched.some(({ aspect, about }) => aspect === 'task' && about !== 'there is no pull request'))
    assert.equal(scoreOf(untouched), 0)

    const desk = await openDesk(service, task)
    const deserve = async (writer: Writer) => {
      const { job, files, proposal, said, asked } = await play(desk, task, writer)
      const faults = await judge(task, files, proposal)
      const shown = `${JSON.stringify(job.error)}\n${say(faults)}`
      if (writer.faults === 'unpublished') {
        assert.equal(job.error?.code, 'checks_failed', shown)
        assert.equal(proposal, undefined)
      } else if (writer.faults === 'refused') {
        assert.equal(job.error?.code, 'policy_refused', shown)
        assert.equal(proposal, undefined)
      } else assert.deepEqual(aspectsOf(faults), writer.faults, shown)
      for (const words of task.automation?.asks ?? []) assert.match(asked, words)
      for (const words of writer.says ?? []) assert.match(said, words)
      return { files, proposal, score: scoreOf(faults) }
    }
    const good = await deserve(task.good)
    const mediocre = await deserve(task.mediocre)
    const careless = await deserve(task.careless)
    assert.equal(good.score, 3)
    assert.ok(mediocre.score < 3 && careless.score < 3)
    await plantFaults(task, good.files, good.proposal)
  })
}

/** Every planted fault is found in good work, under its aspect. */
async function plantFaults(task: Task, files: SiteFiles, proposal: Proposal | undefined): Promise<void> {
  assert.ok(proposal)
  const find = async (aspect: Aspect, changed: SiteFiles, said = proposal) => {
    const faults = await judge(task, changed, said)
    assert.ok(aspectsOf(faults).includes(aspect), `${aspect} in ${say(faults)}`)
  }
  const bystander = Object.keys(files).find((path) => /guides\/webhooks\.(?:mdx?|rst)$/.test(path)) ?? ''
  const text = files[bystander] ?? ''
  await find('content', { ...files, [bystander]: text.replace('acme start\n', '') })
  await find('links', {
    ...files,
    [bystander]: `${text}\n${bystander.endsWith('.rst') ? ':doc:`lost`' : '[Lost](./lost.md)'}\n`,
  })
  await find('outside', { ...files, 'README.txt': 'Hello.\n' })
  await find('text', files, { ...proposal, text: `${proposal.text} \`guides/lost.md\` is new.` })
  await find('text', files, { title: 'Improve the docs', text: 'They are better now.' })
  await find('navigation', without(files, bystander))
  const changed = changedPaths(task.files, files).find((path) => files[path] !== undefined) ?? ''
  await find('task', without(files, changed))
}

function without(files: SiteFiles, path: string): SiteFiles {
  return Object.fromEntries(Object.entries(files).filter(([name]) => name !== path))
}
