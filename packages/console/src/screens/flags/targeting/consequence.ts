// Who gets a different variation after saving, in words. Derived from the configuration only, without counting
// users.

import { sharesText } from '@telltale/core/changes/config-text'
import { isSame } from '@telltale/core/changes/same'
import { percentText } from '../../../ui/text/weight-text.ts'
import { type Draft, isMoved, type RuleDraft, type ServeDraft } from './draft.ts'
import { ruleName } from './edit-rules.ts'

export interface Consequence {
  readonly headline: string
  readonly sentences: readonly string[]
  /** Whether any user may get a different variation. */
  readonly reaches: boolean
}

export function consequenceOf(before: Draft, after: Draft): Consequence {
  if (!before.enabled && !after.enabled) return whileOff(before, after)
  if (!after.enabled) {
    return {
      headline: `Everyone gets ${after.offVariation}`,
      sentences: ['The flag turns off. Prerequisites, overrides, rules and splits no longer apply.'],
      reaches: true,
    }
  }
  if (!before.enabled) {
    return {
      headline: 'The flag turns on',
      sentences: [
        `Everyone got ${before.offVariation} until now.`,
        ...after.rules.map((rule) => `${quoted(rule, after.rules)} gives ${givenText(rule.serve)}.`),
        `${after.rules.length > 0 ? 'Everyone else' : 'Everyone'} gets ${givenText(after.fallthrough)}.`,
      ],
      reaches: true,
    }
  }
  const sentences = whileOn(before, after)
  if (sentences.length === 0) {
    return {
      headline: 'No user is affected',
      sentences: ['The change affects only descriptions, or applies only while the flag is off.'],
      reaches: false,
    }
  }
  const [only] = sentences
  return sentences.length === 1 && only !== undefined
    ? { headline: only.replace(/\.$/, ''), sentences: [], reaches: true }
    : { headline: `${sentences.length} changes affect users`, sentences, reaches: true }
}

function whileOff(before: Draft, after: Draft): Consequence {
  if (before.offVariation !== after.offVariation) {
    return {
      headline: `Everyone gets ${after.offVariation} instead of ${before.offVariation}`,
      sentences: ['The flag stays off.'],
      reaches: true,
    }
  }
  return {
    headline: 'No user is affected now',
    sentences: [`The flag is off: everyone keeps getting ${after.offVariation} until it is turned on.`],
    reaches: false,
  }
}

function whileOn(before: Draft, after: Draft): string[] {
  const old = new Map(before.rules.map((rule) => [rule.id, rule]))
  const next = new Map(after.rules.map((rule) => [rule.id, rule]))
  return [
    ...prerequisiteSentences(before, after),
    ...(before.prerequisites.length > 0 &&
    isSame(before.prerequisites, after.prerequisites) &&
    before.offVariation !== after.offVariation
      ? [`Users who fail a prerequisite get ${after.offVariation} instead of ${before.offVariation}.`]
      : []),
    ...before.rules
      .filter(({ id }) => !next.has(id))
      .map(
        (rule) => `${quoted(rule, before.rules)} is deleted: users it matched fall through to later rules.`,
      ),
    ...after.rules.flatMap((rule) => ruleSentences(old.get(rule.id), rule, after.rules)),
    ...(isMoved(before.rules, after.rules)
      ? ['The order of the rules changes: users who match several may get a different variation.']
      : []),
    ...serveSentences('Everyone else', before.fallthrough, after.fallthrough),
  ]
}

function prerequisiteSentences(before: Draft, after: Draft): string[] {
  const without = (all: Draft, others: Draft) =>
    all.prerequisites.filter((one) => !others.prerequisites.some((other) => isSame(one, other)))
  return [
    ...without(after, before).map(
      ({ flag, variation }) => `Users who do not get ${variation} of ${flag} get ${after.offVariation}.`,
    ),
    ...without(before, after).map(
      ({ flag, variation }) => `${variation} of ${flag} is no longer a prerequisite.`,
    ),
  ]
}

function ruleSentences(
  before: RuleDraft | undefined,
  after: RuleDraft,
  rules: readonly RuleDraft[],
): string[] {
  const name = quoted(after, rules)
  if (!before) return [`Users who match ${name} get ${givenText(after.serve)}.`]
  if (!isSame(before.when, after.when)) {
    return [
      `${name} matches different users; they get ${givenText(after.serve)}.`,
      ...serveSentences(`Users who match ${name}`, before.serve, after.serve),
    ]
  }
  return serveSentences(`Users who match ${name}`, before.serve, after.serve)
}

/** Changed shares, one variation after another. */
function serveSentences(who: string, before: ServeDraft, after: ServeDraft): string[] {
  if (isSame(before, after)) return []
  const [get, are] = who === 'Everyone else' ? ['gets', 'is'] : ['get', 'are']
  if ('split' in before && 'split' in after) {
    const drawnAnew =
      before.by === after.by ? [] : [`${who} ${are} reassigned: by ${after.by} instead of ${before.by}.`]
    const [old, next] = [weightsOf(before), weightsOf(after)]
    const moves = [...new Set([...old.keys(), ...next.keys()])].flatMap((variation) => {
      const [from, to] = [old.get(variation) ?? 0, next.get(variation) ?? 0]
      return from === to ? [] : [`${variation} ${percentText(from)}% → ${percentText(to)}%`]
    })
    return [...drawnAnew, ...(moves.length > 0 ? [`${who}: ${moves.join(', ')}.`] : [])]
  }
  return [`${who} ${get} ${givenText(after)} instead of ${givenText(before)}.`]
}

function weightsOf({ split }: Extract<ServeDraft, { split: unknown }>): Map<string, number> {
  return new Map(split.map(({ variation, weight }) => [variation, weight]))
}

function givenText(serve: ServeDraft): string {
  return 'variation' in serve ? serve.variation : `a split (${sharesText(serve)})`
}

function quoted(rule: RuleDraft, rules: readonly RuleDraft[]): string {
  return `“${ruleName(rule, rules)}”`
}
