// The tools of the MCP server, as the guide and the skill for coding agents name them.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { tools } from '../../src/mcp/tools/tools.ts'

test('the guide and the skill name the tools that there are', async () => {
  const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
  const guide = await read('docs/guides/mcp.md')
  const rows = [...guide.matchAll(/^\| `(\w+)` \| (read|write) \|/gm)].map(([, name, scope]) => [name, scope])
  assert.deepEqual(
    rows,
    tools.map(({ name, scope }) => [name, scope]),
  )
  const skill = await read('integrations/skill/SKILL.md')
  assert.match(skill, /^---\nname: docent\ndescription: .{50,1024}\n---\n/)
  const named = [...skill.matchAll(/`([a-z]+_[a-z]+)`/g)].map(([, name]) => name ?? '')
  assert.deepEqual(
    [...new Set(named)].filter((name) => !tools.some((tool) => tool.name === name)),
    [],
  )
})
