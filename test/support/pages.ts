// Generates a documentation repository of any size. The same count gives the same pages.

import type { Files } from './repository.ts'

/** Makes `pages/<section>/page-<n>.md`, about 3 kB each, 50 per section. Every 500th page contains "Acme CLI". */
export function makePages(count: number): Files {
  const files: Record<string, string> = {}
  for (let n = 0; n < count; n += 1) files[pagePath(n)] = makePage(n, count)
  return files
}

export function pagePath(n: number): string {
  return `pages/section-${Math.floor(n / 50)}/page-${n}.md`
}

function makePage(n: number, count: number): string {
  const term = n % 500 === 0 ? 'Acme CLI' : 'command line'
  const next = `/pages/section-${Math.floor(((n + 1) % count) / 50)}/page-${(n + 1) % count}`
  const sections = Array.from(
    { length: 12 },
    (_, i) =>
      `## Step ${i + 1} of page ${n}\n\nThe setting \`option-${(n * 7 + i) % 997}\` takes a number. It is read once, when the service ` +
      `starts, and a change needs a restart. Values under ${i * 10} are raised to it.\n`,
  )
  return `---\ntitle: Page ${n}\n---\n\n# Page ${n}\n\nThis page is about the ${term}. Read on at [the next page](${next}).\n\n${sections.join('\n')}`
}
