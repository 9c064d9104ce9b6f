import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveSmtp } from '../../../test/support/smtp-server.ts'
import { checkMail } from './notifications.ts'

test('mail is off, half set, refused or fine', async (t) => {
  const { url } = await serveSmtp(t)
  const from = 'docent@example.com'
  const check = (smtpUrl: string | undefined, sender: string | undefined) =>
    checkMail({ mail: { smtpUrl, from: sender } })
  assert.equal((await check(undefined, undefined)).state, 'skipped')
  assert.deepEqual(
    [await check(url, undefined), await check(undefined, from)].map(({ state, says }) => [state, says]),
    [
      ['warning', 'This service sends no mail: DOCENT_MAIL_FROM is not set.'],
      ['warning', 'This service sends no mail: DOCENT_SMTP_URL is not set.'],
    ],
  )
  const gone = await check('smtp://127.0.0.1:1', from)
  assert.deepEqual([gone.state, /could not be reached/.test(gone.says)], ['failed', true])
  assert.deepEqual(await check(url.replace('://', '://user:secret@'), from), {
    about: 'mail',
    state: 'ok',
    says: `${new URL(url).host} responds`,
  })
})
