// The form in which the agent receives a comment on a line: where it is, the line itself if it is known, then the comment. The
// built-in model carries out the comment alone.

export type CommentPlace = {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** `base`: a line that the change removes. */
  readonly at: 'base' | 'head'
  readonly quote?: string | undefined
}

const form = /^Comment on line \d+ of "[^\n]*:\n(?:> [^\n]*\n)?\n/

/** Path and line come from a repository: neither can end the place early. */
export function toCommentPrompt({ path, line, at, quote }: CommentPlace, text: string): string {
  const side = at === 'base' ? ' before the change' : ''
  const quoted = quote === undefined ? '' : `> ${quote.replaceAll(/[\r\n]+/g, ' ')}\n`
  return `Comment on line ${line} of ${JSON.stringify(path)}${side}:\n${quoted}\n${text}`
}

/** Also one whose end was cut away. */
const forms = /^Comment on line \d+ of "[^\n]*(?:\n> [^\n]*)?/gm

/** Returns what the people wrote in a message that may have several comments on lines. */
export function withoutPlaces(prompt: string): string {
  return prompt.replaceAll(forms, '')
}

/** Returns the only comment. */
export function withoutPlace(prompt: string): string {
  return prompt.replace(form, '')
}
