// Loaded before all tests: fails the suite if a timer, socket, child process or temporary folder is left behind. After the
// last test the process ends by itself unless something keeps it alive. If so, this names the cause, lets the reporter
// print its list of failures, and exits with an error.

import { readdirSync, rmSync } from 'node:fs'
import { after } from 'node:test'
import { temporaryRoot } from './temporary.ts'

const graceMs = 5_000
/** A killed process whose own children still end on a busy machine keeps its pipes open. */
const mostLooks = 12
const reportMs = 2_000

after(() => setTimeout(look, graceMs, 1).unref())

function look(looks: number): void {
  const resources = process.getActiveResourcesInfo()
  // Hooks are still removing files. On a busy disk this takes longer.
  const isRemoving = resources.includes('FSReqCallback')
  const isEnding = resources.every((kind) => kind === 'PipeWrap' || kind === 'ProcessWrap') && looks < mostLooks
  if (isRemoving || isEnding) return void setTimeout(look, graceMs, looks + 1).unref()
  const kinds = Map.groupBy(resources, (kind) => kind)
  const list = [...kinds].map(([kind, { length }]) => (length === 1 ? kind : `${length} ${kind}`)).join(', ')
  console.error(`The tests left behind: ${list}`)
  // The runner writes its report just before the process ends, and the leak prevents that end.
  process.emit('beforeExit', 1)
  setTimeout(() => process.exit(1), reportMs)
}

process.on('exit', () => {
  const left = readdirSync(temporaryRoot)
  rmSync(temporaryRoot, { recursive: true, force: true })
  if (left.length === 0) return
  console.error(`The tests left temporary folders behind: ${left.join(', ')}`)
  process.exitCode = 1
})
