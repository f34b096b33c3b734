// The diff of two configurations by part: a rule is compared with itself, wherever it was moved.

import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { type ConfigPart, configParts, ruleName } from './config-text.ts'
import { type DiffLine, diffLines } from './diff-lines.ts'
import { isSame } from './same.ts'

interface Pair {
  readonly id: string
  readonly before: string
  readonly after: string
}

/** Without a previous configuration, everything is new. */
export function diffConfigs(before: FlagConfigDraft | undefined, after: FlagConfigDraft): DiffLine[] {
  const pairs = before ? pairParts(configParts(before), configParts(after)) : addedParts(configParts(after))
  const lines = pairs.map(({ before, after }) => diffLines(before, after))
  if (before) {
    const end = pairs.findIndex(({ id }) => id === 'else')
    lines.splice(end, 0, diffOrders(before, after))
  }
  return lines.flat()
}

/** The diff of two lists of parts. */
export function diffParts(before: readonly ConfigPart[], after: readonly ConfigPart[]): DiffLine[] {
  return pairParts(before, after).flatMap((pair) => diffLines(pair.before, pair.after))
}

function addedParts(parts: readonly ConfigPart[]): Pair[] {
  return parts.map(({ id, text }) => ({ id, before: '', after: text }))
}

/** In the new order; removed parts keep their old position. */
function pairParts(before: readonly ConfigPart[], after: readonly ConfigPart[]): Pair[] {
  const old = new Map(before.map(({ id, text }) => [id, text]))
  const pairs = after.map(({ id, text }) => ({ id, before: old.get(id) ?? '', after: text }))
  const kept = new Set(after.map(({ id }) => id))
  before.forEach(({ id, text }, index) => {
    if (kept.has(id)) return
    const above = pairs.findIndex((pair) => pair.id === before[index - 1]?.id)
    pairs.splice(above + 1, 0, { id, before: text, after: '' })
  })
  return pairs
}

/** Rules that were only moved are listed in both orders. */
function diffOrders(before: FlagConfigDraft, after: FlagConfigDraft): DiffLine[] {
  const named = ({ rules }: FlagConfigDraft) =>
    rules.map((rule, index) => ({ id: ruleName(rule, index), name: rule.description || `rule ${index + 1}` }))
  const [old, next] = [named(before), named(after)]
  const common = (rules: typeof old, others: typeof old) =>
    rules.filter(({ id }) => others.some((other) => other.id === id))
  const [from, to] = [common(old, next), common(next, old)]
  const idsOf = (rules: typeof old) => rules.map(({ id }) => id)
  if (isSame(idsOf(from), idsOf(to))) return []
  const text = (rules: typeof old) => `rules in this order: ${rules.map(({ name }) => name).join(', ')}`
  return [
    { kind: 'less', text: text(from) },
    { kind: 'more', text: text(to) },
  ]
}
