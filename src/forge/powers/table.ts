// The words and signs with which text acts on a forge: it notifies people, refers to issues, closes them, orders bots
// about, or skips a check. One row per forge, and what the forges have in common. Pure data.

import type { ForgeKind } from '../host.ts'

export type Powers = {
  /** Signs before a number that refer to an issue or a pull request. */
  readonly signs: string
  /** Prefixes before a number that do so, such as `GH-12`. */
  readonly prefixes: readonly string[]
  /** The stems and ends of the words that close an issue, as a pattern. */
  readonly closing: string
}

/** Sources: the pages of the forges about references, and the default issue closing pattern of GitLab and Gitea. Bitbucket's
 * words also put an issue on hold or call it invalid. On Azure DevOps `#12` and `AB#12` link work items, which a merge completes
 * after such a word, `!12` is a pull request, and `@<id>` mentions. */
export const powers: Readonly<Record<ForgeKind, Powers>> = {
  github: { signs: '#', prefixes: ['GH'], closing: 'close[sd]?|fix(?:e[sd])?|resolve[sd]?' },
  gitlab: {
    signs: '#!&$%',
    prefixes: ['GL'],
    closing: 'clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?',
  },
  gitea: { signs: '#!', prefixes: [], closing: 'close[sd]?|fix(?:e[sd])?|resolve[sd]?|reopen(?:s|ed)?' },
  bitbucket: {
    signs: '#',
    prefixes: [],
    closing:
      'clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|reopen(?:s|ed|ing)?|hold(?:s|ing)?|wontfix|invalidat(?:e[sd]?|ing)',
  },
  azure: { signs: '#!', prefixes: [], closing: 'close[sd]?|complete[sd]?|fix(?:e[sd])?|resolve[sd]?' },
}

/** A commit is pushed before a forge is known, and may be pushed to another one later: the powers of all. */
export const anyForge: Powers = {
  signs: '#!',
  prefixes: Object.values(powers).flatMap(({ prefixes }) => prefixes),
  closing: Object.values(powers)
    .map(({ closing }) => closing)
    .join('|'),
}

/** Words in brackets with which CI services, hosts of sites and release bots skip or start something. */
export const bracketed =
  /\[(?=[^[\]\n]{0,40}\])(?=[^\]]*\b(?:skip|no|ci|cd|actions|only|deploy|release|force|build|vercel|netlify|render)\b)([^[\]\n]*)\]/gi
/** Azure Pipelines skips a commit with this in its message. */
export const starred = /\*{3}NO_CI\*{3}/gi
/**
 * A line that git, a forge or a release bot reads as a trailer: `Co-authored-by: …`, `Changelog: added`,
 * `BREAKING CHANGE: …`, `skip-checks: true`.
 */
export const trailer =
  /^[ \t]*(?:[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+|BREAKING[ -]CHANGES?|changelog|cc|bug|issue|refs?|closes|fixes|resolves)(?=[ \t]*[:=])/gim
/** A trailer that says that a person did something: only people say so of themselves. */
export const personTrailer =
  /^[ \t]*(?:signed-off|co-authored|co-developed|reviewed|acked|approved|tested|reported|suggested)-by[ \t]*[:=].*\n?/gim
/** A line that bots read as a command: `/merge`, `/ok-to-test`, `/cherry-pick x`. */
export const command = /^([ \t]*)\/(?=[a-z_])/gim

/** The address of an issue, or its key in Jira, after a closing word. Some standards have names like such keys. */
export const otherReference = String.raw`(?:https?:\/\/|(?-i:(?!(?:AES|CVE|GPT|IEC|IEEE|ISO|MD|PEP|RFC|RSA|SHA|TLS|UTF)-)[A-Z][A-Z0-9_]{1,20}-\d))`
