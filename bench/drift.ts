// Measures drift on the history of public repositories with docs beside code: `npx node bench/drift.ts [--moments 4] [--out FOLDER]
// CLONE...`. The truth comes from the history replayed (bench/drift/walk.ts): a term that the code lost at one commit and the pages at
// a later one was stale in between. Printed for each repository: how many of the terms that were stale at the chosen moments were
// found (recall), beside the rule of DOCER on the same moments (Tan, Wagner, Treude, Empirical Software Engineering 29, 2024), and what
// a check of HEAD reports. `--out` writes a sample of the findings with their places, at most 40 from one repository, for two readers.

import { mkdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkAt, chooseMoments, type Judged, type Moment, staleTerms } from './drift/replay.ts'
import { walk } from './drift/walk.ts'
import { createRandom } from './planted/random.ts'

const mostOfOne = 40
const sampleSize = 100
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    moments: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
})
if (positionals.length === 0) throw new Error('Name clones with docs beside code.')
const findings: (Judged & { readonly repository: string })[] = []
const sums = { stale: 0, found: 0, reported: 0, confirmed: 0, baseline: 0, baselineConfirmed: 0 }
for (const place of positionals) {
  await measure(resolve(place))
  if (values.out !== undefined) await writeSample(resolve(values.out))
}
const recall = (sums.found / sums.stale).toFixed(2)
console.log(
  `all: recall ${recall} (${sums.found} of ${sums.stale}); ${sums.reported} terms reported, of which pages dropped ${sums.confirmed} later; DOCER's rule: ${sums.baseline} reported, ${sums.baselineConfirmed} dropped later`,
)

async function measure(place: string): Promise<void> {
  const gitDir = await stat(join(place, 'objects')).then(
    () => place,
    () => join(place, '.git'),
  )
  const repository = /^(?:repo|\.git)$/.test(basename(place)) ? basename(dirname(place)) : basename(place)
  const history = await walk(gitDir)
  const stale = staleTerms(history)
  const moments: Moment[] = []
  for (const at of chooseMoments(stale, Number(values.moments))) moments.push(await checkAt(gitDir, history, at))
  const head = await checkAt(gitDir, history, history.commits.length - 1)
  const wanted = new Set(moments.flatMap((moment) => moment.stale))
  const found = new Set(moments.flatMap((moment) => moment.found))
  const baseline = new Set(moments.flatMap((moment) => moment.baseline))
  const fresh = moments.flatMap((moment) => moment.findings).filter(isFirst)
  for (const finding of fresh) findings.push({ ...finding, repository })
  sums.stale += wanted.size
  sums.found += found.size
  sums.reported += fresh.length
  sums.confirmed += fresh.filter(({ isLaterGone }) => isLaterGone).length
  sums.baseline += baseline.size
  const gone = new Set(stale.map(({ life }) => life.text))
  sums.baselineConfirmed += [...baseline].filter((text) => gone.has(text)).length
  const atHead = Object.entries(Object.groupBy(head.findings, ({ kind }) => kind)).map(
    ([kind, list]) => `${list?.length} ${kind}`,
  )
  console.log(
    `${repository}: ${history.commits.length} commits, ${stale.length} terms were stale; at ${moments.length} moments ${found.size} of ${wanted.size} found, ` +
      `${fresh.length} terms reported (DOCER's rule: ${baseline.size}); HEAD, ${head.pages} pages: ${atHead.join(', ') || 'nothing'}`,
  )
  for (const text of wanted) if (!found.has(text)) console.log(`  missed ${text}`)
}

function isFirst(finding: Judged, at: number, all: readonly Judged[]): boolean {
  return all.findIndex(({ kind, target }) => kind === finding.kind && target === finding.target) === at
}

/** One file for the readers, without a verdict, and one with what the history says. */
async function writeSample(folder: string): Promise<void> {
  const counts = new Map<string, number>()
  const sample = createRandom(Number(values.seed))
    .shuffled(findings)
    .flatMap((finding) => {
      const count = counts.get(finding.repository) ?? 0
      if (count >= mostOfOne) return []
      counts.set(finding.repository, count + 1)
      return [finding]
    })
  const shown = sample.slice(0, sampleSize).map((finding, at) => {
    const { repository, commit, kind, path, line, message, suggestion, context } = finding
    const did = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
    return `## ${at + 1}. ${repository}@${commit.slice(0, 10)} ${kind}\n\n${path}:${line} ${message}${did}\n\n\`\`\`\`\n${context}\n\`\`\`\`\n`
  })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'sample.md'), shown.join('\n'))
  await writeFile(join(folder, 'findings.json'), JSON.stringify(findings, null, 1))
}
