// A lint rule: text that is made for people is never read again by the program. How a date or a number is written depends
// on the language data of the browser: with the data of ICU 72, `en-CA` writes 3/1/26 for 2026-03-01. Parts of a date come
// from `formatToParts` or Temporal.

import type { RuleTester } from 'oxlint/plugins-dev'

type Rule = Parameters<RuleTester['run']>[1]
type Visitor = ReturnType<Extract<Rule, { create: unknown }>['create']>
type Call = Parameters<NonNullable<Visitor['CallExpression']>>[0]
type New = Parameters<NonNullable<Visitor['NewExpression']>>[0]
type Node = Call['parent']
type Scope = ReturnType<Parameters<Extract<Rule, { create: unknown }>['create']>[0]['sourceCode']['getScope']>

const reads = new Set(['Date', 'Number', 'BigInt', 'parseInt', 'parseFloat', 'parse', 'from'])
const comparisons = new Set(['==', '===', '!=', '!==', '<', '<=', '>', '>=', '-', '*', '/', '%'])
const toText = /^toLocale(?:Date|Time)?String$/
const message = 'This text is made for people, and differs between browsers: read `formatToParts` or Temporal instead.'

export const textForPeople: Rule = {
  create(context) {
    // Few files make such text.
    if (!/\bIntl\.|\.toLocale/.test(context.sourceCode.text)) return {}
    const initialOf = (node: Node): Node | undefined => {
      if (node.type !== 'Identifier') return undefined
      for (let scope: Scope | null = context.sourceCode.getScope(node); scope; scope = scope.upper) {
        const [definition] = scope.set.get(node.name)?.defs ?? []
        if (definition === undefined) continue
        return definition.node.type === 'VariableDeclarator' ? (definition.node.init ?? undefined) : undefined
      }
      return undefined
    }
    const isFormat = (node: Node): boolean => {
      const made = node.type === 'NewExpression' ? node : initialOf(node)
      if (made?.type !== 'NewExpression') return false
      const { callee } = made
      return callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'Intl'
    }
    const isText = (node: Node): boolean => {
      if (node.type === 'Identifier') {
        const initial = initialOf(node)
        return initial?.type === 'CallExpression' && isText(initial)
      }
      if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
      const { object, property } = node.callee
      if (property.type !== 'Identifier') return false
      return toText.test(property.name) || (property.name === 'format' && isFormat(object))
    }
    const holdsText = (node: Node): boolean =>
      isText(node) || (node.type === 'TemplateLiteral' && node.expressions.some(isText))
    const report = (node: Node) => context.report({ node, message })
    const readArguments = (node: Call | New) => {
      const { callee } = node
      const name = callee.type === 'MemberExpression' ? callee.property : callee
      if (name.type === 'Identifier' && reads.has(name.name) && node.arguments.some(holdsText)) report(node)
    }
    return {
      CallExpression: readArguments,
      NewExpression: readArguments,
      MemberExpression: (node) => {
        const isPadded = node.property.type === 'Identifier' && /^pad(?:Start|End)$/.test(node.property.name)
        if (!isPadded && isText(node.object)) report(node)
      },
      BinaryExpression: (node) =>
        comparisons.has(node.operator) && [node.left, node.right].some(holdsText) && report(node),
      // A language that writes dates as ISO does is a format in disguise.
      Literal: (node) => {
        const { parent } = node
        const isFirst =
          (parent.type === 'NewExpression' || parent.type === 'CallExpression') && parent.arguments[0] === node
        const isLocale = isFirst && (isFormat(parent) || isText(parent))
        if (isLocale && typeof node.value === 'string' && !/^en(?:-US|-u-ca-gregory-nu-latn)?$/.test(node.value))
          report(node)
      },
    }
  },
}
