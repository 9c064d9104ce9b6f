// A lint rule: a text is never cut in the middle of a character. Half of a surrogate pair is no JSON for providers of models
// and no text for PostgreSQL. `startOf` and `shorten` of `src/lib/plain-text.ts` cut between characters. The rule has no types,
// so it takes a limit with the name of characters, or of 30 and more, and an ellipsis that follows, for the cut of a text.

import type { RuleTester } from 'oxlint/plugins-dev'

type Rule = Parameters<RuleTester['run']>[1]
type Call = Parameters<NonNullable<ReturnType<Extract<Rule, { create: unknown }>['create']>['CallExpression']>>[0]
type Node = Call['parent']

const message = 'This may cut a character in half: use `startOf` or `shorten` of `lib/plain-text.ts`.'
const ofText = /characters$|letters$|units$|^longest[A-Z]|^max(?:Line|UserAgentLength|SignalLength|Address)$|^room$/i
const leastLiteral = 30

/** Methods whose results are ASCII, or not text. */
const ascii = new Set(['digest', 'toISOString', 'toString', 'matches'])

export const wholeCharacters: Rule = {
  create(context) {
    return {
      CallExpression: (node) => {
        const { callee, arguments: given } = node
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
        if (!['slice', 'substring', 'substr'].includes(callee.property.name) || given.length !== 2) return
        const [from, to] = given
        if (from?.type !== 'Literal' || from.value !== 0 || to === undefined || isAscii(callee.object)) return
        if (isLongLimit(to) || isBeforeEllipsis(node)) context.report({ node, message })
      },
    }
  },
}

function isAscii(node: Node): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
  return node.callee.property.type === 'Identifier' && ascii.has(node.callee.property.name)
}

function isLongLimit(node: Node): boolean {
  if (node.type === 'Literal') return typeof node.value === 'number' && node.value >= leastLiteral
  if (node.type === 'Identifier') return ofText.test(node.name)
  return node.type === 'BinaryExpression' && [node.left, node.right].some(isLongLimit)
}

function isBeforeEllipsis({ parent, ...node }: Call): boolean {
  if (parent.type !== 'TemplateLiteral') return false
  const after = parent.quasis[parent.expressions.findIndex(({ start }) => start === node.start) + 1]
  return after?.value.raw.startsWith('…') === true
}
