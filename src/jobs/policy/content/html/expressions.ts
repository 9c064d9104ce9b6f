// Decides what the code of an MDX page is: data, or something that runs. Evaluates nothing.

import type { ScriptNode } from '../../../../docs-syntax/script/script.ts'

type Node = { readonly type: string; readonly [member: string]: unknown }

/** Whether an expression is a literal, or consists of literals. JSX inside counts as its attributes and children do. */
export function isData(node: unknown): boolean {
  if (!isNode(node)) return node === null || node === undefined
  switch (node.type) {
    case 'Program':
      return all(node['body'])
    case 'ExpressionStatement':
    case 'JSXExpressionContainer':
      return isData(node['expression'])
    case 'Literal':
      return node['regex'] === undefined
    case 'TemplateLiteral':
      return (node['expressions'] as readonly unknown[]).length === 0
    case 'ArrayExpression':
      return all(node['elements'])
    case 'ObjectExpression':
      return all(node['properties'])
    case 'Property':
      return node['kind'] === 'init' && node['method'] === false && node['computed'] === false && isData(node['value'])
    case 'UnaryExpression':
      return /^[-+!]$/.test(String(node['operator'])) && isData(node['argument'])
    case 'Identifier':
      return node['name'] === 'undefined'
    case 'JSXElement':
      return isData(node['openingElement']) && all(node['children'])
    case 'JSXFragment':
      return all(node['children'])
    case 'JSXOpeningElement':
      return all(node['attributes'])
    case 'JSXAttribute':
      return isData(node['value'])
    case 'JSXText':
    case 'JSXEmptyExpression':
    case 'EmptyStatement':
      return true
    default:
      return false
  }
}

function all(nodes: unknown): boolean {
  return Array.isArray(nodes) && nodes.every((node) => isData(node))
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<ScriptNode>).type === 'string'
}
