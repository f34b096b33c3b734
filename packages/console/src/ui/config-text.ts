// A configuration as lines of text, for differences that people read.

import type { Condition, ConditionGroup } from '@telltale/core/contract/conditions'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { percentText, valueText } from './conditions/condition-view.tsx'
import { isSegmentCondition, operatorWords, segmentWords } from './conditions/operators.ts'

type Rule = FlagConfigDraft['rules'][number]
type Serve = FlagConfigDraft['fallthrough']

const matchWords = { all: 'and', any: 'or', none: 'or' }

export function configText(config: FlagConfigDraft): string {
  return [
    `the flag is ${config.enabled ? 'on' : 'off'}`,
    `when off, serve ${config.offVariation}`,
    ...config.prerequisites.map(prerequisiteText),
    ...config.rules.map(ruleText),
    'everyone else',
    `  ${serveText(config.fallthrough)}`,
  ].join('\n')
}

export function prerequisiteText({ flag, variation }: FlagConfigDraft['prerequisites'][number]): string {
  return `only if ${flag} serves ${variation}`
}

export function ruleText({ description, when, serve }: Rule): string {
  return [
    description ? `rule  ${description}` : 'rule',
    ...whenLines(when).map((line) => `  ${line}`),
    `  ${serveText(serve)}`,
  ].join('\n')
}

/** `serve 75% control, 25% one-page by anonymousId`. */
export function serveText(serve: Serve): string {
  if ('variation' in serve) return `serve ${serve.variation}`
  const shares = serve.split.map(({ variation, weight }) => `${percentText(weight)} ${variation}`).join(', ')
  return `serve ${shares}${serve.by && serve.by !== 'targetingKey' ? ` by ${serve.by}` : ''}`
}

/** One line per condition; what is in a group is further in. */
function whenLines({ match, of }: ConditionGroup): string[] {
  if (of.length === 0) return [match === 'any' ? 'nobody' : 'everyone']
  const lines = of.flatMap((part, index) => {
    const word = index === 0 ? '' : `${matchWords[match]} `
    if (!('match' in part)) return [`${word}${conditionText(part)}`]
    return [`${word}(`, ...whenLines(part).map((line) => `  ${line}`), ')']
  })
  return match === 'none' ? ['none of', ...lines.map((line) => `  ${line}`)] : lines
}

function conditionText(condition: Condition): string {
  if (isSegmentCondition(condition)) return `${segmentWords[condition.operator]} segment ${condition.segment}`
  return `${condition.attribute} ${operatorWords[condition.operator]}${operandText(condition)}`
}

function operandText(condition: Exclude<Condition, { segment: string }>): string {
  if ('values' in condition) return ` ${condition.values.map(valueText).join(', ')}`
  if ('value' in condition) return ` ${valueText(condition.value)}`
  if ('divisor' in condition) return ` ${condition.divisor} leaves ${condition.remainder}`
  if ('weight' in condition) return ` ${percentText(condition.weight)} (seed ${condition.seed})`
  return ''
}
