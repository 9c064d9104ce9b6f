// Records a task as a new user does it, in clicks and seconds, and prints both with the test.

import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'

/** Counts the clicks of a task and its time, and prints both. */
export async function record(context: TestContext, page: Page, task: string) {
  const counted = { clicks: 0 }
  const began = performance.now()
  await page.exposeFunction('noteClick', () => (counted.clicks += 1))
  const listen = `addEventListener('click', (event) => event.isTrusted && noteClick(), true)`
  await page.addInitScript(listen)
  await page.evaluate(listen)
  const seconds = () => ((performance.now() - began) / 1_000).toFixed(1)
  return { end: () => context.diagnostic(`${task}: ${counted.clicks} clicks, ${seconds()} s with the checks`) }
}
