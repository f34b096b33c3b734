// Which declaration a name refers to. Where a name could be one of types alone it counts as a use, so that nothing is
// removed which a type still needs.

import type { Node } from '@babel/types'
import { isFunction, type Links, linkNodes, walkNodes } from './nodes.ts'

export type Kind = 'import' | 'const' | 'let' | 'var' | 'function' | 'class' | 'parameter' | 'type'

export interface Reference {
  node: Node
  kind: 'read' | 'write' | 'type'
  scope: Scope
}

export interface Binding {
  name: string
  kind: Kind
  /** Where the name is declared. */
  identifier: Node
  /** The import specifier, declarator, function, class or type. */
  declaration: Node
  scope: Scope
  references: Reference[]
}

export interface Scope {
  node: Node
  parent: Scope | undefined
  bindings: Map<string, Binding>
}

export interface Scopes {
  links: Links
  bindings: readonly Binding[]
  references: readonly Reference[]
  bindingOf(identifier: Node): Binding | undefined
  /** What the name refers to where the node is. */
  resolveAt(node: Node, name: string): Binding | undefined
  /** The scope that the node makes. */
  scopeOf(node: Node): Scope | undefined
}

export function analyseScopes(program: Node): Scopes {
  const links = linkNodes(program)
  const scopes = new Map<Node, Scope>()
  const bindings: Binding[] = []
  const declared = new Set<Node>()

  const scopeAt = (node: Node): Scope => {
    for (let at: Node | undefined = node; at !== undefined; at = links.get(at)?.parent) {
      const scope = scopes.get(at)
      if (scope !== undefined) return scope
    }
    return root
  }
  const root: Scope = { node: program, parent: undefined, bindings: new Map() }
  scopes.set(program, root)

  const declare = (
    identifier: Node,
    kind: Kind,
    { declaration, scope }: Pick<Binding, 'declaration' | 'scope'>,
  ) => {
    const name = nameOf(identifier)
    if (name === undefined) return
    declared.add(identifier)
    // Overloads, merged interfaces and repeated `var` share one binding.
    if (scope.bindings.has(name)) return
    const binding: Binding = { name, kind, identifier, declaration, scope, references: [] }
    scope.bindings.set(name, binding)
    bindings.push(binding)
  }

  walkNodes(program, (node) => {
    if (node !== program && makesScope(node)) {
      scopes.set(node, { node, parent: scopeAt(links.get(node)?.parent ?? program), bindings: new Map() })
    }
    return undefined
  })
  walkNodes(program, (node) => {
    const at = scopeAt(links.get(node)?.parent ?? program)
    const own = scopes.get(node) ?? at
    for (const { identifier, kind } of declaredBy(node, links)) {
      const base = kind === 'parameter' || node.type.endsWith('Expression') ? own : at
      declare(identifier, kind, { declaration: node, scope: kind === 'var' ? functionScope(base) : base })
    }
    return undefined
  })

  const references: Reference[] = []
  const resolved = new Map<Node, Binding>()
  walkNodes(program, (node) => {
    const kind = declared.has(node) ? undefined : referenceKind(node, links)
    const name = nameOf(node)
    if (kind === undefined || name === undefined) return undefined
    const reference = { node, kind, scope: scopeAt(node) }
    references.push(reference)
    const binding = resolve(reference.scope, name)
    if (binding === undefined) return undefined
    binding.references.push(reference)
    resolved.set(node, binding)
    return undefined
  })
  for (const binding of bindings) resolved.set(binding.identifier, binding)

  return {
    links,
    bindings,
    references,
    bindingOf: (identifier) => resolved.get(identifier),
    resolveAt: (node, name) => resolve(scopeAt(node), name),
    scopeOf: (node) => scopes.get(node),
  }
}

export function nameOf(node: Node): string | undefined {
  return node.type === 'Identifier' || node.type === 'JSXIdentifier' ? node.name : undefined
}

function resolve(from: Scope, name: string): Binding | undefined {
  for (let scope: Scope | undefined = from; scope !== undefined; scope = scope.parent) {
    const found = scope.bindings.get(name)
    if (found !== undefined) return found
  }
  return undefined
}

function makesScope(node: Node): boolean {
  if (isFunction(node)) return true
  return /^(BlockStatement|For\w*Statement|SwitchStatement|CatchClause|Class(Declaration|Expression)|TSModuleBlock|StaticBlock)$/.test(
    node.type,
  )
}

function functionScope(from: Scope): Scope {
  for (let scope = from; ; scope = scope.parent) {
    const isEnd = isFunction(scope.node) || /^(TSModuleBlock|StaticBlock|Program)$/.test(scope.node.type)
    if (isEnd || scope.parent === undefined) return scope
  }
}

function declaredBy(node: Node, links: Links): { identifier: Node; kind: Kind }[] {
  const all = (pattern: Node, kind: Kind) => namesIn(pattern).map((identifier) => ({ identifier, kind }))
  switch (node.type) {
    case 'VariableDeclarator':
      return all(node.id, kindOf(links.get(node)?.parent))
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return node.id ? [{ identifier: node.id, kind: 'function' }, ...parametersOf(node)] : parametersOf(node)
    case 'FunctionExpression':
      return node.id ? [{ identifier: node.id, kind: 'function' }, ...parametersOf(node)] : parametersOf(node)
    case 'ClassDeclaration':
    case 'ClassExpression':
      return node.id ? [{ identifier: node.id, kind: 'class' }] : []
    case 'CatchClause':
      return node.param ? all(node.param, 'parameter') : []
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return [{ identifier: node.local, kind: 'import' }]
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
    case 'TSImportEqualsDeclaration':
      return [{ identifier: node.id, kind: 'type' }]
    default:
      return isFunction(node) ? parametersOf(node) : []
  }
}

function kindOf(declaration: Node | undefined): Kind {
  if (declaration?.type !== 'VariableDeclaration') return 'const'
  return declaration.kind === 'var' || declaration.kind === 'let' ? declaration.kind : 'const'
}

function parametersOf(node: Node): { identifier: Node; kind: Kind }[] {
  const params = 'params' in node && Array.isArray(node.params) ? node.params : []
  return params.flatMap((pattern: Node) =>
    namesIn(pattern).map((identifier) => ({ identifier, kind: 'parameter' as const })),
  )
}

/** The identifiers that a pattern declares. */
export function namesIn(pattern: Node): Node[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return pattern.properties.flatMap(namesIn)
    case 'ObjectProperty':
      return namesIn(pattern.value)
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? namesIn(element) : []))
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'RestElement':
      return namesIn(pattern.argument)
    case 'TSParameterProperty':
      return namesIn(pattern.parameter)
    default:
      return []
  }
}

/** Names that are no references: members, keys, labels, and parameters of types. */
const unresolved: Record<string, readonly string[]> = {
  PrivateName: ['id'],
  MetaProperty: ['meta', 'property'],
  LabeledStatement: ['label'],
  BreakStatement: ['label'],
  ContinueStatement: ['label'],
  ImportSpecifier: ['imported', 'local'],
  ImportAttribute: ['key'],
  ExportNamespaceSpecifier: ['exported'],
  TSPropertySignature: ['key'],
  TSMethodSignature: ['key', 'parameters', 'params'],
  TSFunctionType: ['parameters', 'params'],
  TSConstructorType: ['parameters', 'params'],
  TSCallSignatureDeclaration: ['parameters', 'params'],
  TSConstructSignatureDeclaration: ['parameters', 'params'],
  TSIndexSignature: ['parameters'],
  TSDeclareFunction: ['params'],
  TSDeclareMethod: ['params', 'key'],
  TSEnumMember: ['id'],
  TSNamedTupleMember: ['label'],
  TSQualifiedName: ['right'],
  TSImportType: ['qualifier', 'argument'],
  TSTypePredicate: ['parameterName'],
  JSXAttribute: ['name'],
  JSXMemberExpression: ['property'],
  JSXNamespacedName: ['name', 'namespace'],
}

function referenceKind(node: Node, links: Links): Reference['kind'] | undefined {
  const link = links.get(node)
  if (link === undefined || nameOf(node) === undefined) return undefined
  const { parent, role } = link
  if (unresolved[parent.type]?.includes(role)) return undefined
  if (node.type === 'JSXIdentifier') {
    const isElement = role === 'name' && /^[a-z]/.test(node.name) && !node.name.includes('.')
    return isElement ? undefined : 'read'
  }
  const isKey = role === 'key' || (role === 'property' && /MemberExpression$/.test(parent.type))
  if (isKey && 'computed' in parent && !parent.computed) return undefined
  if (isKey && !('computed' in parent)) return undefined
  if (parent.type === 'ExportSpecifier') return exportedKind(node, links)
  if (parent.type === 'RestElement' && links.get(parent)?.parent.type.startsWith('TS')) return undefined
  if (
    parent.type.startsWith('TS') &&
    !/^TS(As|Satisfies|NonNull|TypeAssertion|Instantiation|Export)/.test(parent.type)
  )
    return parent.type === 'TSEnumMember' ? 'read' : 'type'
  return isWritten(node, links) ? 'write' : 'read'
}

function exportedKind(node: Node, links: Links): 'type' | undefined {
  const link = links.get(node)
  if (link?.role !== 'local') return undefined
  const statement = links.get(link.parent)?.parent
  const isElsewhere = statement?.type === 'ExportNamedDeclaration' && statement.source
  return isElsewhere ? undefined : 'type'
}

function isWritten(node: Node, links: Links): boolean {
  const link = links.get(node)
  if (link === undefined) return false
  const { parent, role } = link
  switch (parent.type) {
    case 'AssignmentExpression':
      return role === 'left'
    case 'UpdateExpression':
      return true
    case 'ForInStatement':
    case 'ForOfStatement':
      return role === 'left'
    case 'AssignmentPattern':
      return role === 'left'
    case 'ArrayPattern':
    case 'RestElement':
      return true
    case 'ObjectProperty':
      return role === 'value' && links.get(parent)?.parent.type === 'ObjectPattern'
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return isWritten(parent, links)
    default:
      return false
  }
}
