import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/linear.ts'
import { createKeyText } from '../../lib/key-text.ts'
import { secretShapes } from '../../lib/outbound/secret-shapes.ts'
import { findNewSecrets, findSecrets } from './secrets.ts'

/** Random-looking text from a seed. No token is written in this file, because scanners of repositories would find it. */
function random(length: number, alphabet: string, seed = 'a'): string {
  let text = ''
  for (let round = 0; text.length < length; round += 1) {
    const bytes = createHash('sha256').update(`${seed}${round}`).digest()
    text += Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('')
  }
  return text.slice(0, length)
}

const hex = '0123456789abcdef'
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const digits = '0123456789'
const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const kind = 'PRIVATE'
const base64 = `${base62}+/`
const word = `${base62}-_`

const real: Readonly<Record<string, string>> = {
  'an API key of Docent': createKeyText(),
  'a token of GitHub': `ghp_${random(36, base62)}`,
  'an installation token of GitHub': `ghs_${random(30, word)}.${random(420, word)}.${random(60, word)}`,
  'a fine-grained token of GitHub': `github_pat_${random(22, base62)}_${random(59, base62)}`,
  'a token of GitLab': `glpat-${random(20, word)}`,
  'an access key of AWS': `AKIA${random(16, upper)}`,
  'a secret key of AWS': `aws_secret_access_key = ${random(40, base64)}`,
  'an API key of Google': `AIza${random(35, word)}`,
  'an OAuth secret of Google': `GOCSPX-${random(28, word)}`,
  'a storage key of Azure': `AccountKey=${random(86, base64)}==`,
  'a token of Slack': `xoxb-${random(12, digits)}-${random(12, digits, 'b')}-${random(24, base62)}`,
  'an app token of Slack': `xapp-1-${random(11, upper)}-${random(13, digits)}-${random(64, hex)}`,
  'a webhook of Slack': `https://hooks.slack.com/services/T${random(10, upper)}/B${random(10, upper)}/${random(24, base62)}`,
  'a webhook of Discord': `https://discord.com/api/webhooks/${random(18, digits)}/${random(68, word)}`,
  'a live key of Stripe': `sk_live_${random(24, base62)}`,
  'an API key of OpenAI': `sk-proj-${random(58, word)}T3BlbkFJ${random(58, word, 'b')}`,
  'an API key of Anthropic': `sk-ant-api03-${random(93, word)}AA`,
  'a token of npm': `npm_${random(36, base62)}`,
  'a token of PyPI': `pypi-AgEIcHlwaS5vcmc${random(120, word)}`,
  'a token of RubyGems': `rubygems_${random(48, hex)}`,
  'a token of Docker Hub': `dckr_pat_${random(27, word)}`,
  'a token of Hugging Face': `hf_${random(34, base62)}`,
  'a token of DigitalOcean': `dop_v1_${random(64, hex)}`,
  'an API key of SendGrid': `SG.${random(22, word)}.${random(43, word)}`,
  'an API key of Twilio': `SK${random(32, hex)}`,
  'an API key of Mailgun': `key-${random(32, hex)}`,
  'a token of Shopify': `shpat_${random(32, hex)}`,
  'a token of Atlassian': `ATATT3${random(186, word)}`,
  'an API key of Linear': `lin_api_${random(40, base62)}`,
  'a token of Databricks': `dapi${random(32, hex)}`,
  'a token of Grafana': `glsa_${random(32, base62)}_${random(8, hex)}`,
  'a token of Vault': `hvs.${random(95, word)}`,
  'a token of Terraform': `${random(14, base62)}.atlasv1.${random(66, word)}`,
  'a token of Supabase': `sbp_${random(40, hex)}`,
  'a token of a Telegram bot': `${random(10, digits)}:AA${random(33, word)}`,
  'a client secret of Azure': `${random(3, base62)}8Q~${random(34, word)}`,
  'an access token of Google': `ya29.${random(120, word)}`,
  'a refresh token of Google': `1//0${random(60, word)}`,
  'a token of a Discord bot': `MTA${random(21, base62)}.${random(6, base62)}.${random(38, word)}`,
  'a token of Notion': `ntn_${random(46, base62)}`,
  'a token of Figma': `figd_${random(40, word)}`,
  'an API key of Postman': `PMAK-${random(24, hex)}-${random(34, hex, 'b')}`,
  'a token of Square': `EAAA${random(60, word)}`,
  'a token of Sentry': `sntryu_${random(64, hex)}`,
  'a token of Netlify': `nfp_${random(36, base62)}`,
  'a token of Fly': `FlyV1 fm2_${random(160, base62)}`,
  'a token of Vercel': `vcp_${random(56, base62)}`,
  'a token of PlanetScale': `pscale_tkn_${random(43, word)}`,
  'an API key of Groq': `gsk_${random(52, base62)}`,
  'an API key of xAI': `xai-${random(80, base62)}`,
  'an API key of Perplexity': `pplx-${random(48, base62)}`,
  'a token of Replicate': `r8_${random(37, base62)}`,
  'an API key of OpenRouter': `sk-or-v1-${random(64, hex)}`,
  'an API key of New Relic': `NRAK-${random(27, upper)}`,
  'an app password of Bitbucket': `ATBB${random(32, base62)}`,
  'a token of Doppler': `dp.pt.${random(43, base62)}`,
  'an API key of Heroku': `HRKU-AA${random(58, word)}`,
  'a secret key of age': `AGE-SECRET-KEY-1${random(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`,
  'a secret of a webhook': `whsec_${random(43, base64)}=`,
  'a key of a Google service account': `"private_key_id": "${random(40, hex)}"`,
  'a signed token (JWT)': `eyJhbGciOiJIUzI1NiJ9.eyJ${random(60, base62)}.${random(43, word)}`,
  'a password in an address': `postgres://root:${random(20, base62)}@db.acme.dev/app`,
  'a private key': `-----BEGIN ${kind} KEY-----\n${random(64, base64)}\n${random(64, base64, 'b')}\n`,
}

test('every shape of the table finds a token of its form, on its line', () => {
  assert.deepEqual(Object.keys(real).toSorted(), secretShapes.map(({ name }) => name).toSorted())
  for (const [name, token] of Object.entries(real)) {
    for (const text of [token, `# Title\n\nexport TOKEN="${token}"\n`, `\`${token}\`, see`, `| a | ${token} |`]) {
      const [found, ...more] = findSecrets(text)
      assert.equal(found?.name, name, text)
      assert.equal(found.line, text.startsWith('# Title') ? 3 : 1)
      assert.deepEqual(more, [])
    }
  }
})

/** Placeholders of documentation, where a reader has to put a token. */
const placeholders = [
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'ghp_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
  'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
  'ghp_************************************',
  'ghp_YOUR_TOKEN_HERE',
  'ghp_<token>',
  'github_pat_11ABCDEFG0example_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'glpat-xxxxxxxxxxxxxxxxxxxx',
  'glpat-<your_access_token>',
  'GITLAB_TOKEN=glpat-your-token-goes-here-0000',
  ['AKIA', 'IOSFODNN7EXAMPLE'].join(''),
  ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'].join(''),
  'AKIAXXXXXXXXXXXXXXXX',
  'AIzaSyXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
  'AIzaSyYourApiKeyGoesHere0000000000000000',
  ['https://hooks.slack.com/services/', 'T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX'].join(''),
  'xoxb-your-token',
  'xoxb-123456789012-1234567890123-abcdefghijklmnopqrstuvwx',
  'sk-...',
  'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'sk-proj-...',
  'OPENAI_API_KEY=sk-your-key-here',
  'sk-ant-api03-...',
  'sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx',
  ['sk_test_', '4eC39HqLyjWDarjtT1zdP7dc'].join(''),
  'sk_live_xxxxxxxxxxxxxxxxxxxxxxxx',
  'sk_live_YourSecretKeyGoesHere000',
  'npm_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'pypi-AgEIcHlwaS5vcmc...',
  'hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'docent_…',
  `docent_${'0123456789'.repeat(4)}abcdef`,
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n-----END RSA PRIVATE KEY-----',
  '-----BEGIN OPENSSH PRIVATE KEY-----\n<paste your key>\n-----END OPENSSH PRIVATE KEY-----',
  '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n',
  'commit 8f14e45fceea167a5a36dedd4bea2543c9f1b3a7',
  'sha512-oJlA3XiRm7Cyk6qFD2Jn8ak9B7jSy0qy00ADO3+8dpT0LSjFihQYv4C02LFCSYJV3Q37xYwwRy5m+IpIiUzqWw==',
  'key-value pairs, task-1234567890, disk-usage',
  'https://user:password@example.com/path',
  'postgres://docent:docent@localhost:5432/docent',
  'Authorization: Bearer $TOKEN',
  'https://admin:correct-horse-battery@db.acme.dev/app and https://u:Password1234@db.acme.dev',
  [
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ',
    'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  ].join('.'),
  'whsec_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, xai-your-api-key, gsk_..., HRKU-AA…, dp.pt.example, sk-or-v1-<key>',
]

test('placeholders and examples of documentation are not found', () => {
  for (const text of placeholders) assert.deepEqual(findSecrets(text), [], text)
})

test('a checksum that is wrong is no key of Docent', () => {
  const key = createKeyText()
  const wrong = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
  assert.deepEqual([findSecrets(key).length, findSecrets(wrong).length], [1, 0])
})

test('references of HTML and invisible characters hide no token', () => {
  const token = real['a token of GitHub'] ?? ''
  for (const text of [`&#103;${token.slice(1)}`, `${token.slice(0, 9)}\u200b${token.slice(9)}`, `\u00ad${token}`]) {
    assert.deepEqual(
      findSecrets(`a\n${text}`).map(({ line }) => line),
      [2],
      text,
    )
  }
})

test('a secret that an old text has is not new, and its line may change', () => {
  const [one = '', other = ''] = [real['a token of GitHub'], real['a token of npm']]
  const before = [`token: ${one}\n`]
  assert.deepEqual(findNewSecrets(`see token ${one}!\n`, before), [])
  assert.deepEqual(
    findNewSecrets(`${one}\n\n${other}\n`, before).map(({ name, line }) => [name, line]),
    [['a token of npm', 3]],
  )
})

test('searching takes time in proportion to the text', () => {
  const parts = [
    'sk-',
    '-----BEGIN PRIVATE KEY-----\n',
    'xoxb-1-',
    'aws_secret_access_key = ',
    'ghs_a-',
    'ghs_a.',
    '::AA',
    'a://b:',
    'eyJ',
    'eyJaaaaaaaaaaa.',
    'Aa1a.',
    'Q~',
    'EAAA',
    'ya29.',
  ]
  for (const name of parts) {
    assertLinear((size) => name.repeat(size / name.length), findSecrets, { size: 200_000, name })
  }
})

test('a page full of tokens that it had before is judged quickly', () => {
  const page = (size: number) =>
    Array.from({ length: size }, (_, n) => `npm_${random(36, base62, String(n))}\n`).join('')
  assertLinear(page, (text) => findNewSecrets(text, [text]), { size: 4_000, name: 'tokens' })
})
