// Removes from HTML what no reader sees as text: comments, scripts, styles, templates, drawings and frames. Their content may
// look like tags, so they are removed before tags are read. Never throws, and takes linear time.

const hidden = /<!--|<(script|style|template|noscript|svg|math|iframe|object|select|textarea)(?=[\s/>])/gi

export function withoutHidden(html: string): string {
  const parts: string[] = []
  const endless = new Set<string>()
  const pattern = new RegExp(hidden)
  let position = 0
  for (let found = pattern.exec(html); found; found = pattern.exec(html)) {
    parts.push(html.slice(position, found.index))
    position = endOf(html, found, endless)
    pattern.lastIndex = position
  }
  return parts.join('') + html.slice(position)
}

/** Without an end, a comment, a script or a style continues to the end of the page; of other elements, only the tag is removed. */
function endOf(html: string, found: RegExpExecArray, endless: Set<string>): number {
  const { index } = found
  const name = (found[1] ?? '').toLowerCase()
  if (name === '') {
    const end = html.indexOf('-->', index + 4)
    return end === -1 ? html.length : end + 3
  }
  const close = endless.has(name) ? undefined : findClose(html, name, index)
  if (close === undefined) {
    // Looked for once: a page may open thousands of them.
    endless.add(name)
    return name === 'script' || name === 'style' ? html.length : endOfTag(html, index)
  }
  return endOfTag(html, close)
}

function endOfTag(html: string, from: number): number {
  const end = html.indexOf('>', from)
  return end === -1 ? html.length : end + 1
}

function findClose(html: string, name: string, from: number): number | undefined {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  close.lastIndex = from
  return close.exec(html)?.index
}
