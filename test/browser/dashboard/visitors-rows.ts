// Reads the numbers of the visitors page.

import type { Locator, Page } from 'playwright-core'

export async function totalsOf(page: Page): Promise<readonly string[]> {
  const all = await page.locator('dl > div > dd:first-of-type').allInnerTexts()
  return all.map((text) => text.trim())
}

/** The cells of the rows, the name first, once the numbers have come. */
export async function rowsOf(table: Locator): Promise<readonly (readonly string[])[]> {
  await table.locator('tbody tr').first().waitFor()
  await table.page().locator('main [aria-busy=true]').waitFor({ state: 'detached' })
  const rows = await table.locator('tbody tr:has(td)').allInnerTexts()
  return rows.map((row) => row.split('\t').map((cell) => cell.trim()))
}

export function pathsOf(rows: readonly Readonly<Record<string, unknown>>[], prefix: string): readonly string[] {
  return rows.map(({ path }) => String(path)).filter((one) => one.startsWith(prefix))
}

/** A limit that lasts for long is said at once, not after a wait. */
export async function meetLimit(page: Page): Promise<void> {
  const detail = 'This shared link has asked for as many statistics as it may in an hour. Ask again in 50 minutes.'
  const headers = { 'Retry-After': '3000' }
  await page.route('**/downloads?*', (route) =>
    route.fulfill({ status: 429, headers, json: { code: 'rate_limited', detail } }),
  )
  await page.getByRole('tab', { name: 'Downloads' }).click()
  await page.getByRole('alert').getByText(detail).waitFor()
}
