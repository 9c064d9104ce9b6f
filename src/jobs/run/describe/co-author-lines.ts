// The trailers of a commit that name people, as GitHub, GitLab and Forgejo read them. People choose their names and
// addresses, so both are made safe: nothing in them ends the line or the address. Pure.

export type CoAuthor = { readonly name: string; readonly email: string }

/** An address that git and forges read as one: no quotes, spaces, brackets or commas, and a domain. */
const address = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}]([\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u

/** Each address once, in any case; somebody without a valid address is left out. */
export function coAuthorLines(people: readonly CoAuthor[]): readonly string[] {
  const lines = new Map<string, string>()
  for (const { name, email } of people) {
    const key = email.toLowerCase()
    if (!address.test(email) || lines.has(key)) continue
    lines.set(key, `Co-authored-by: ${toName(name) || email.replace(/@.*/, '')} <${email}>`)
  }
  return [...lines.values()]
}

/** One line without what ends a name: control characters, separators of lines and paragraphs, and angle brackets. */
function toName(name: string): string {
  return name.replaceAll(/[\p{C}\p{Z}<>]+/gu, ' ').trim()
}
