import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../lib/failure.ts'
import { CommandFailure, describeEnding, exitHelp, usage } from './exit.ts'

test('each ending has the exit code that the help names', () => {
  const table: readonly (readonly [Error, number])[] = [
    [new Error('a fault'), 1],
    [new Failure('not_found', 'There is none.'), 1],
    [usage('An option is wrong.'), 2],
    [new Failure('config_invalid', 'A setting is wrong.'), 2],
    [new CommandFailure('jobFailed', 'budget_exceeded', 'The job failed.'), 3],
    [new Failure('unavailable', 'Nothing responds.'), 4],
    [new Failure('data_in_use', 'Another process has it.'), 4],
    [new CommandFailure('needsInput', 'job_not_active', 'A question.'), 6],
    [new CommandFailure('stopped', 'job_active', 'Stopped watching.'), 130],
  ]
  for (const [error, code] of table) {
    assert.equal(describeEnding(error, false).exitCode, code, error.message)
    assert.match(exitHelp(), new RegExp(`^ {2}${code} `, 'm'))
  }
})
