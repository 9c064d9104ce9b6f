import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browsers, chrome, firefox, safari } from './browsers.fixture.ts'
import { type Client, classify } from './classify.ts'

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const hints = {
  'sec-ch-ua': '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
  'sec-ch-ua-mobile': '?0',
}
const fetchMetadata = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }

const label = (userAgent: string, signals: Client['signals'], more: Partial<Client> = {}) =>
  classify({ userAgent, signals, source: 'server', scheme: 'https', representation: 'html', ...more })

test('a Chrome with all that Chrome sends is a browser', () => {
  assert.equal(label(chrome, { accept: html, ...hints, ...fetchMetadata }).category, 'browser')
  assert.equal(label(chrome, { accept: html, ...hints }).category, 'browser')
  assert.equal(label(chrome, { accept: html, ...fetchMetadata }).category, 'browser')
})

test('a Chrome that sends neither client hints nor fetch metadata over https is driven', () => {
  const driven = label(chrome, { accept: html, 'accept-language': 'en' })
  assert.deepEqual(driven, { category: 'automation', agent: '', operator: '', rule: 'header:chrome-without-hints' })
  assert.equal(label(chrome.replace('Chrome/142', 'Chrome/89'), { accept: html }).category, 'automation')
  assert.equal(label(chrome.replace('Chrome/142', 'Chrome/88'), { accept: html }).category, 'browser')
})

test('headers that were not passed on, or that a log lacks, are no evidence', () => {
  assert.equal(label(chrome, {}).category, 'browser')
  assert.equal(label(chrome, { 'accept-language': 'en' }).category, 'browser')
  for (const scheme of ['http', undefined] as const) {
    assert.equal(label(chrome, { accept: html }, { scheme }).category, 'browser')
    assert.equal(label(chrome.replace('142', '120'), { accept: html, ...hints }, { scheme }).category, 'browser')
    assert.equal(label(firefox, { accept: html, ...hints }, { scheme }).category, 'browser')
  }
  for (const source of ['log', 'browser'] as const) {
    assert.equal(label(chrome, { accept: html }, { source }).category, 'browser')
    assert.equal(label(firefox, { accept: html, ...hints }, { source }).category, 'browser')
  }
})

test('only a standalone Chrome must send client hints', () => {
  for (const userAgent of browsers.filter((one) => !/Chrome\/\d+/.test(one) || /; wv\)|Electron|QtWeb|TV/.test(one))) {
    assert.equal(label(userAgent, { accept: html }).category, 'browser', userAgent)
  }
})

test('a Chrome of one version with the hints of another is driven', () => {
  const other = label(chrome.replace('Chrome/142', 'Chrome/120'), { accept: html, ...hints, ...fetchMetadata })
  assert.equal(other.rule, 'header:chrome-other-version')
  assert.equal(other.category, 'automation')
})

test('a Firefox or a Safari with client hints is driven, without them it is a browser', () => {
  for (const userAgent of [firefox, safari]) {
    assert.equal(label(userAgent, { accept: html, ...hints }).rule, 'header:hints-of-another')
    assert.equal(label(userAgent, { accept: html, ...fetchMetadata }).category, 'browser')
    assert.equal(label(userAgent, { accept: html }).category, 'browser')
  }
})

test("a browser's name that ranks Markdown first is an agent, from a log too", () => {
  const cursor = { accept: 'text/markdown,text/plain;q=0.9,*/*;q=0.8' }
  for (const source of ['server', 'log'] as const) {
    const found = label(chrome, cursor, { source, scheme: undefined, representation: 'markdown' })
    assert.deepEqual(found, {
      category: 'ai_undeclared',
      agent: 'Cursor',
      operator: 'Anysphere',
      rule: 'header:accept-cursor',
    })
  }
  assert.equal(label(firefox, { accept: 'text/x-markdown, text/html;q=0.5' }).rule, 'header:accept-markdown')
  assert.equal(label('curl/8.14.1', cursor).category, 'library', 'it says what it is')
  assert.equal(label(chrome, cursor, { source: 'browser' }).category, 'browser', 'the headers of the beacon')
})

test('a conversation and a signature speak for an agent', () => {
  const conversation = label('undici', { 'x-conversation-id': 'c-1' })
  assert.equal(conversation.category, 'ai_undeclared')
  const chatgpt = label(chrome, {
    accept: html,
    'signature-agent': '"https://chatgpt.com"',
    ...hints,
    ...fetchMetadata,
  })
  assert.equal(chatgpt.agent, 'ChatGPT agent')
  assert.equal(chatgpt.category, 'ai_assistant')
  assert.equal(label(chrome, { 'signature-agent': 'https://agent.bot.goog' }).operator, 'Google')
  assert.equal(label(chrome, { 'signature-agent': '"https://signer.example"' }).rule, 'header:signature')
  assert.equal(label(chrome, { 'signature-agent': '"https://chatgpt.com.example"' }).agent, '')
})

test('a known crawler stays one with any headers', () => {
  const bot = 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)'
  assert.equal(label(bot, { accept: 'text/markdown', 'x-conversation-id': '1' }).category, 'ai_training')
})
