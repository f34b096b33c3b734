interface Node {
  type: string
  [property: string]: unknown
}

/** `import('x').Y` where a type stands. */
export function findTypeImports(program: object): string[] {
  const found: string[] = []
  walk(program, (node) => {
    if (node.type === 'TSImportType' && isNode(node.source)) found.push(String(node.source.value))
  })
  return found
}

/** Where a file asks for the time or for chance, instead of being told. */
export function findQuestions(program: object): string[] {
  const found: string[] = []
  walk(program, (node) => {
    if (node.type === 'NewExpression' && nameOf(node.callee) === 'Date' && isEmpty(node.arguments))
      found.push('new Date()')
    if (node.type === 'CallExpression' && nameOf(node.callee) === 'Date') found.push('Date()')
    if (node.type !== 'MemberExpression') return
    const member = `${nameOf(node.object)}.${nameOf(node.property)}`
    if (/^(Date\.now|Math\.random|performance\.\w+|crypto\.\w+|globalThis\.\w+)$/.test(member))
      found.push(member)
  })
  return found
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const each of value) walk(each, visit)
    return
  }
  if (!isNode(value)) return
  visit(value)
  for (const each of Object.values(value)) walk(each, visit)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function nameOf(node: unknown): string {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : ''
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0
}
