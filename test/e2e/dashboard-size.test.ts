// The bytes of script, compressed by gzip, that a browser loads before the first page shows, and for a route beyond that.

import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findBuild, hashSources } from '../../src/service/dashboard-build.ts'

type Chunk = {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

const folder = findBuild(hashSources()) ?? ''
const chunks = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>

/** The chunk with everything that it imports. */
function loadedWith(name: string, seen: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  if (seen.has(name)) return seen
  return (chunks[name]?.imports ?? []).reduce<ReadonlySet<string>>(
    (known, one) => loadedWith(one, known),
    new Set([...seen, name]),
  )
}

function sizeOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + statSync(join(folder, `${chunks[name]?.file}.gz`)).size, 0)
}

const first = loadedWith('index.html')
const beyond = (route: string) => sizeOf([...loadedWith(route)].filter((name) => !first.has(name)))

test('the first load is at most 140 kB of script', () => {
  const size = sizeOf(first)
  assert.ok(size > 80_000 && size <= 140_000, `${size} bytes in ${[...first].join(', ')}`)
})

test('the page of visitors adds at most 40 kB of script', () => {
  const size = beyond('src/features/visitors/visitors.tsx')
  assert.ok(size > 5_000 && size <= 40_000, `${size} bytes`)
})

test('every route is loaded when it is opened, not at first', () => {
  const routes = Object.keys(chunks).filter((name) => name.startsWith('src/features/'))
  assert.ok(routes.length > 8)
  assert.deepEqual(
    routes.filter((name) => first.has(name)),
    [],
  )
})
