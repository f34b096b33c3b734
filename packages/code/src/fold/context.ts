import type { Node } from '@babel/types'
import type { Links } from '../syntax/nodes.ts'

/**
 * What an expression is used for. `test`: whether it is true. `effect`: its value is dropped. `and`, `or`: it is the
 * left side of such an operator, whose value is used. `child`: of an element of JSX.
 */
export type Context = 'value' | 'test' | 'effect' | 'and' | 'or' | 'child'

export function contextOf(links: Links, node: Node): Context {
  const link = links.get(node)
  if (link === undefined) return 'value'
  const { parent, role } = link
  switch (parent.type) {
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return contextOf(links, parent)
    case 'IfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return role === 'test' ? 'test' : 'value'
    case 'ForStatement':
      return role === 'test' ? 'test' : 'effect'
    case 'ConditionalExpression':
      return role === 'test' ? 'test' : contextOf(links, parent)
    case 'UnaryExpression':
      return parent.operator === '!' ? 'test' : parent.operator === 'void' ? 'effect' : 'value'
    case 'LogicalExpression': {
      const outer = contextOf(links, parent)
      if (role === 'right') return outer
      if (parent.operator === '??') return 'value'
      if (outer === 'test' || outer === 'effect') return 'test'
      return parent.operator === '&&' ? 'and' : 'or'
    }
    case 'SequenceExpression':
      return parent.expressions.at(-1) === node ? contextOf(links, parent) : 'effect'
    case 'ExpressionStatement':
      return 'effect'
    case 'CallExpression': {
      const isBoolean = parent.callee.type === 'Identifier' && parent.callee.name === 'Boolean'
      return isBoolean && role === 'arguments' ? 'test' : 'value'
    }
    case 'JSXExpressionContainer':
      return links.get(parent)?.parent.type === 'JSXAttribute' ? 'value' : 'child'
    default:
      return 'value'
  }
}
