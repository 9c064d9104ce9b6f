// The last question before a release is published: do all texts use the names of `src/lib/release/names.ts`, and are the names of
// the packages free or ours?

import { checkPlaces, type Expected } from './places.ts'
import { askRegistry, type Standing } from './registry.ts'

export type Asked = Expected & {
  readonly root: string
  readonly say: (line: string) => void
  readonly env?: NodeJS.ProcessEnv
}

export type Checked = {
  /** Nothing speaks against publishing under these names. */
  readonly isFree: boolean
  readonly standings: ReadonlyMap<string, Standing>
}

export async function checkNames({ root, names, version, say, env }: Asked): Promise<Checked> {
  const { files, mentions, faults } = checkPlaces(root, { names, version })
  for (const { path, line, found, wanted } of faults) say(`✖ ${path}:${line} has ${found}, expected ${wanted}`)
  if (faults.length === 0) say(`✔ ${mentions} mentions in ${files} texts use the names of src/lib/release/names.ts`)
  const standings = await askRegistry(Object.values(names.packages), names.repository, env)
  for (const [name, standing] of standings) say(describe(name, standing))
  say(`? Not asked: whether you may publish in the scope of a package that is free, and whether the addresses`)
  say(`  ${names.repository} and ${names.image} are yours.`)
  const areFree = [...standings.values()].every(({ kind }) => kind === 'free' || kind === 'ours')
  return { isFree: faults.length === 0 && areFree, standings }
}

function describe(name: string, standing: Standing): string {
  if (standing.kind === 'free') return `✔ ${name} is free`
  if (standing.kind === 'ours') return `✔ ${name} is ours, with ${standing.versions.length} versions`
  if (standing.kind === 'taken') return `✖ ${name} belongs to others (${standing.repository}): choose another name`
  return `✖ ${name}: the registry does not answer (${standing.reason}), so it may be taken`
}
