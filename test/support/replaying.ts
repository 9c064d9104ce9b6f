// A job of three runs, and replays of its transcript with the command line, as it is and with lines of it changed.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReplayReport } from '../../src/jobs/transcript/replay/report.ts'
import { runCommand } from './command.ts'
import { countAnswers, type Scripted } from './model-server.ts'
import { edit, finish, type ScriptedService, write } from './scripted.ts'
import type { TestService } from './service.ts'

/** The next run dies once when it reaches this point. */
export type Dying = { point: string | undefined }

export function dieAt(dying: Dying): (point: string) => Promise<void> {
  return (point) => {
    if (point !== dying.point) return Promise.resolve()
    dying.point = undefined
    return Promise.reject(new Error('the run dies here'))
  }
}

const call = (name: string, input: object): Scripted => ({ calls: [{ name, input }] })

/** A job with unpublished edits that are carried over, a run that dies between two turns, and a follow-up. */
export async function runThreeTimes({ client, model, play }: ScriptedService, dying: Dying): Promise<string> {
  const first = [write('kept.md', '# Kept\n'), edit('index.md', '# Home', '# Begin'), { status: 400 }]
  model.script = (messages) => first[countAnswers(messages)] ?? { status: 400 }
  const { id } = await client.ended((await client.create('Add it')).id)
  dying.point = 'results stored'
  play(
    call('move_file', { from: 'guides/a.md', to: 'guides/b.md' }),
    edit('kept.md', '# Kept', '# Moved'),
    finish,
    finish,
  )
  await client.message(id, 'go on')
  assert.equal((await client.ended(id)).status, 'completed')
  assert.equal(dying.point, undefined)
  play(
    call('check', {}),
    call('changes', {}),
    call('revert', { path: 'index.md' }),
    call('delete_file', { path: 'guides/b.md' }),
    write('.github/a.md', 'x\n'),
    finish,
  )
  await client.message(id, 'delete it')
  assert.equal((await client.ended(id)).status, 'completed')
  return id
}

type Replayed = ReplayReport & { readonly code: number | null }

type Replaying = {
  /** The file as `docent job transcript --json` wrote it. */
  readonly text: string
  /** As people see it. */
  readonly shown: string
  readonly replay: (text: string) => Promise<Replayed>
  /** Replays with each line changed. Returns the exit code, the number of differences, and why the rest was not compared. */
  readonly without: (change: (line: string) => string) => Promise<readonly unknown[]>
}

export async function openReplay({ environment, folder, repository }: TestService, jobId: string): Promise<Replaying> {
  const { stdout: text } = await runCommand(['job', 'transcript', jobId, '--json'], environment)
  const { stdout: shown } = await runCommand(['job', 'transcript', jobId], environment)
  const file = join(folder, 'transcript.jsonl')
  const replay = async (lines: string) => {
    writeFileSync(file, lines)
    const ran = await runCommand(['job', 'replay', file, '--repository', repository, '--json'], {})
    assert.notEqual(ran.stdout, '', ran.stderr)
    return { code: ran.code, ...(JSON.parse(ran.stdout) as ReplayReport) }
  }
  return {
    text,
    shown,
    replay,
    without: async (change) => {
      const { code, differences, notCompared } = await replay(text.split('\n').map(change).join('\n'))
      return [code, differences.length, notCompared.map(({ run, turn, reason }) => [run, turn, reason.slice(0, 30)])]
    },
  }
}

function isRunLine(line: string, number: number): boolean {
  return line.startsWith('{"kind":"run"') && line.includes(`"number":${number},`)
}

function isTurnLine(line: string, run: number, number: number): boolean {
  return line.startsWith('{"kind":"turn"') && line.includes(`"run":${run},"number":${number},`)
}

/** Takes parts of the transcript of `runThreeTimes` away, and expects that the replay says what it could not compare. */
export async function expectNotCompared(without: Replaying['without']): Promise<void> {
  const lost = (line: string) => line.replace(/"startCommit":"\w+"/, `"startCommit":"${'0'.repeat(40)}"`)
  const notBegun = [
    [1, null, 'The repository has no commit 0'],
    [2, null, 'It began with an edit of index'],
  ]
  assert.deepEqual(await without((line) => (isRunLine(line, 1) ? lost(line) : line)), [0, 0, notBegun])
  const redact = (line: string) => line.replace('# Moved', '***').replace('"isRedacted":false', '"isRedacted":true')
  const redacted = await without((line) => (isTurnLine(line, 2, 2) ? redact(line) : line))
  assert.deepEqual(redacted, [0, 0, [[2, 2, 'A text of this turn was redact']]])
  const cut = await without((line) => (isTurnLine(line, 3, 1) ? '' : line))
  assert.deepEqual(cut, [0, 0, [[3, 2, 'The transcript has not all tur']]])
  const old = await without((line) => line.replace(/"pathPolicy":\{.*?\},/, '"pathPolicy":null,'))
  assert.deepEqual(old, [0, 0, [1, 2, 3].map((run) => [run, null, 'An earlier release did not sto'])])
}
