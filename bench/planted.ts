// Plants faults of ten kinds in documentation sites, twenty of each (a dead link is rooted or relative), and counts how many
// `docent check` finds. Run it with `npx node bench/planted.ts CHECKOUT-OR-BARE-REPOSITORY... [--seed 1] [--json]`. Columns:
// `planted`, fewer where the site has fewer places (n/a: it has no place); `found`, by a new finding at the fault's file and line;
// `not judged`, if the coverage of the check counts that very link, entry or page under a reason; `missed`, silently: neither.
// The sites are found, and the faults chosen, by the files in `bench/planted`, without the code under test.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { checkTree } from '../src/checks/check-tree.ts'
import { createFactsReader } from '../src/checks/facts/reader.ts'
import { openFolder } from '../src/cli/check/folder.ts'
import { faultKinds, planFaults } from './planted/faults.ts'
import { judgeCopy, type Verdict } from './planted/judge.ts'
import { createRandom } from './planted/random.ts'
import { findSite } from './planted/site.ts'

const faultsOfKind = 20
const examples = 3
const run = promisify(execFile)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, json: { type: 'boolean', default: false } },
})
if (positionals.length === 0) throw new Error('Name a checkout or a bare repository.')
const all: Verdict[] = []
const reports = []
for (const place of positionals) {
  const { title, verdicts } = await plantIn(resolve(place))
  all.push(...verdicts)
  const rows = countRows(verdicts)
  reports.push({ site: title, rows })
  if (!values.json) print(title, rows)
}
const total = countRows(all)
if (values.json) console.log(JSON.stringify({ seed: Number(values.seed), sites: reports, total }, null, 2))
else if (positionals.length > 1)
  print(
    'all sites',
    total.map((row) => ({ ...row, missedAt: [] })),
  )

async function plantIn(place: string) {
  const home = await mkdtemp(join(tmpdir(), 'docent-bench-planted-'))
  const facts = createFactsReader(2)
  try {
    const tree = await openFolder(await openCheckout(place, home), undefined)
    const site = await findSite(tree)
    const before = await checkTree(tree, { facts, signal: new AbortController().signal })
    const verdicts: Verdict[] = []
    const copies = planFaults({ site, random: createRandom(Number(values.seed)), count: faultsOfKind })
    for (const copy of copies) verdicts.push(...(await judgeCopy({ tree, facts, before }, copy)))
    const name = /^(?:repo|\.git)$/.test(basename(place)) ? basename(dirname(place)) : basename(place)
    return { title: `${name}: ${site.kind}, ${site.pages.length} pages below ${site.folder || 'the root'}`, verdicts }
  } finally {
    await facts.close()
    await rm(home, { recursive: true })
  }
}

/** Writes the files of a bare repository's HEAD to `home`. Large ones may be missing in a mirror, and are left out. */
async function openCheckout(place: string, home: string): Promise<string> {
  const isBare = await stat(join(place, 'objects')).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isBare) return place
  const folder = join(home, 'tree')
  const env = { ...process.env, GIT_INDEX_FILE: join(home, 'index'), GIT_NO_LAZY_FETCH: '1' }
  const git = (...args: string[]) =>
    run('git', ['--git-dir', place, '--work-tree', folder, '-c', 'core.bare=false', ...args], { env, maxBuffer: 1e8 })
  await mkdir(folder)
  await git('read-tree', 'HEAD')
  await git('checkout-index', '-a', '-q').catch(() => undefined)
  return folder
}

function countRows(verdicts: readonly Verdict[]) {
  return [...faultKinds, 'sum' as const].map((name) => {
    const own = verdicts.filter(({ fault }) => name === 'sum' || fault.kind === name)
    const missed = own.flatMap((one) => (one.kind === 'missed' ? [one.place] : []))
    const unjudged = own.flatMap((one) => (one.kind === 'notJudged' ? [one.reason] : []))
    const reasons = [...Map.groupBy(unjudged, (reason) => reason)].map(([reason, those]) => `${reason} ${those.length}`)
    const found = own.length - missed.length - unjudged.length
    const missedAt = name === 'sum' ? [] : missed.slice(0, examples)
    return { name, planted: own.length, found, notJudged: unjudged.length, missed: missed.length, reasons, missedAt }
  })
}

function print(title: string, rows: ReturnType<typeof countRows>): void {
  console.log(`\n${title}\n${'fault'.padEnd(24)}  planted   found  not judged  missed`)
  for (const { name, planted, found, notJudged, missed, reasons, missedAt } of rows) {
    const share = (count: number) =>
      name === 'sum' && planted > 0 ? `${((count / planted) * 100).toFixed(1)} %` : String(count)
    const cells = [share(found).padStart(8), share(notJudged).padStart(11), share(missed).padStart(8)]
    const numbers = planted === 0 ? '     n/a' : `${String(planted).padStart(8)}${cells.join(' ')}`
    console.log(`${name.padEnd(24)} ${numbers}  ${name === 'sum' ? '' : reasons.join(', ')}`.trimEnd())
    for (const place of missedAt) console.log(`    missed: ${place}`)
  }
}
