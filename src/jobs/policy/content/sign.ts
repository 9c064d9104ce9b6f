// Signs: parts of a page that a reviewer must know about, or that no job may add. Two signs with the same key are the same
// content, wherever they are on a page.

/**
 * `refused`: no job may add it. `image`: refused unless the project allows its host. `code`: the reviewer must see it.
 * `import`: like `code`, unless `url` names a file of the repository. `redirect`: the page sends its readers to another
 * site. `host`: another site that the page leads to.
 */
export type SignKind = 'refused' | 'image' | 'code' | 'import' | 'redirect' | 'host'

export type Sign = {
  readonly kind: SignKind
  readonly key: string
  /** The object of the verb "adds", such as `a script`. Never contains text of the page beyond a host or a name. */
  readonly what: string
  readonly start: number
  /** The host of an image, link or redirect, in the form of a URL parser. */
  readonly host?: string
  /** The address of an import. */
  readonly url?: string
}

/** Without the differences of formatting that do not change what it does. */
export function squash(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Whether it is a script, an event handler or an address that runs code; by the first word of its key. */
export function runsInBrowsers({ key }: Sign): boolean {
  return /^(?:(?:\S+:)?script|address|head|on[a-z]+|@[\w.:-]+|v-(?:on|html)\S*|dangerouslysetinnerhtml) /i.test(key)
}
