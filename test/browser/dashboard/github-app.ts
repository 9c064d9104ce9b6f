// Creates a GitHub App from the form of a credential and installs it, as a person does who goes to GitHub and back.

import type { Page } from 'playwright-core'
import type { TestForge } from '../../support/forge/forge.ts'

/** `page` shows the form. GitHub's pages open in a tab of their own, which is closed at the end. */
export async function createApp(page: Page, github: TestForge): Promise<void> {
  await page.getByRole('radio', { name: /^GitHub App/ }).check()
  await page.getByLabel('Organization', { exact: true }).fill('acme')
  await page.getByRole('button', { name: 'Create a GitHub App' }).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Continue on GitHub' }).click()
  const tab = await opened
  // On GitHub's own page, a person confirms the name.
  await tab.route(`${github.web}/organizations/acme/settings/apps/new?*`, async (route) => {
    const { location = '' } = (await route.fetch({ maxRedirects: 0 })).headers()
    const body = `<a href="${location.replaceAll('&', '&amp;')}">Create GitHub App for acme</a>`
    await route.fulfill({ contentType: 'text/html', body })
  })
  await tab.getByRole('button', { name: 'Continue to GitHub' }).click()
  await tab.getByRole('link', { name: 'Create GitHub App for acme' }).click()
  await tab.getByText('The GitHub App exists').waitFor()
  await tab.getByRole('link', { name: /install/i }).click()
  await tab.waitForURL(`${new URL(page.url()).origin}/**`)
  await tab.close()
}
