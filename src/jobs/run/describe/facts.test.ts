import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFacts, type Facts } from './facts.ts'

const facts: Facts = {
  jobId: 'job_1',
  jobLink: undefined,
  prompts: ['Rename "Acme CLI"'],
  paths: ['docs/a.md'],
  model: 'docent/rules',
  turns: 4,
  inputTokens: 12_345,
  outputTokens: 678,
  costUsd: null,
}

test('the facts list the messages, the changes and the usage', () => {
  const used = 'Docent job `job_1`: `docent/rules`, 4 turns, 12,345 + 678 tokens.'
  assert.equal(
    describeFacts(facts),
    `---\n\nAsked: \`Rename "Acme CLI"\`\n\n1 file changed:\n\n- \`docs/a.md\`\n\n${used}`,
  )
  const linked = describeFacts({ ...facts, jobLink: 'https://docent.example/j', turns: 1, costUsd: 0.126 })
  assert.match(linked, /Docent job \[job_1\]\(https:\/\/docent\.example\/j\): .* 1 turn, .* tokens, \$0\.13\.$/)
})

test('many messages and files are shortened', () => {
  const prompts = Array.from({ length: 11 }, (_, n) => `message ${n}`)
  const paths = Array.from({ length: 21 }, (_, n) => `docs/${n}.md`)
  const text = describeFacts({ ...facts, prompts, paths })
  assert.match(text, /Asked, the last 10 of 11 messages:\n\n- `message 1`\n/)
  assert.ok(!text.includes('message 0'))
  assert.match(text, /21 files changed:\n\n- `docs\/0\.md`[^]*- `docs\/19\.md`\n- and 1 more\n/)
  const fewer = describeFacts({ ...facts, prompts: prompts.slice(1), paths: paths.slice(1) })
  assert.match(fewer, /Asked:\n\n- `message 1`\n/)
  assert.ok(!fewer.includes('more'))
})

test('no message leaves its line of code', () => {
  const text = describeFacts({ ...facts, prompts: ['`@everyone` fixes #1\n\n# Head\u0007', 'x'.repeat(300)] })
  assert.match(text, /\n- `'@everyone' fixes #1 # Head\ufffd`\n- `x{200}…`\n/)
})
