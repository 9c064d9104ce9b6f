// A real Chromium without a window, on a profile of its own. Knows nothing of what is tested in it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium, type BrowserContext } from 'playwright-core'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** For one step of a browser beside a busy machine's other work. */
const patienceMs = 120_000

const pollMs = 20

const executablePath = process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium'

export type Chromium = { readonly context: BrowserContext; readonly close: () => Promise<void> }

/**
 * `optsOut`: its user has switched on Do Not Track and Global Privacy Control. `userAgent`: a browser without a window
 * names itself so, and is then no human visitor.
 */
export async function startChromium({ optsOut = false, userAgent = '' } = {}): Promise<Chromium> {
  const profile = await temporaryFolder('chromium')
  await mkdir(join(profile, 'Default'))
  await writeFile(join(profile, 'Default/Preferences'), JSON.stringify({ enable_do_not_track: optsOut }))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    timeout: patienceMs,
    ...(userAgent === '' ? {} : { userAgent }),
    args: [...flags, ...(optsOut ? ['--enable-features=GlobalPrivacyControlForce'] : [])],
    // Pages are to come back from the back/forward cache, as they do for people.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  context.setDefaultTimeout(patienceMs)
  const close = async () => {
    await context.close()
    await removeProfile(profile)
  }
  return { context, close }
}

/**
 * Opens the address and is not steered: who steers a browser halts pages that it renders ahead, so they would never
 * run. The pages must say for themselves what happens.
 */
export async function leaveChromiumAlone(address: string): Promise<{ readonly close: () => Promise<void> }> {
  const profile = await temporaryFolder('chromium')
  const args = [...flags, '--no-first-run', '--remote-debugging-pipe', `--user-data-dir=${profile}`, address]
  const child = spawn(executablePath, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  return {
    close: async () => {
      const exit = once(child, 'exit')
      child.kill()
      await exit
      await removeProfile(profile)
    },
  }
}

/** The helper processes of a browser outlive it for a moment, and would create the removed folder again. */
async function removeProfile(profile: string): Promise<void> {
  while (runsOn(profile)) await delay(pollMs)
  await removeFolder(profile)
}

function runsOn(profile: string): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(profile)
    } catch {
      return false
    }
  })
}
