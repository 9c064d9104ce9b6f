import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findGuidance } from './find-guidance.ts'

test('notes are found where the tools keep them, the most specific to agents first', () => {
  const paths = [
    'CONTRIBUTING.md',
    '.cursor/rules/style.mdc',
    '.github/copilot-instructions.md',
    '.claude/rules/voice.md',
    '.claude/CLAUDE.md',
    'CLAUDE.md',
    '.mintlify/AGENTS.md',
    'docs/agents.md',
    'AGENTS.md',
    '.docent/AGENTS.md',
  ]
  assert.deepEqual(findGuidance([...paths, 'docs/a.md', '.claude/skills/x.md'], ['docs']).given, [
    '.docent/AGENTS.md',
    'AGENTS.md',
    'docs/agents.md',
    '.mintlify/AGENTS.md',
    'CLAUDE.md',
    '.claude/CLAUDE.md',
    '.claude/rules/voice.md',
    '.github/copilot-instructions.md',
    '.cursor/rules/style.mdc',
    'CONTRIBUTING.md',
  ])
})

test('nested notes count on the way to the pages; those of other folders are named', () => {
  const paths = [
    'site/AGENTS.md',
    'site/docs/CLAUDE.md',
    'api/AGENTS.md',
    'node_modules/x/AGENTS.md',
    'tests/CLAUDE.md',
  ]
  const { given, folderNotes } = findGuidance(paths, ['site/docs'])
  assert.deepEqual(given, ['site/AGENTS.md', 'site/docs/CLAUDE.md'])
  assert.deepEqual(folderNotes, ['api/AGENTS.md'])
})

test('a page about contributing is no guide for agents', () => {
  const { given, guides } = findGuidance(
    ['docs/en/contributing.md', '.github/CONTRIBUTING.md', '.vale.ini'],
    ['docs/en'],
  )
  assert.deepEqual(given, ['.github/CONTRIBUTING.md'])
  assert.deepEqual(guides, ['.vale.ini', 'docs/en/contributing.md'])
})
