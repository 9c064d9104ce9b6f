// Reads the numbers of the visitors page.

import type { Locator, Page } from 'playwright-core'

/** The fields of exports that tests read. */
export type Answer = {
  readonly totals: Readonly<Record<'total' | 'human' | 'ai', number>>
  readonly visitors: readonly { readonly path: string; readonly human: number; readonly ai: number }[]
  readonly brokenPages: readonly { readonly path: string }[]
  readonly rows: readonly { readonly value: string; readonly total: number }[]
  readonly agents: readonly { readonly agent: string; readonly visitors: number; readonly views: number }[]
}

type Counts = Readonly<Record<'total' | 'human' | 'ai', unknown>>

/** The numbers of the tiles: all, humans and AI of each. */
export async function tilesOf(page: Page): Promise<readonly (readonly string[])[]> {
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  const tiles = await page.getByRole('region', { name: 'Visitors over time' }).locator('dl > div').all()
  return Promise.all(tiles.map((tile) => tile.locator('data').allInnerTexts()))
}

/** The tiles of a plain count. */
export function expectTiles(visitors: Counts, views: Counts): readonly (readonly string[])[] {
  const number = new Intl.NumberFormat('en')
  const each = (of: (key: keyof Counts) => string) => (['total', 'human', 'ai'] as const).map(of)
  const ratio = (key: keyof Counts) =>
    visitors[key] === 0 ? '–' : (Number(views[key]) / Number(visitors[key])).toFixed(1)
  const count = (counts: Counts) => each((key) => number.format(Number(counts[key])))
  return [count(visitors), count(views), each(ratio)]
}

/** The cells of the rows, the name first, once the numbers have come. */
export async function rowsOf(table: Locator): Promise<readonly (readonly string[])[]> {
  await table.locator('tbody tr').first().waitFor()
  await table.page().locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
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
