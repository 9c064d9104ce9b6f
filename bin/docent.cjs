#!/usr/bin/env node
// The command `docent`, in JavaScript that any Node.js reads. Runs src/main.ts in this process when this Node.js is new
// enough, otherwise with the Node.js that `npm ci` installed among the development dependencies. Without either it says
// what to do.

'use strict'

const { spawn } = require('child_process')
const { existsSync } = require('fs')
const { join } = require('path')

const oldest = [24, 12]
const main = join(__dirname, '..', 'src', 'main.ts')
const ownNode = join(__dirname, '..', 'node_modules', 'node', 'bin', 'node')
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) {
  // The optimising compiler is off for the database's WebAssembly: this saves memory and speeds up the start.
  require('v8').setFlagsFromString('--liftoff-only')
  import(require('url').pathToFileURL(main).href)
} else if (existsSync(ownNode)) {
  const child = spawn(ownNode, ['--liftoff-only', main, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to the child as well.
  process.on('SIGINT', () => undefined)
  child.on('exit', (code) => process.exit(code === null ? 1 : code))
} else {
  const wanted = oldest.join('.')
  const words = `docent needs Node.js ${wanted} or newer, but this is ${process.versions.node}`
  process.stderr.write(`${words}: install a newer one from https://nodejs.org, or run \`npm ci\` in the folder of Docent.\n`)
  process.exitCode = 1
}
