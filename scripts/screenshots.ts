// `npm run screenshots`: draws the pictures of the README and the guide of the dashboard into docs/images. Runs `docent demo`
// on a data directory of its own, signs in with its link, and leaves nothing else behind. Every picture has at most
// `mostBytes`. The place of the demo's repository depends on the machine, so pictures show an address in its stead.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'

const root = fileURLToPath(new URL('..', import.meta.url))
const executablePath = process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium'
const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync']
const mostBytes = 120_000
const shownRepository = 'https://git.example.com/acme/docs.git'

/** Runs in the page. */
const hideRepository = `{
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: text } = texts
    if (/file:\\/\\//.test(text.data)) text.data = text.data.replace(/file:\\/\\/\\S+/g, '${shownRepository}')
  }
}`

type Picture = {
  readonly name: string
  readonly path: string
  /** A text of the page that is there once everything is. */
  readonly ready: string
  readonly theme?: 'light' | 'dark'
}

/** `project` and `job`: the paths of their pages. */
function picturesOf(project: string, job: string): readonly Picture[] {
  return [
    { name: 'home', path: '/', ready: 'visitors in 7 days' },
    { name: 'job', path: job, ready: 'Open the pull request' },
    { name: 'changes', path: `${job}?view=changes`, ready: 'Create a token' },
    { name: 'visitors', path: `${project}/visitors`, ready: '/quickstart' },
    { name: 'visitors-dark', path: `${project}/visitors`, ready: '/quickstart', theme: 'dark' },
    { name: 'settings', path: `${project}/settings/jobs`, ready: 'Save' },
  ]
}

const folder = await mkdtemp(join(tmpdir(), 'docent-pictures-'))
const env = {
  PATH: process.env['PATH'],
  LANG: 'C.UTF-8',
  DOCENT_DATA_DIR: join(folder, 'data'),
  DOCENT_PORT: '0',
}
console.log('Runs the demo (about a minute) …')
const demo = spawn(process.execPath, ['bin/docent.cjs', 'demo'], { cwd: root, env })
const browser = await chromium.launch({ executablePath, args })
try {
  await draw(await readUntil('$ rm -r'))
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
  // A closed pipe would end the demo with its next line.
  for await (const chunk of demo.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk)
    if (output.includes(end)) return output
  }
  throw new Error(`The demo ended early:\n${output}`)
}

async function draw(output: string): Promise<void> {
  const link = /Dashboard +(\S+)/.exec(output)?.[1]
  const [project, job] = [/prj_\w+/, /job_\w+/].map((id) => id.exec(output)?.[0])
  if (!link || !project || !job) throw new Error(`The demo printed no link, project or job:\n${output}`)
  const page = await browser.newPage({ viewport: { width: 1_280, height: 720 }, reducedMotion: 'reduce' })
  await page.goto(link)
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  const images = join(root, 'docs/images')
  await mkdir(images, { recursive: true })
  const at = `/projects/${project}`
  for (const picture of picturesOf(at, `${at}/jobs/${job}`)) {
    const image = await screenshot(page, new URL(link).origin, picture)
    if (image.length > mostBytes)
      throw new Error(`${picture.name}.png has ${image.length} bytes: more than ${mostBytes}`)
    await writeFile(join(images, `${picture.name}.png`), image)
    console.log(`docs/images/${picture.name}.png  ${Math.round(image.length / 1_000)} kB`)
  }
}

async function screenshot(page: Page, origin: string, { path, ready, theme = 'light' }: Picture): Promise<Buffer> {
  await page.emulateMedia({ colorScheme: theme })
  await page.goto(`${origin}${path}`)
  await page.getByText(ready).first().waitFor()
  // Colours of code come after its text.
  let image: Buffer
  let next = await page.screenshot()
  do {
    image = next
    await page.evaluate(hideRepository)
    next = await page.screenshot()
  } while (!next.equals(image))
  if ((await page.getByRole('main').innerText()).includes('file://')) throw new Error(`${path} shows a local path`)
  return image
}
