// The packages, made once for all test files of a process.

import { join } from 'node:path'
import { pack, type Packed } from '../../scripts/packages/pack.ts'
import { atEnd } from '../support/at-end.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

export type AllPacked = { readonly folder: string; readonly packages: readonly Packed[] }

const shared: { made?: Promise<AllPacked> } = {}

export function packOnce(): Promise<AllPacked> {
  return (shared.made ??= make())
}

async function make(): Promise<AllPacked> {
  const outer = await temporaryFolder('packed')
  atEnd(() => removeFolder(outer))
  const folder = join(outer, 'packed')
  return { folder, packages: await pack(folder) }
}
