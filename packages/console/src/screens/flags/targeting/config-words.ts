// A configuration as lines of text, for differences that people read.

import type { Condition, ConditionGroup } from '@telltale/core/contract/conditions'
import { percentText as sharePercent, valueText } from '../../../ui/conditions/condition-view.tsx'
import { isSegmentCondition, operatorWords, segmentWords } from '../../../ui/conditions/operators.ts'
import { type Draft, defaultBy, type RuleDraft, type ServeDraft } from './draft.ts'
import { percentText } from './weights.ts'

const matchWords = { all: 'and', any: 'or', none: 'or' }

export function draftText(draft: Draft): string {
  return [
    `the flag is ${draft.enabled ? 'on' : 'off'}`,
    `when off, serve ${draft.offVariation}`,
    ...draft.prerequisites.map(({ flag, variation }) => `only if ${flag} serves ${variation}`),
    ...draft.rules.flatMap(ruleLines),
    'everyone else',
    `  ${serveText(draft.fallthrough)}`,
  ].join('\n')
}

export function ruleLines({ description, when, serve }: RuleDraft): string[] {
  return [
    description === '' ? 'rule' : `rule  ${description}`,
    ...whenLines(when).map((line) => `  ${line}`),
    `  ${serveText(serve)}`,
  ]
}

/** `serve 75% control, 25% one-page by anonymousId`. */
export function serveText(serve: ServeDraft): string {
  if ('variation' in serve) return `serve ${serve.variation}`
  return `serve ${sharesText(serve)}${serve.by === defaultBy ? '' : ` by ${serve.by}`}`
}

export function sharesText({ split }: { split: readonly { variation: string; weight: number }[] }): string {
  return split.map(({ variation, weight }) => `${percentText(weight)}% ${variation}`).join(', ')
}

/** One line per condition; what is in a group is further in. */
export function whenLines({ match, of }: ConditionGroup): string[] {
  if (of.length === 0) return [match === 'any' ? 'nobody' : 'everyone']
  const lines = of.flatMap((part, index) => {
    const word = index === 0 ? '' : `${matchWords[match]} `
    if (!('match' in part)) return [`${word}${conditionText(part)}`]
    return [`${word}(`, ...whenLines(part).map((line) => `  ${line}`), ')']
  })
  return match === 'none' ? ['none of', ...lines.map((line) => `  ${line}`)] : lines
}

export function conditionText(condition: Condition): string {
  if (isSegmentCondition(condition)) return `${segmentWords[condition.operator]} segment ${condition.segment}`
  return `${condition.attribute} ${operatorWords[condition.operator]}${operandText(condition)}`
}

function operandText(condition: Exclude<Condition, { segment: string }>): string {
  if ('values' in condition) return ` ${condition.values.map(valueText).join(', ')}`
  if ('value' in condition) return ` ${valueText(condition.value)}`
  if ('divisor' in condition) return ` ${condition.divisor} leaves ${condition.remainder}`
  if ('weight' in condition) return ` ${sharePercent(condition.weight)} (seed ${condition.seed})`
  return ''
}
