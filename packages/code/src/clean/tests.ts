// Tests that are named after another variation of the flag.

import type { Node } from '@babel/types'
import type { Unit } from '../fold/unit.ts'
import { spanOf, walkNodes } from '../syntax/nodes.ts'
import { linesOf } from '../text/lines.ts'

const wordsOfFalse = ['off', 'disabled', 'without', 'false', 'inactive']
const wordsOfTrue = ['on', 'enabled', 'with', 'true', 'active']

/** Removes the tests, and returns their spans. */
export function removeTests(unit: Unit): Node[] {
  const found: Node[] = []
  const { text, comments, edits } = unit
  walkNodes(unit.program, (node) => {
    if (node.type !== 'ExpressionStatement') return undefined
    const title = titleOf(node.expression)
    if (title === undefined || !isOtherSide(unit, title)) return undefined
    found.push(node)
    edits.remove(spanOf(node), linesOf(text, spanOf(node), comments))
    return false
  })
  return found
}

/** The title of `test('…', …)`, `it.only('…', …)`, `describe('…', …)`. */
function titleOf(node: Node): string | undefined {
  if (node.type !== 'CallExpression' || node.arguments.length < 2) return undefined
  const callee = node.callee.type === 'MemberExpression' ? node.callee.object : node.callee
  const isTest = callee.type === 'Identifier' && /^(test|it|describe|suite|context)$/.test(callee.name)
  const [title] = node.arguments
  if (!isTest || title === undefined) return undefined
  if (title.type === 'StringLiteral') return title.value
  return title.type === 'TemplateLiteral'
    ? title.quasis.map(({ value }) => value.cooked ?? '').join(' ')
    : undefined
}

/** Names the flag and, of variations, only others. */
function isOtherSide({ removal }: Unit, title: string): boolean {
  const words = wordsIn(title)
  const key = wordsIn(removal.key)
  const rest = without(words, key)
  if (rest === undefined) return false
  const [left, gone] = sidesOf(removal)
  return gone.some((each) => includes(rest, each)) && !left.some((each) => includes(rest, each))
}

function sidesOf({
  value,
  variation,
  otherVariations,
}: Unit['removal']): [left: string[][], gone: string[][]] {
  const byValue =
    value === true ? [wordsOfTrue, wordsOfFalse] : value === false ? [wordsOfFalse, wordsOfTrue] : [[], []]
  const left = [...(byValue[0] ?? []), ...(variation === undefined ? [] : [variation])]
  const gone = [...(byValue[1] ?? []), ...otherVariations].filter((word) => !left.includes(word))
  return [left.map(wordsIn), gone.map(wordsIn)]
}

/** `newCheckout`, `new-checkout` and `New checkout` are the same words. */
function wordsIn(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

function positionIn(words: readonly string[], part: readonly string[]): number {
  return words.findIndex((_, start) => part.every((word, index) => words[start + index] === word))
}

function includes(words: readonly string[], part: readonly string[]): boolean {
  return part.length > 0 && positionIn(words, part) >= 0
}

function without(words: readonly string[], part: readonly string[]): string[] | undefined {
  const at = part.length === 0 ? -1 : positionIn(words, part)
  return at < 0 ? undefined : words.toSpliced(at, part.length)
}
