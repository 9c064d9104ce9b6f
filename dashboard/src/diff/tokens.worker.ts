// Colours the lines of a file in a thread of its own. It is given text and returns lengths and kinds, never HTML.

import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'
import { markdown } from './lines/markdown.ts'
import type { Token } from './lines/segments.ts'
import type { Asked, Coloured } from './use-tokens.ts'

type Node = {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly Node[]
}

const lowlight = createLowlight({ bash, css, javascript, json, markdown, python, typescript, xml, yaml })

/** Every hunk twice: as it was, for its removed lines, and as it is. A hunk starts in the middle of a file. */
function colour({ path, language, hunks }: Asked): Coloured {
  const tokens: (readonly Token[])[] = []
  for (const lines of hunks) {
    for (const hidden of ['added', 'removed'] as const) {
      const seen = lines.filter(({ kind }) => kind !== hidden)
      const root = lowlight.highlight(language, seen.map(({ text }) => text).join('\n')) as Node
      const byLine = splitLines(root)
      const isWanted = hidden === 'removed' ? ['added', 'same'] : ['removed']
      for (const [at, line] of seen.entries()) if (isWanted.includes(line.kind)) tokens[line.index] = byLine[at] ?? []
    }
  }
  return { path, tokens }
}

function splitLines(root: Node): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]]
  const walk = (node: Node, kind: string) => {
    if (node.type === 'text') {
      for (const [index, part] of (node.value ?? '').split('\n').entries()) {
        if (index > 0) lines.push([])
        if (part !== '') lines.at(-1)?.push([part.length, kind])
      }
    }
    const names = node.properties?.className
    const own = Array.isArray(names) ? String(names[0]).replace('hljs-', '') : kind
    for (const child of node.children ?? []) walk(child, own)
  }
  walk(root, '')
  return lines
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  postMessage(colour(data))
})
