// Ranks pages by their whole text: BM25 with the words of the changed lines, paths and messages, as a search engine would.

import type { Case, Dataset } from './dataset.ts'

const [saturation, lengthShare] = [1.2, 0.75]

export function rankByWords(one: Case, dataset: Dataset): { readonly path: string; readonly score: number }[] {
  const query = queryOf(one)
  const pages = [...one.pages].map(([path, oid]) => {
    const words = dataset.wordsOf(oid)
    return { path, words, length: words.values().reduce((sum, count) => sum + count, 0) }
  })
  const usual = pages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, pages.length)
  const pagesWith = new Map<string, number>()
  for (const { words } of pages)
    for (const word of words.keys()) if (query.has(word)) pagesWith.set(word, (pagesWith.get(word) ?? 0) + 1)
  return pages
    .map(({ path, words, length }) => {
      let score = 0
      for (const [word, times] of query) {
        const count = words.get(word) ?? 0
        if (count === 0) continue
        const rare = Math.log(
          1 + (pages.length - (pagesWith.get(word) ?? 0) + 0.5) / ((pagesWith.get(word) ?? 0) + 0.5),
        )
        const norm = saturation * (1 - lengthShare + (lengthShare * length) / usual)
        score += Math.log1p(times) * rare * ((count * (saturation + 1)) / (count + norm))
      }
      return { path, score }
    })
    .toSorted((a, b) => b.score - a.score)
}

function queryOf({ change }: Case): Map<string, number> {
  const lines = change.files.flatMap(({ path, patch }) => [
    path,
    ...patch.split('\n').filter((line) => /^[+-](?!\+\+|--)/.test(line)),
  ])
  const query = new Map<string, number>()
  for (const [word] of [...lines, ...change.messages]
    .join('\n')
    .toLowerCase()
    .matchAll(/[a-z\d]{2,40}/g)) {
    query.set(word, (query.get(word) ?? 0) + 1)
  }
  return query
}
