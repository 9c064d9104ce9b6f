// Reads the frontmatter of a page: elements that generators put into its head, HTML, images, and addresses that run code.

import { readYaml } from '../../../../docs-syntax/yaml.ts'
import { isCodeString } from '../html/address.ts'
import { imageOf, refused } from '../html/elements.ts'
import { codeAddress, toHost } from '../html/links.ts'
import { squash, type Sign } from '../sign.ts'
import { scanStrings } from './strings.ts'

const block = /^\uFEFF?---[ \t]*(?:ya?ml|json)?[ \t]*(?:\r\n|\r|\n)([^]*?)(?:\r\n|\r|\n)---[ \t]*(?:\r|\n|$)/i
/** The library of most generators runs a frontmatter whose first line names a language. */
const language = /^\uFEFF?(?:---|;;;|\+\+\+)[ \t]*(?!(?:ya?ml|json5?|toml)\b)([a-z][\w-]*)[ \t]*(?:[\r\n]|$)/i
const imageName = /image|img|icon|logo|thumbnail|cover|avatar|picture|photo|banner|background|src/i
/** Elements and attributes of a head that run code or lead elsewhere. */
const headCode = /^(?:script|noscript|base|iframe|object|embed|style)$|refresh|^https?:|^\/\//i
/** An alias can put anything under `head`. */
const alias = /^\s*(?:"head"|'head'|head)\s*:\s*\*|^\s*(?:-\s*)?(?:"<<"|'<<'|<<)\s*:/m

export function readFrontmatter(text: string): Sign[] {
  const program = language.exec(text)
  if (program) {
    const what = 'a frontmatter in a language that the generator runs'
    return [
      refused({ name: 'frontmatter', start: 0 }, squash(text.slice(0, text.search(/\n(?:---|;;;|\+\+\+)/))), what),
    ]
  }
  const found = block.exec(text)
  const inside = found?.[1] ?? ''
  if (inside === '') return []
  const offset = text.indexOf(inside)
  const { strings, problem } = readYaml(inside, offset)
  const head = alias.test(inside) ? strings : strings.filter(({ path }) => path[0] === 'head')
  const hasCode = head.some(
    ({ path, value }) =>
      headCode.test(value) || path.some((key) => headCode.test(String(key)) || /^on[a-z]/i.test(String(key))),
  )
  const whole = head.map(({ path, value }) => `${path.join('.')}=${value}`).join('\n')
  const unread = problem !== undefined && /(?:^|[{,])\s*["']?head/m.test(inside)
  const place = { name: 'head', start: head[0]?.start ?? offset }
  return [
    ...(hasCode || unread ? [refused(place, whole, 'code to the head of the page')] : []),
    ...strings.flatMap(({ path, value, start }) => {
      const name = path.findLast((key) => typeof key === 'string') ?? ''
      return [
        ...(isCodeString(value) ? [codeAddress(value, start)] : toHost(value, start)),
        ...(imageName.test(name) ? imageOf(value, start) : []),
        // Escapes of YAML hide it from a reader of the text.
        ...(value.includes('<') ? scanStrings(value).map((sign) => ({ ...sign, start })) : []),
      ]
    }),
  ]
}
