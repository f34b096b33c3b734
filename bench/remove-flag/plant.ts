// Plants reads of a flag into a program in many ways: with the flag on, it does what it did before.

import { spanOf, walkNodes } from '@telltale/code/syntax/nodes'
import { parseCode } from '@telltale/code/syntax/parse'

type Node = Parameters<typeof spanOf>[0]
type Statement = Extract<Node, { type: 'ReturnStatement' | 'ExpressionStatement' }>

export const plantedKey = 'planted'

/** What the planted code imports, beside the program. */
export const plantedModule = `type Details = { value: boolean; reason: string }
export declare const flags: {
  getBoolean(key: string, fallback: boolean): boolean
  getDetails(key: string, fallback: boolean): Details
}
export const PLANTED = '${plantedKey}'
export const isPlanted = () => flags.getBoolean('${plantedKey}', false)
`

const read = `plantedFlags.getBoolean('${plantedKey}', false)`

type Way = (code: string, number: number) => string

/** Around a whole statement. */
const statements: Record<string, Way> = {
  'if with a block': (code) => `if (${read}) {\n${code}\n} else {\nthrow new Error('old');\n}`,
  'if not': (code) => `if (!${read}) {\nthrow new Error('old');\n} else {\n${code}\n}`,
  'early exit': (code) => `if (!${read}) throw new Error('old');\n${code}`,
  'else if': (code) =>
    `if (!${read}) throw new Error('old');\nelse if (!${read}) throw new Error('older');\nelse {\n${code}\n}`,
  'a variable': (code, number) =>
    `const planted${number} = ${read};\nif (!planted${number}) throw new Error('old');\n${code}`,
  'destructured details': (code, number) =>
    `const { value: planted${number} } = plantedFlags.getDetails('${plantedKey}', false);\nif (planted${number} === false) throw new Error('old');\n${code}`,
  details: (code) =>
    `if (!plantedFlags.getDetails('${plantedKey}', false).value) throw new Error('old');\n${code}`,
  'a constant from another file': (code) =>
    `if (!plantedFlags.getBoolean(PLANTED, false)) throw new Error('old');\n${code}`,
  'a function from another file': (code) => `if (!isPlanted()) throw new Error('old');\n${code}`,
  'a function here': (code, number) =>
    `const planted${number} = () => ${read};\nif (!planted${number}()) throw new Error('old');\n${code}`,
  switch: (code) => `switch (${read}) {\ncase false:\nthrow new Error('old');\ndefault: {\n${code}\n}\n}`,
  'nested conditions': (code) =>
    `if (${read}) {\nif (${read} && !!${read}) {\n${code}\n} else throw new Error('old');\n} else throw new Error('older');`,
  'a dropped loop': (code) => `while (!${read}) throw new Error('old');\n${code}`,
}

/** Around the value of a return or of a constant. */
const expressions: Record<string, Way> = {
  ternary: (code) => `${read} ? (${code}) : (undefined as never)`,
  'ternary not': (code) => `!${read} ? (undefined as never) : (${code})`,
  and: (code) => `(${read} || (undefined as never)) && (${code})`,
  'a typed comparison': (code) => `${read} === true ? (${code}) : (undefined as never)`,
  'conditional spread': (code) => `[...(${read} ? [${code}] : [])][0]!`,
  'an object by variation': (code) =>
    `{ true: ${code}, false: undefined as never }[\`\${${read}}\` as 'true']`,
  nullish: (code) => `(${read} ? undefined : (undefined as never)) ?? (${code})`,
}

export interface Planted {
  text: string
  ways: string[]
}

/** Plants at every `step`th place. */
export function plantFlags(
  path: string,
  text: string,
  { step, from }: { step: number; from: string },
): Planted {
  const parsed = parseCode(path, text)
  if (typeof parsed === 'string' || parsed.faults > 0) return { text, ways: [] }
  const places = findPlaces(parsed.program)
  const ways: string[] = []
  const edits: { start: number; end: number; text: string }[] = []
  const all = [...Object.entries(statements), ...Object.entries(expressions)]
  places.forEach(({ node, inner }, index) => {
    const { start, end } = spanOf(node)
    const isInside = edits.some((edit) => start < edit.end && end > edit.start)
    if (index % step !== 0 || isInside) return
    const [name, way] = all[(index / step) % all.length] ?? ['', (code: string) => code]
    const isExpression = Object.hasOwn(expressions, name)
    if (isExpression && inner === undefined) return
    const span = spanOf(isExpression && inner ? inner : node)
    edits.push({ ...span, text: way(text.slice(span.start, span.end), index) })
    ways.push(name)
  })
  if (edits.length === 0) return { text, ways }
  let planted = text
  for (const edit of edits.sort((a, b) => b.start - a.start)) {
    planted = planted.slice(0, edit.start) + edit.text + planted.slice(edit.end)
  }
  const imports = [
    ...(planted.includes('plantedFlags') ? ['flags as plantedFlags'] : []),
    ...['isPlanted', 'PLANTED'].filter((name) => planted.includes(name)),
  ]
  return { text: `import { ${imports.join(', ')} } from '${from}'\n${planted}`, ways }
}

/** Returns and calls within functions. */
function findPlaces(program: Node): { node: Statement; inner: Node | undefined }[] {
  const found: { node: Statement; inner: Node | undefined }[] = []
  walkNodes(program, (node) => {
    if (node.type !== 'BlockStatement') return undefined
    for (const statement of node.body) {
      if (statement.type === 'ReturnStatement' && statement.argument) {
        found.push({ node: statement, inner: statement.argument })
      }
      if (statement.type === 'ExpressionStatement') found.push({ node: statement, inner: undefined })
    }
    return undefined
  })
  return found
}
