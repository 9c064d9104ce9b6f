// Where documentation may name what is gone: pages and sections about the past, sentences that say that something was removed, and
// other products.

import { isChangelog } from '../../sites/by-path/changelog.ts'
import type { SitePage } from '../rules/site-page.ts'

const pastPath =
  /(?:^|[/_.-])(?:migrat\w*|upgrad\w*|deprecat\w*|blogs?|posts?|announc\w*|roadmap|rfcs?|adrs?|decisions?|propos\w+|seps?|peps?|keps?|enhancements?|design-?docs?|archived?|legacy|old|release-?notes?|versioned_docs|versions?|changelogs?|histor\w*|compar\w+|whats-?new|v?\d+[.-]\d+(?:[.-][\dx]+)?|v\d+)(?=$|[/_.-])/i
const pastTitle =
  /\b(?:migrat\w+|upgrad\w+|deprecat\w+|removed|removal|breaking changes?|changelog|release notes?|what.?s new|history|legacy|older versions?|previous versions?|roadmap|alternatives?|compar\w+|version \d|v\d+[.\d]*\b.*\bto\b)/i
/** Sentences that know that it is gone, or speak of another version or product. */
const pastWords =
  /\b(?:deprecat\w*|removed?|removal|no longer|formerly|former|previous(?:ly)?|renam\w*|replac\w*|superseded?|obsolete\w*|legacy|used to be|old(?:er)?|prior to v?\d|before v?\d|until v?\d|was called|was changed|changed (?:in|from|to)|moved (?:in)?to|instead of|migrat\w*|upgrad\w*|discontinued|dropped|backwards?[- ]compat\w*|versionchanged|versionadded|(?:since|in|as of|from|with) v?\d+\.\d+|<= ?v?\d|< ?v?\d)\b/i

/** `import { name, other } from 'module'`, in JavaScript and TypeScript. */
const imported = /\bimport\s+(?:type\s+)?\{([^}]{0,2000})\}\s*from\s*['"]([^'"\n]+)['"]/g
const moduleDirective = /^\s*\.\. (?:\w+:)?(?:current)?module::\s*([\w.]+)/
/** The part of a line before a name that it defines or imports. */
const defining =
  /\b(?:def|function|fn|func|lambda)\b|\b(?:class|const|let|var|val|fun|type|interface|enum|struct|trait|module|async)\s+(?:\([^)]{0,100}\)\s*)?$|\bfrom\s+['"]?(?:\.|my|your|app|proj).*\bimport\b/
/** The part before a name at the start of a line that gives it a value. */
const assigning = /^[\s>.$]*(?:self\.|this\.|@)?$/
/** A longer line is data. */
const longestLine = 4_000

/** Whether a page describes the product as it is now. */
export function isCurrent({ path, mount, facts }: SitePage): boolean {
  if (mount.isCopy || mount.isApart || !isCurrentPath(path)) return false
  const title = facts.frontmatter?.strings['title'] ?? facts.headings[0]?.text ?? ''
  return !pastTitle.test(title)
}

export function isCurrentPath(path: string): boolean {
  return !isChangelog(path) && !pastPath.test(path)
}

/** The head of a page about something that is no longer there. */
const removedWords =
  /\b(?:this|the) [\w-]+(?: [\w`-]+)? (?:was|were|is|are|has been|have been) (?:\w+ )?(?:removed|deprecated|replaced|superseded|obsolete|discontinued)\b/i
const headLines = 25

/** The lines of a page, with the sections that are about the past. */
export type PageLines = {
  readonly lines: readonly string[]
  /** Whether what the line says is about the past. */
  isPast(line: number): boolean
  /** The modules from which examples of the page import the name. */
  importedFrom(name: string): readonly string[]
  /** The module that a directive of reStructuredText before the line names: `acme.pages`. */
  moduleAt(line: number): string | undefined
  /** Whether an example of the page defines the name. */
  isOwn(name: string): boolean
}

export function readLines({ facts }: SitePage, text: string): PageLines {
  const lines = text.split(/\r\n|\r|\n/)
  const imports = Array.from(text.matchAll(imported), ([, names = '', from = '']) => ({ names, from }))
  const modules = lines.flatMap((one, at) => {
    const name = moduleDirective.exec(one)?.[1]
    return name === undefined ? [] : [{ name, line: at + 1 }]
  })
  const second = facts.headings.find(({ line }) => line > (facts.headings[0]?.line ?? 0))?.line ?? Infinity
  const isOfThePast = removedWords.test(lines.slice(0, Math.min(headLines, second - 1)).join(' '))
  const headings = facts.headings.filter(({ text: title }) => title !== '')
  return {
    lines,
    moduleAt: (line) => modules.findLast((one) => one.line <= line)?.name,
    importedFrom: (name) => imports.filter(({ names }) => names.includes(name)).map(({ from }) => from),
    isOwn: (name) => {
      const uses = lines.filter((one) => one.length <= longestLine).flatMap((one) => usesIn(one, name))
      if (uses.some(({ before }) => defining.test(before))) return true
      // A variable is used afterwards; a setting is not.
      const assigned = uses.filter(({ before, after }) => assigning.test(before) && /^\s*=(?!=)/.test(after))
      return assigned.length > 0 && assigned.length < uses.length
    },
    isPast: (line) => {
      if (isOfThePast) return true
      const heading = headings.findLast((one) => one.line <= line)
      return (heading !== undefined && pastTitle.test(heading.text)) || pastWords.test(around(lines, line))
    },
  }
}

/** The parts before and after each place of the name in a line. */
function usesIn(line: string, name: string): { readonly before: string; readonly after: string }[] {
  const found = []
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + name.length)) {
    const [before, after] = [line.slice(0, at), line.slice(at + name.length)]
    if (!/\w$/.test(before) && !/^\w/.test(after)) found.push({ before, after })
  }
  return found
}

/** The sentence may begin in the line before and end in the next one, and a note about a term often follows it. */
function around(lines: readonly string[], line: number): string {
  const part = [lines[line - 1] ?? '']
  for (const [step, most] of [
    [-1, 2],
    [1, 3],
  ] as const)
    for (let far = 1; far <= most; far += 1) {
      const next = lines[line - 1 + far * step] ?? ''
      if (next.trim() === '') break
      part.push(next)
    }
  return part.join('\n')
}
