// Reads the frontmatter of a page: elements that generators put into its head, images, and addresses that run code.

import { readYaml } from '../../../../docs-syntax/yaml.ts'
import { isCodeString } from '../address.ts'
import { imageOf } from '../elements.ts'
import { codeAddress, toHost } from '../links.ts'
import type { Sign } from '../sign.ts'

const block = /^---[ \t]*(?:\r\n|\r|\n)([^]*?)(?:\r\n|\r|\n)---[ \t]*(?:\r|\n|$)/
const imageName = /image|img|icon|logo|thumbnail|cover|avatar|picture|photo|banner|background|src/i
/** Elements and attributes of a head that run code or lead elsewhere. */
const headCode = /^(?:script|noscript|base|iframe|object|embed|style)$|refresh|^https?:|^\/\//i

export function readFrontmatter(text: string): Sign[] {
  const found = block.exec(text)
  const offset = text.indexOf(found?.[1] ?? '')
  const { strings, problem } = readYaml(found?.[1] ?? '', offset)
  const head = strings.filter(({ path }) => path[0] === 'head')
  const hasCode = head.some(
    ({ path, value }) =>
      headCode.test(value) || path.some((key) => headCode.test(String(key)) || /^on[a-z]/i.test(String(key))),
  )
  const whole = head.map(({ path, value }) => `${path.join('.')}=${value}`).join('\n')
  const unread = problem !== undefined && /^["']?head/m.test(found?.[1] ?? '')
  return [
    ...(hasCode || unread
      ? [
          {
            kind: 'refused',
            key: `head ${whole}`,
            what: 'code to the head of the page',
            start: head[0]?.start ?? offset,
          } as const,
        ]
      : []),
    ...strings.flatMap(({ path, value, start }) => {
      const name = path.findLast((key) => typeof key === 'string') ?? ''
      return [
        ...(isCodeString(value) ? [codeAddress(value, start)] : toHost(value, start)),
        ...(imageName.test(name) ? imageOf(value, start) : []),
      ]
    }),
  ]
}
