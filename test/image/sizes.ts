// The sizes of the image, layer by layer: `docs/guides/containers.md` says them, and the limits are those that were promised.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Layer } from './build.ts'

const engine = 'The engine for page views'

/** The rows of the guide, by the steps that write them. */
const rows: Readonly<Record<string, RegExp>> = {
  'Debian 13': /^debian:trixie-slim$/,
  'git, ssh, certificates': /^RUN printf/,
  'Node.js': /^COPY \/usr\/local\//,
  'Packages that the service needs': /^COPY \/needed\//,
  'The service and the dashboard': /^COPY \/service /,
  [engine]: /^COPY \/analytics\//,
}
/** On disk and compressed, in MB. */
const limits = { 'Without the engine': [380, 180], 'With the engine': [950, 380] } as const

/** A line with the size of a layer; its compressed size takes a minute for all of them. */
export function measure({ folder, step }: Layer, isCompressed: boolean): string {
  if (folder === '/') return ''
  const compressed = isCompressed ? `tar -C '${folder}' -c . | gzip -6 | wc -c` : 'echo 0'
  const label = step.replaceAll(/[^\w /:.-]/g, '').slice(0, 60)
  return `printf 'layer\\t%s\\t%s\\t%s\\n' '${label}' "$(du -sb '${folder}' | cut -f 1)" "$(${compressed})"`
}

/** Layers that the system of this machine replaces are not measured. */
export async function expectSizes(lines: readonly string[], isWhole: boolean): Promise<void> {
  const guide = await readFile(new URL('../../docs/guides/containers.md', import.meta.url), 'utf8')
  const layers = lines.map((line) => line.split('\t')).map(([, step = '', ...sizes]) => ({ step, sizes }))
  for (const at of [0, 1]) {
    let slim = 0
    for (const [name, steps] of Object.entries(rows)) {
      const said = readRow(guide, name)[at] ?? 0
      const own = layers.filter(({ step }) => steps.test(step))
      const found = own.reduce((sum, { sizes }) => sum + Number(sizes[at]) / 1e6, 0)
      // The system of this machine has git and ssh already, and compressing takes a minute.
      if (isWhole || (at === 0 && !/^(?:Debian|git)/.test(name))) expectNear(name, said, found)
      if (name !== engine) slim += said
    }
    expectSum(guide, 'Without the engine', at, slim)
    expectSum(guide, 'With the engine', at, slim + (readRow(guide, engine)[at] ?? 0))
  }
}

function expectSum(guide: string, row: keyof typeof limits, at: number, sum: number): void {
  const said = readRow(guide, row)[at] ?? 0
  assert.ok(Math.abs(said - sum) <= 1, `${row}: the guide says ${said} MB, but its rows sum up to ${sum.toFixed(1)} MB`)
  assert.ok(said <= (limits[row][at] ?? 0), `${row}: ${said} MB`)
}

function readRow(guide: string, name: string): readonly number[] {
  const [, disk = '', compressed = ''] =
    new RegExp(`^\\| \\**${name}\\**[^|]* \\| \\**([\\d.]+) MB\\** \\| \\**([\\d.]+) MB\\** \\|$`, 'm').exec(guide) ??
    assert.fail(`The guide has no row for ${name}.`)
  return [Number(disk), Number(compressed)]
}

function expectNear(name: string, said: number, found: number): void {
  const isNear = Math.abs(found - said) <= Math.max(0.05 * said, 0.1)
  assert.ok(isNear, `${name}: the guide says ${said} MB, but it is ${found.toFixed(1)} MB`)
}
