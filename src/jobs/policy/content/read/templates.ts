// Finds the parts of a page that its generator runs: expressions and directives of Vue, Liquid, Jinja, and code in the text
// of R Markdown. Names and addresses of the site pass, because they can only be text.

import { parseScript } from '../../../../docs-syntax/script/script.ts'
import { isData } from '../html/expressions.ts'
import { inRanges, type Range } from '../../../../docs-syntax/text.ts'
import { type IsCode, readTags } from '../html/tags.ts'
import { type Sign, squash } from '../sign.ts'
import { createSpend } from '../spend.ts'
import type { Content } from './kinds.ts'

/** `code`: where readers see code. */
export function findTemplates(content: Content, code: readonly Range[]): readonly Sign[] {
  const isCode = inRanges(code)
  const { path, text, kind, templates } = content
  const isPage = kind === 'markdown' || kind === 'mdx'
  const found: Sign[] = []
  if (isPage && /\.(?:qmd|rmd)$/i.test(path)) found.push(...findInlineCode(text))
  if (isPage && /\{\{/.test(text)) found.push(...findRunningShortcodes(text, isCode))
  // Jekyll runs every file that begins with a frontmatter.
  const isRun = isPage || /^\uFEFF?---[ \t]*[\r\n]/.test(text)
  if (!isRun) return found
  if (isPage && templates.includes('vue'))
    found.push(...findVue(text, isCode, inRanges(code.filter((one) => isPre(text, one)))))
  // Liquid runs before anything is code.
  if (templates.includes('liquid')) found.push(...findLiquid(withoutRaw(text), () => false))
  else if (templates.includes('jinja')) found.push(...findLiquid(text, isCode))
  return found
}

function sign(key: string, what: string, start: number): Sign {
  return { kind: 'code', key: `template ${squash(key)}`, what, start }
}

function findInlineCode(text: string): Sign[] {
  return Array.from(text.matchAll(/`(?:r\s|\{[a-z]+\}\s)[^`\n]{1,2000}`/gi), ({ 0: written, index }) =>
    sign(written, 'code in the text, which the generator runs', index),
  )
}

/** Shortcodes that print the environment of the build, or hold code of their own. */
function findRunningShortcodes(text: string, isCode: IsCode): Sign[] {
  const found = text.matchAll(/\{\{[<%]\s{0,40}(?:env\s[^{}]{0,200}|[\w/-]{1,100}\.inline\b[^{}]{0,200})[>%]\}\}/g)
  return Array.from(found).flatMap(({ 0: written, index }) =>
    isCode(index) ? [] : [sign(written, 'a shortcode that runs code or prints the environment', index)],
  )
}

/** Only a fence gets `v-pre`, and not one whose language ends in `-vue`. Code spans are interpolated. */
function isPre(text: string, { start, end }: Range): boolean {
  const info = /^(?:`{3,}|~{3,})([^\r\n]*)/.exec(text.slice(start, end))?.[1]
  if (info !== undefined) return !/-vue/i.test(info)
  return /^`+[^`]/.test(text.slice(start, end)) && /^\{[^{}\n]*\bv-pre\b[^{}\n]*\}/.test(text.slice(end, end + 100))
}

/** A brace, as Markdown and HTML write it. */
const brace = (plain: string, name: string, code: number) =>
  `(?:\\\\?\\${plain}|&(?:${name}|#0{0,9}${code}|#x0{0,9}${code.toString(16)});?)`
const [open, close] = [brace('{', 'lcub|lbrace', 123), brace('}', 'rcub|rbrace', 125)]
const moustache = new RegExp(`${open}{2}([^]{0,2000}?)${close}{2}`, 'gi')
/** The file is interpolated in the page. */
const vueSnippet = /^[ \t]{0,200}<<<[^\r\n]{0,500}-vue[^\r\n]{0,200}/gm
const names = /^\s*[$\w]+(?:\.[$\w]+)*\s*$/
/** Directives whose value names something and runs nothing. */
const plainDirective = /^(?:v-(?:slot|pre|cloak|once|else|for)\b|#)/

function findVue(text: string, isCode: IsCode, isPre: IsCode): Sign[] {
  const snippets = Array.from(text.matchAll(vueSnippet), ({ 0: written, index }) =>
    sign(written, 'code of Vue in a snippet', index),
  )
  const expressions = Array.from(text.matchAll(moustache)).flatMap(({ 0: written, 1: code = '', index }) => {
    return isPre(index) || names.test(code) || isPlainValue(code) ? [] : [sign(written, 'an expression of Vue', index)]
  })
  const { attributes } = readTags(text, isCode, createSpend(text))
  const directives = attributes.flatMap(({ name, value, start, hasValue }) => {
    if (isCode(start) || !/^(?:v-|:|#|@|is$)/.test(name)) return []
    if (!hasValue || plainDirective.test(name)) return []
    const isPlain = !/^(?:v-bind:|:)?(?:is|\[)|^v-bind$/.test(name) && (names.test(value) || isPlainValue(value))
    return isPlain ? [] : [sign(`${name}=${value}`, 'code of Vue in an attribute', start)]
  })
  return [...snippets, ...expressions, ...directives]
}

function isPlainValue(code: string): boolean {
  const script = parseScript(`(${code})`, 'javascript')
  return script !== undefined && script.body.length === 1 && isData(script.body[0])
}

const liquid = /\{\{([^]{0,2000}?)\}\}|\{%([^]{0,2000}?)%\}/g
const plainOutput =
  /^-?\s*(?:site|page|layout|include)(?:\.[\w-]+)+\s*(?:\|\s*(?:relative_url|absolute_url|escape|xml_escape|date(?:_\w+)?|default|slugify|size|upcase|downcase|capitalize|strip|truncate)\s*(?::\s*(?:"[^"<>]*"|'[^'<>]*'|\d+))?\s*)*-?$|^-?\s*(?:"[^"<>]*"|'[^'<>]*')\s*\|\s*(?:relative_url|absolute_url)\s*-?$/
/** The name of something that is a text of the site; not the inner names of Python. */
const plainName = /^-?\s*(?!.*__)[a-z][\w-]*(?:\.[a-z][\w-]*)*\s*-?$/i
const plainTag =
  /^-?\s*(?:(?:link|post_url|highlight|endhighlight|raw|endraw|comment|endcomment)\b[^{}]*|include\s+[\w-][\w./-]*(?:\s+\w+=(?:"[^"<>{}]*"|'[^'<>{}]*'|[\w.-]+))*\s*)-?$/

function findLiquid(text: string, isCode: IsCode): Sign[] {
  return Array.from(text.matchAll(liquid)).flatMap(({ 0: written, 1: output, 2: tag = '', index }) => {
    if (isCode(index)) return []
    // Between letters or templates it may make a name or a scheme.
    const isGlued = /[\w<}]/.test(text.charAt(index - 1)) && !/^-?\s*end/.test(tag)
    const isPlain =
      output === undefined
        ? plainTag.test(tag)
        : (plainOutput.test(output) || plainName.test(output)) && !/[\w{:]/.test(text.charAt(index + written.length))
    return isPlain && !isGlued ? [] : [sign(written, 'code of a template', index)]
  })
}

/** Liquid shows what is between `raw` and `endraw`. Every position stays. */
function withoutRaw(text: string): string {
  const parts: string[] = []
  let [at, opened] = [0, -1]
  for (const { 0: written, 1: isEnd, index } of text.matchAll(/\{%-?\s{0,40}(end)?raw\s{0,40}-?%\}/g)) {
    if (isEnd === undefined) {
      if (opened < 0) opened = index + written.length
    } else if (opened >= 0) {
      parts.push(text.slice(at, opened), text.slice(opened, index).replaceAll(/[^\r\n]/g, ' '))
      ;[at, opened] = [index, -1]
    }
  }
  return parts.length === 0 ? text : [...parts, text.slice(at)].join('')
}
