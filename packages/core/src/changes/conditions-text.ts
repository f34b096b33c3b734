import type { Condition, ConditionGroup } from '../contract/conditions.ts'
import { isSegmentCondition, operatorWords, percentText, segmentWords, valueText } from './condition-words.ts'

const matchWords = { all: 'all of', any: 'any of', none: 'none of' }
const valuesInLine = 3

/** Conditions as lines of text, for diffs. */
export function conditionsText(group: ConditionGroup, indent = ''): string {
  const lines = group.of.map((part) =>
    'match' in part ? conditionsText(part, `${indent}  `) : conditionText(part, `${indent}  `),
  )
  return [`${indent}${matchWords[group.match]}`, ...lines].join('\n')
}

function conditionText(condition: Condition, indent: string): string {
  if (isSegmentCondition(condition)) {
    return `${indent}segment ${segmentWords[condition.operator]} ${condition.segment}`
  }
  const start = `${indent}${condition.attribute} ${operatorWords[condition.operator]}`
  if ('values' in condition) {
    const values = condition.values.map(valueText)
    return values.length <= valuesInLine
      ? `${start} ${values.join(', ')}`
      : [start, ...values.map((value) => `${indent}  ${value}`)].join('\n')
  }
  if ('value' in condition) return `${start} ${valueText(condition.value)}`
  if ('divisor' in condition) return `${start} ${condition.divisor} is ${condition.remainder}`
  if ('weight' in condition) return `${start} ${percentText(condition.weight)}, seed ${condition.seed}`
  return start
}
