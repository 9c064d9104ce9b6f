// Preloaded into a process (`--import`): writes the URL of every module that the process loads to the file named by
// LOADED_MODULES, one per line.

import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env['LOADED_MODULES'] ?? ''

registerHooks({
  load: (url, context, nextLoad) => {
    appendFileSync(file, `${url}\n`)
    return nextLoad(url, context)
  },
})
