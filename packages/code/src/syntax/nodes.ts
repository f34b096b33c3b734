// The tree of a program: its nodes, their parents, and what an expression may do besides having a value.

import type { Node } from '@babel/types'

export interface Link {
  parent: Node
  /** The member of the parent that holds the node, or the list with it. */
  role: string
}

export type Links = ReadonlyMap<Node, Link>

/** Whether a value of unknown type is a node of the tree. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

const notChildren = new Set([
  'loc',
  'extra',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'errors',
])

/** The children in the order of the text. */
export function childrenOf(node: Node): [role: string, child: Node][] {
  const found: [string, Node][] = []
  for (const [role, value] of Object.entries(node)) {
    if (notChildren.has(role)) continue
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) found.push([role, item])
    } else if (isNode(value)) found.push([role, value])
  }
  return found
}

export function linkNodes(root: Node): Links {
  const links = new Map<Node, Link>()
  const walk = (parent: Node) => {
    for (const [role, child] of childrenOf(parent)) {
      links.set(child, { parent, role })
      walk(child)
    }
  }
  walk(root)
  return links
}

/** Calls `visit` with the node and all below; what `visit` returns false for is not entered. */
export function walkNodes(node: Node, visit: (node: Node) => boolean | undefined): void {
  if (visit(node) === false) return
  for (const [, child] of childrenOf(node)) walkNodes(child, visit)
}

export function spanOf(node: Node): { start: number; end: number } {
  return { start: node.start ?? 0, end: node.end ?? 0 }
}

/** Without parentheses, casts and `!`. */
export function unwrap(node: Node): Node {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return unwrap(node.expression)
    default:
      return node
  }
}

export function isFunction(node: Node): boolean {
  return /Function|ObjectMethod|ClassMethod|ClassPrivateMethod/.test(node.type) && !node.type.startsWith('TS')
}

const idle = new Set([
  'useMemo',
  'useCallback',
  'useContext',
  'useRef',
  'useId',
  'Boolean',
  'String',
  'Number',
  'Symbol',
  'memo',
  'lazy',
  'forwardRef',
  'createContext',
  'useFlags',
  'useOpenFeatureClient',
])
const idleObjects = new Set([
  'Object',
  'Math',
  'JSON',
  'Array',
  'Number',
  'String',
  'Date',
  'React',
  'Symbol',
  'OpenFeature',
])
const idleClasses = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'Date', 'RegExp', 'URL', 'Error'])
/** Members of `Object` that change their argument. */
const changing = new Set(['assign', 'defineProperty', 'defineProperties', 'setPrototypeOf', 'freeze', 'seal'])

/**
 * Whether evaluating the expression may do more than produce its value. Reading a member counts as harmless, and calls
 * that `isHarmless` says so of.
 */
export function hasEffects(node: Node, isHarmless: (call: Node) => boolean = () => false): boolean {
  const has = (child: Node) => hasEffects(child, isHarmless)
  switch (node.type) {
    case 'AssignmentExpression':
    case 'UpdateExpression':
    case 'AwaitExpression':
    case 'YieldExpression':
    case 'TaggedTemplateExpression':
    case 'ImportExpression':
    case 'ClassExpression':
      return true
    case 'UnaryExpression':
      return node.operator === 'delete' || has(node.argument)
    case 'CallExpression':
    case 'OptionalCallExpression':
      return !(isIdleCallee(node.callee) || isHarmless(node)) || node.arguments.some(has)
    case 'NewExpression':
      return (
        node.callee.type !== 'Identifier' || !idleClasses.has(node.callee.name) || node.arguments.some(has)
      )
    default:
      return !isFunction(node) && childrenOf(node).some(([, child]) => has(child))
  }
}

function isIdleCallee(callee: Node): boolean {
  if (callee.type === 'Identifier') return idle.has(callee.name)
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false
  const { object, property } = callee
  if (object.type !== 'Identifier' || !idleObjects.has(object.name)) return false
  if (object.name === 'OpenFeature') return property.name === 'getClient'
  if (object.name === 'React') return idle.has(property.name)
  return !changing.has(property.name)
}

/** Whether the expression is `true` or `false` for sure. */
export function isBoolean(given: Node): boolean {
  const node = unwrap(given)
  switch (node.type) {
    case 'BooleanLiteral':
      return true
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === 'delete'
    case 'BinaryExpression':
      return /^([=!]==?|[<>]=?|in|instanceof)$/.test(node.operator)
    case 'LogicalExpression':
      return isBoolean(node.left) && isBoolean(node.right)
    case 'CallExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'Boolean'
    default:
      return false
  }
}
