#!/usr/bin/env node
// The command `docent`, in JavaScript that any Node.js reads. Runs src/main.ts in this process when this Node.js is new
// enough, otherwise with the Node.js that `npm ci` installed among the development dependencies. Without either it says
// what to do.

'use strict'

const { spawn } = require('child_process')
const { existsSync } = require('fs')
const { join } = require('path')
const v8 = require('v8')

const oldest = [24, 12]
const ownNode = join(__dirname, '..', 'node_modules', 'node', 'bin', 'node')
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) {
  // The optimising compiler is off for the database's WebAssembly: it would take 500 MB and twice the CPU time of a start. The
  // option `--liftoff-only` of Node.js implies both flags, but as a flag that is set here it changes nothing.
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) v8.setFlagsFromString(flag)
  // Loading our own files takes half of the time of a short command. With the cache, Node.js also needs no parser of TypeScript,
  // which takes 16 MB. It is inside the installation, so changing it needs the same rights as changing the code.
  require('module').enableCompileCache(join(__dirname, '..', 'node_modules', '.cache', 'docent'))
  import('../src/main.ts')
} else if (existsSync(ownNode)) {
  const child = spawn(ownNode, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' })
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
