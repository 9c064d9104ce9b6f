// A random life of automations that follow branches: people push, merge and rewrite, runs end well and badly, and processes stop
// between any two steps. Git itself says what is right: every commit of the final history by first parents, since the beginning, is
// in a run, skipped, set aside or waits, and each has one row.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { following, type Following } from '../../../test/support/following.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createRandom, type Random } from '../../../test/support/random.ts'
import type { TestRemote } from '../../../test/support/git-remote.ts'
import type { Postgres } from '../../postgres/types.ts'
import { isThorough, rounds } from '../../../test/support/rounds.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const minute = 60_000

/** One thing that people do to a branch. */
function change(remote: TestRemote, random: Random, at: number): void {
  const kind = random.int(10)
  const head = remote.head('main') ?? ''
  const write = (branch: string, name: string) =>
    remote.commit(branch, { [`docs/${name}.md`]: `${at}` }, `${name} ${at}`)
  if (kind < 6) {
    for (let count = random.int(3); count >= 0; count -= 1) write('main', `main${count}`)
  } else if (kind < 8) {
    // A merge, whose side has commits that are not in the history by first parents.
    remote.git(['update-ref', 'refs/heads/side', random.chance(0.5) ? head : older(remote, random)])
    const side = write('side', 'side')
    const tree = remote.git(['rev-parse', `${random.pick([head, side])}^{tree}`])
    const parents = random.chance(0.8) ? ['-p', head, '-p', side] : ['-p', side, '-p', head]
    remote.git(['update-ref', 'refs/heads/main', remote.git(['commit-tree', tree, ...parents, '-m', `Merge ${at}`])])
  } else if (kind < 9) {
    // A force push: back, and perhaps forward on another way.
    remote.git(['update-ref', 'refs/heads/main', older(remote, random)])
    if (random.chance(0.6)) write('main', 'again')
  } else if (random.chance(0.2)) {
    const tree = remote.git(['rev-parse', 'main^{tree}'])
    remote.git(['update-ref', 'refs/heads/main', remote.git(['commit-tree', tree, '-m', `Root ${at}`])])
  }
}

function older(remote: TestRemote, random: Random): string {
  const all = remote.git(['rev-list', '--first-parent', '--max-count=5', 'main']).split('\n')
  return all[random.int(all.length)] ?? ''
}

async function expectWhole(world: Following, id: string): Promise<void> {
  const rows = await world.commits(id)
  const position = await world.db
    .selectFrom('automation_positions')
    .selectAll()
    .where('automation_id', '=', id)
    .executeTakeFirstOrThrow()
  const wanted = world.docs.git(['rev-list', '--first-parent', 'main', `^${position.first_commit}`]).split('\n')
  const present = rows.filter((row) => row.left_at === null)
  assert.deepEqual(present.map(({ commit }) => commit).toSorted(), wanted.filter((one) => one !== '').toSorted())
  assert.equal(position.head_commit, world.docs.head('main'))
  const runs = new Map((await world.runs(id)).map((run) => [run.id, run]))
  for (const row of rows) {
    const run = runs.get(row.run_id ?? '')
    if (row.state === 'in_run') assert.ok(run?.job_id, 'a commit in a run has a job')
    // Here no run ends with a pull request, so nothing stays in one.
    if (row.state === 'in_run' && row.left_at === null) assert.equal(run?.settled_at, null)
    if (row.state === 'waiting') assert.equal(row.run_id, null)
    if (row.state === 'skipped' || row.state === 'set_aside') assert.ok(row.reason)
  }
  const open = [...runs.values()].filter((run) => run.settled_at === null && run.job_id !== null)
  assert.ok(open.length <= 1, 'one run at a time')
}

const steps = isThorough ? 60 : 30

for (let seed = 1; seed <= rounds(1); seed += 1) {
  test(`each commit of a random history has one state, seed ${seed}`, async (t) => {
    const random = createRandom(seed)
    const world = await following(t, postgres.db)
    const id = await world.create({ trigger: { type: 'docs', paths: [] } })
    await world.step()
    for (let at = 0; at < steps; at += 1) {
      if (random.chance(0.6)) change(world.docs, random, at)
      if (random.chance(0.7)) await world.look()
      if (random.chance(0.7)) await world.step()
      if (random.chance(0.6))
        await world.end(
          random.chance(0.7) ? undefined : random.pick(['model_refused', 'cancelled', 'model_not_configured']),
        )
      await world.clock.pass(random.int(20) * minute)
      if (at % 10 === 9) {
        await world.look()
        await expectWhole(world, id)
      }
    }
    for (let at = 0; at < 40; at += 1) {
      await world.step()
      await world.end()
      await world.clock.pass(60 * minute)
    }
    await world.step()
    await expectWhole(world, id)
    const left = (await world.commits(id)).filter((row) => row.left_at === null && row.state === 'waiting')
    assert.deepEqual(left, [], 'nothing waits forever')
  })
}
