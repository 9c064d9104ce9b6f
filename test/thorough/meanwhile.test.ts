// People merge, close, retarget, rename and delete while a follow-up works, on GitHub (token and App), GitLab, Gitea,
// Bitbucket and Azure DevOps: only the change of the run moves on, nothing is proposed twice, and the job says what happened.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { JobResponse } from '../../src/jobs/response.ts'
import { type Connected, connectForge, type ForgeService, startWithForges } from '../support/forge/connected-service.ts'
import type { TestForge } from '../support/forge/forge.ts'
import type { SeenRequest } from '../support/forge/server.ts'
import { graceOn } from '../support/forge/subjects.ts'
import type { Pull } from '../support/forge/world.ts'
import type { Scripted } from '../support/model-server.ts'
import { edit, finish, write } from '../support/scripted.ts'

const lines = ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.', 'Seven.']
const page = (text: readonly string[]) => `# A\n\n${text.join('\n\n')}\n`
const subjects = {
  github: 'github',
  'github app': 'github',
  gitlab: 'gitlab',
  gitea: 'gitea',
  bitbucket: 'bitbucket',
  azure: 'azure',
} as const
type Subject = keyof typeof subjects
const names = Object.keys(subjects) as Subject[]

let service: ForgeService<Subject>
before(async () => {
  const files = { 'docs/a.md': page(lines), 'docs/b.md': page(lines), 'docs/c.md': page(lines) }
  service = await startWithForges(names.map((name) => [name, { kind: subjects[name], files }]))
})
after(() => service.close())

/** Plays the run, in which people act before the model answers. */
function playWhile(act: () => void, ...answers: readonly Scripted[]): void {
  service.play(...answers)
  const { script } = service.model
  const state = { hasActed: false }
  service.model.script = async (messages, asked) => {
    const answer = await script(messages, asked)
    if (!state.hasActed) act()
    state.hasActed = true
    return answer
  }
}

for (const name of names) {
  suite(name, () => {
    let forge: TestForge
    let connected: Connected
    before(async () => {
      const found = service.forges.get(name)
      assert.ok(found)
      forge = found
      connected = await connectForge(service, forge, { isApp: name === 'github app' })
      await connected.send('PATCH', '', { pullRequest: { labels: ['docs'], reviewers: [graceOn(forge.kind)] } })
    })

    const show = (ref: string | null, path: string) => forge.remote.git(['show', `${ref}:${path}`])
    const base = () => forge.remote.git(['symbolic-ref', '--short', 'HEAD'])
    const changed = ({ branch, base: onto }: Pick<Pull, 'branch' | 'base'>) =>
      forge.remote.git(['diff', '--name-only', `${onto}...${branch}`]).split('\n')
    const last = (): Pull => {
      const pull = forge.pulls.at(-1)
      assert.ok(pull)
      return pull
    }
    const end = (id: string) => connected.client.ended(id)
    const say = async (id: string, prompt: string): Promise<JobResponse> => {
      await connected.client.message(id, prompt)
      return await end(id)
    }

    /** A job whose open pull request changes the page. */
    async function openPull(path: string, oldText: string, newText: string) {
      service.play(edit(path, oldText, newText), finish)
      const job = await end((await connected.client.create(`Change ${path}`)).id)
      assert.equal(job.status, 'completed', JSON.stringify(job.error))
      return { job, pull: last(), branch: job.source.ref ?? '' }
    }

    /** People act when the request with this route arrives, once. */
    function actAt(isWanted: (request: SeenRequest) => boolean, act: () => void): () => void {
      const state = { hasActed: false }
      forge.fault = (request) => {
        if (!state.hasActed && isWanted(request)) {
          state.hasActed = true
          act()
        }
        return undefined
      }
      return () => {
        forge.fault = undefined
        assert.ok(state.hasActed, 'people acted')
      }
    }
    const isPush = ({ route }: SeenRequest) =>
      name === 'github app' ? /^(?:PATCH|POST) .*\/git\/refs/.test(route) : route === 'git receive-pack'
    /** The first list of pull requests after the push, which names this branch or no branch: the sweep of branches lists others. */
    function proposalOf(branch: string): (request: SeenRequest) => boolean {
      const state = { isPushed: false }
      return (request) => {
        state.isPushed ||= isPush(request)
        const url = decodeURIComponent(request.url)
        const isList = request.method === 'GET' && /(?:pulls|pullrequests|merge_requests)$/.test(request.route)
        return state.isPushed && isList && (url.includes(branch) || !url.includes('docent/job_'))
      }
    }

    function assertNew(job: JobResponse, pull: Pull): void {
      assert.deepEqual([job.status, job.outcome], ['completed', 'pull_request'], JSON.stringify(job.error))
      const opened = last()
      assert.deepEqual([job.pullRequest?.number, job.pullRequest?.state], [opened.number, 'open'])
      assert.deepEqual([opened.branch, opened.base], [`${pull.branch}-2`, base()])
      assert.deepEqual([opened.labels, opened.reviewers], [name === 'bitbucket' ? [] : ['docs'], ['grace']])
      assert.equal(forge.pulls.filter(({ branch }) => branch.startsWith(pull.branch)).length, 2)
      assert.equal(job.source.ref, opened.branch)
    }

    test('squashed and deleted while a follow-up works: only its change moves on', async () => {
      const { job, pull, branch } = await openPull('docs/a.md', 'One.', 'Uno.')
      playWhile(
        () => {
          forge.merge(pull.number, 'squash')
          forge.deleteBranch(branch)
          forge.push(base(), { 'docs/b.md': page(lines.with(6, 'A person.')) })
        },
        edit('docs/a.md', 'Seven.', 'Sette.'),
        edit('docs/b.md', 'One.', 'Ein.'),
        finish,
      )
      const next = await say(job.id, 'Change two pages')
      assertNew(next, pull)
      assert.deepEqual(changed(last()), ['docs/a.md', 'docs/b.md'])
      assert.equal(forge.remote.git(['rev-list', '--count', `${base()}..${last().branch}`]), '1')
      assert.equal(forge.remote.head(branch), null, 'the branch is not created again')
      assert.equal(show(next.source.ref, 'docs/a.md'), page(lines.with(0, 'Uno.').with(6, 'Sette.')).trim())
      assert.match(show(next.source.ref, 'docs/b.md'), /Ein\.[^]*A person\./)
      const diff = await connected.client.diff(job.id)
      assert.doesNotMatch(diff, /^[-+]Uno\./m)
      assert.match(diff, /^\+Sette\.$/m)
      assert.match(next.result?.text ?? '', new RegExp(`#${pull.number} was merged while this ran`))
      forge.merge(last().number)
    })

    test('merged just before the push: the branch is put back', async () => {
      const { job, pull, branch } = await openPull('docs/a.md', 'Three.', 'Tre.')
      const head = forge.remote.head(branch)
      const isOver = actAt(isPush, () => void forge.merge(pull.number))
      service.play(edit('docs/a.md', 'Four.', 'Quattro.'), finish)
      const next = await say(job.id, 'Change another line')
      isOver()
      assertNew(next, pull)
      assert.equal(forge.remote.head(branch), head)
      assert.equal(show(base(), 'docs/a.md').includes('Quattro.'), false)
      assert.deepEqual(changed(last()), ['docs/a.md'])
      forge.merge(last().number)
    })

    test('merged with the commit of the run: nothing else is proposed', async () => {
      const { job, pull, branch } = await openPull('docs/b.md', 'Two.', 'Due.')
      const isOver = actAt(proposalOf(branch), () => void forge.merge(pull.number))
      service.play(edit('docs/b.md', 'Three.', 'Tre.'), finish)
      const next = await say(job.id, 'Change another line')
      isOver()
      assert.deepEqual([next.status, next.outcome, last()], ['completed', 'pull_request', pull])
      assert.deepEqual([next.pullRequest?.number, next.pullRequest?.state], [pull.number, 'merged'])
      assert.match(show(base(), 'docs/b.md'), /Due\.\n\nTre\./)
    })

    test('closed while a follow-up works: a question, and the reply opens a new one', async () => {
      const { job, pull, branch } = await openPull('docs/a.md', 'Five.', 'Cinque.')
      const head = forge.remote.head(branch)
      playWhile(
        () => forge.close(pull.number),
        edit('docs/a.md', 'Cinque.', 'Fuenf.'),
        write('docs/d.md', '# D\n'),
        finish,
      )
      const asked = await say(job.id, 'Say it in German')
      assert.deepEqual([asked.status, asked.outcome], ['completed', 'needs_input'], JSON.stringify(asked.error))
      const question = `#${pull.number} was closed while this ran. Nothing was published; reply to open a new pull request with it.`
      assert.deepEqual([asked.result?.kind, asked.result?.text], ['question', question])
      assert.deepEqual([asked.pullRequest?.number, asked.pullRequest?.state], [pull.number, 'closed'])
      assert.deepEqual([last(), forge.remote.head(branch)], [pull, head])
      assert.match(await connected.client.diff(job.id), /^\+Fuenf\.$/m)
      service.play(finish)
      assertNew(await say(job.id, 'Yes'), pull)
      assert.deepEqual(changed(last()), ['docs/a.md', 'docs/d.md'])
      assert.match(show(last().branch, 'docs/a.md'), /Fuenf\./)
      forge.close(last().number)
    })

    test('closed just before the push: the branch is put back, and nothing is proposed', async () => {
      const { job, pull, branch } = await openPull('docs/c.md', 'Five.', 'Cinque.')
      const head = forge.remote.head(branch)
      const isOver = actAt(isPush, () => forge.close(pull.number))
      service.play(write('docs/e.md', '# E\n'), finish)
      const asked = await say(job.id, 'Add E')
      isOver()
      assert.deepEqual([asked.outcome, last(), forge.remote.head(branch)], ['needs_input', pull, head])
      if (name === 'bitbucket') return // It opens nothing again.
      forge.reopen(pull.number)
      service.play(finish)
      const next = await say(job.id, 'I opened it again')
      assert.deepEqual([next.pullRequest?.number, next.source.ref], [pull.number, branch], 'on the same branch')
      assert.deepEqual(changed(pull), ['docs/c.md', 'docs/e.md'])
      forge.close(pull.number)
    })

    test('the branch is deleted while a follow-up works: it is not created again', async () => {
      const { job, pull, branch } = await openPull('docs/c.md', 'Five.', 'Cinco.')
      playWhile(
        () => forge.deleteBranch(branch),
        edit('docs/c.md', 'One.', 'Primero.'),
        write('docs/f.md', '# F\n'),
        finish,
      )
      const asked = await say(job.id, 'Add F')
      assert.equal(asked.outcome, 'needs_input', JSON.stringify(asked.error))
      assert.match(
        asked.result?.text ?? '',
        new RegExp(`#${pull.number} was (?:closed|deleted) while|branch of #${pull.number} was deleted`),
      )
      service.play(finish)
      assertNew(await say(job.id, 'Yes'), pull)
      assert.equal(forge.remote.head(branch), null)
      assert.equal(forge.pull(pull.number).state, 'closed')
      assert.deepEqual(changed(last()), ['docs/c.md', 'docs/f.md'])
      assert.match(show(last().branch, 'docs/c.md'), /Primero\.[^]*Five\./, 'what was rejected is not carried')
      forge.close(last().number)
    })

    // Such a run publishes nothing, and the hosts have no part in it beyond the merge, which is tested above.
    if (name === 'github') {
      test('squashed, and the base has other words there: the conflict names the file', async () => {
        const { job, pull } = await openPull('docs/c.md', 'One.', 'Uno.')
        playWhile(
          () => {
            forge.merge(pull.number, 'squash')
            forge.push(base(), { 'docs/c.md': page(lines.with(0, 'Eins.')) })
          },
          edit('docs/c.md', 'Uno.', 'Un.'),
          write('docs/g.md', '# G\n'),
          finish,
        )
        const failed = await say(job.id, 'Say it in French')
        assert.deepEqual([failed.status, failed.error?.code], ['failed', 'branch_conflict'])
        assert.match(failed.error?.message ?? '', new RegExp(`#${pull.number} was merged while this ran.*docs/c\\.md`))
        assert.equal(failed.pullRequest?.state, 'merged')
        service.play(edit('docs/c.md', 'Eins.', 'Un.'), finish)
        assertNew(await say(job.id, 'Replace the German'), pull)
        assert.deepEqual(changed(last()), ['docs/c.md', 'docs/g.md'])
        forge.merge(last().number)
      })

      test('squashed, and the base has the change of the run too: nothing is left', async () => {
        const { job, pull, branch } = await openPull('docs/c.md', 'Three.', 'Tre.')
        playWhile(
          () => {
            forge.merge(pull.number, 'squash')
            forge.deleteBranch(branch)
            forge.push(base(), { 'docs/h.md': '# H\n' })
          },
          write('docs/h.md', '# H\n'),
          finish,
        )
        const next = await say(job.id, 'Add H')
        assert.deepEqual(
          [next.status, next.outcome, next.prLink],
          ['completed', 'no_changes', null],
          JSON.stringify(next.error),
        )
        assert.equal(last(), pull)
        assert.deepEqual([forge.remote.head(branch), forge.remote.head(`${branch}-2`)], [null, null])
      })
    }

    test('a base that people choose stays, and the diff is against it', async () => {
      const { job, pull } = await openPull('docs/c.md', 'Six.', 'Sei.')
      forge.push('next', { 'docs/next.md': '# Next\n' })
      forge.retarget(pull.number, 'next')
      service.play(write('docs/i.md', '# I\n'), finish)
      const second = await say(job.id, 'Add I')
      assert.deepEqual([second.status, pull.base], ['completed', 'next'], JSON.stringify(second.error))
      forge.push('later', { 'docs/c.md': page(lines.with(0, 'Later.')) })
      playWhile(() => forge.retarget(pull.number, 'later'), write('docs/j.md', '# J\n'), finish)
      const third = await say(job.id, 'Add J')
      assert.deepEqual([third.status, pull.base, last()], ['completed', 'later', pull], JSON.stringify(third.error))
      const listed = (await connected.client.pulls()).find(({ number }) => number === pull.number)
      assert.equal(listed?.base, 'later')
      forge.close(pull.number)
    })

    test('a default branch that is renamed is followed', async () => {
      const { job, pull } = await openPull('docs/c.md', 'Six.', 'Sechs.')
      forge.renameBranch('main', 'trunk')
      service.play(write('docs/k.md', '# K\n'), finish)
      const second = await say(job.id, 'Add K')
      assert.deepEqual([second.status, pull.base], ['completed', 'trunk'], JSON.stringify(second.error))
      const path = `/v1/projects/${connected.client.projectId}/pulls/${pull.number}/update`
      forge.push('trunk', { 'docs/theirs.md': '# Theirs\n' })
      const updated = await connected.client.call<{ base: string; behind: unknown }>('POST', path)
      assert.equal(updated.base, 'trunk')
      playWhile(() => forge.renameBranch('trunk', 'master'), write('docs/l.md', '# L\n'), finish)
      const third = await say(job.id, 'Add L')
      assert.deepEqual([third.status, pull.base, last()], ['completed', 'master', pull], JSON.stringify(third.error))
      assert.doesNotMatch(await connected.client.diff(job.id), /Theirs/)
      // A run without a pull request follows, too.
      playWhile(() => forge.renameBranch('master', 'main'), write('docs/m.md', '# M\n'), finish)
      const first = await end((await connected.client.create('Add M')).id)
      assert.deepEqual([first.status, last().base], ['completed', 'main'], JSON.stringify(first.error))
      forge.close(pull.number)
      forge.close(last().number)
    })
  })
}
