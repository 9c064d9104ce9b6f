// The colours of Markdown in a diff, which may begin anywhere in a page.

import type { HLJSApi, Language } from 'highlight.js'
import commonMark from 'highlight.js/lib/languages/markdown'

/** Only `#` begins a heading: the `---` at the end of frontmatter would make one of the line above it. */
export function markdown(api: HLJSApi): Language {
  const language = commonMark(api)
  const modes = language.contains.flatMap((mode) => {
    if (mode.className !== 'section') return [mode]
    const variants = mode.variants?.filter(({ begin }) => typeof begin === 'string' && begin.includes('#'))
    return [{ ...mode, ...(variants && { variants }) }]
  })
  return { ...language, contains: modes }
}
