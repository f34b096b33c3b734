import type { Node } from '@babel/types'
import {
  changeExpression,
  changeMember,
  changeProperty,
  changeSpreads,
  changeTemplate,
  visitChildren,
} from './change-expressions.ts'
import { changeContainer } from './change-jsx.ts'
import { changeList, changeStatement } from './change-statements.ts'
import type { Unit } from './unit.ts'

/** Changes the node and all below it that depends on the flag. */
export function visit(unit: Unit, node: Node): undefined {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
    case 'StaticBlock':
    case 'TSModuleBlock':
      changeList(unit, node.body, node)
      return
    case 'SwitchCase':
      if (node.test) unit.visit(node.test)
      changeList(unit, node.consequent, node)
      return
    case 'IfStatement':
    case 'SwitchStatement':
    case 'ExpressionStatement':
    case 'WhileStatement':
      changeStatement(unit, node, unit.scopes.links.get(node)?.parent ?? node)
      return
    case 'ImportDeclaration':
    case 'StringLiteral':
      return
    case 'JSXExpressionContainer':
      return changeContainer(unit, node)
    case 'ObjectProperty':
      return changeProperty(unit, node)
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return changeMember(unit, node)
    case 'TemplateLiteral':
      return changeTemplate(unit, node)
    case 'ArrayExpression':
    case 'ObjectExpression':
      return changeSpreads(unit, node)
    case 'CallExpression':
      return visitCall(unit, node)
    case 'Identifier':
    case 'OptionalCallExpression':
    case 'UnaryExpression':
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'ConditionalExpression':
    case 'AwaitExpression':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
      return changeExpression(unit, node)
    default:
      return visitChildren(unit, node)
  }
}

function visitCall(unit: Unit, node: Extract<Node, { type: 'CallExpression' }>): undefined {
  const reduced = unit.reduce(node)
  if (reduced.kind === 'known' || reduced.node !== node) return changeExpression(unit, node)
  unit.visit(node.callee)
  changeSpreads(unit, node)
}
