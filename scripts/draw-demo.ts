// Draws docs/images/demo.png, the image in the README: runs `docent demo` on an empty data directory, takes a screenshot of
// its pull request page in Chromium, and puts the terminal's table of visitors next to it. Run it with
// `node scripts/draw-demo.ts` after a change to that page or to the demo.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('..', import.meta.url))
const executablePath = process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium'
const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync']

const folder = await mkdtemp(join(tmpdir(), 'docent-picture-'))
const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', DOCENT_DATA_DIR: join(folder, 'data') }
const demo = spawn(process.execPath, ['--liftoff-only', 'src/main.ts', 'demo'], { cwd: root, env })
const browser = await chromium.launch({ executablePath, args })
try {
  const output = await readUntil('/reference')
  const address = /https?:\/\/\S+\/pulls\/\S+/.exec(output)?.[0]
  const visitors = /^ +VISITORS +BY DAY[^]*?\n\n +PAGE[^]*?(?=\n\n)/m.exec(output)?.[0]
  if (!address || !visitors) throw new Error(`The demo printed no pull request or no visitors:\n${output}`)
  const page = await browser.newPage({ viewport: { width: 1_200, height: 900 }, colorScheme: 'light' })
  await page.goto(address)
  const pull = (await page.screenshot()).toString('base64')
  // Another page: the policy of the first one forbids styles that are not its own.
  const canvas = await browser.newPage({ viewport: { width: 1_400, height: 640 } })
  await canvas.setContent(drawing(pull, visitors))
  await writeFile(join(root, 'docs/images/demo.png'), await canvas.screenshot())
} finally {
  await browser.close()
  if (demo.exitCode === null) {
    demo.kill('SIGINT')
    await once(demo, 'exit')
  }
  await rm(folder, { recursive: true, force: true })
}

/** Returns everything that the demo has printed when it prints `end`. */
async function readUntil(end: string): Promise<string> {
  let output = ''
  for await (const chunk of demo.stdout) {
    output += String(chunk)
    if (output.includes(end)) return output
  }
  throw new Error(`The demo ended early:\n${output}`)
}

function drawing(pull: string, visitors: string): string {
  const text = visitors.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><style>
    body { margin: 0; height: 640px; display: flex; gap: 20px; padding: 20px; box-sizing: border-box; background: #e9edf2 }
    img, pre { margin: 0; height: 600px; box-sizing: border-box; border-radius: 8px; box-shadow: 0 1px 6px #0004 }
    img { width: 800px; object-fit: cover; object-position: top left }
    pre { flex: 1; padding: 24px; background: #12181f; color: #d5dde6; font: 15px/1.45 'DejaVu Sans Mono', monospace }
  </style><img src="data:image/png;base64,${pull}"><pre><b>$ npm run demo</b>\n\n  …\n\n${text}</pre>`
}
