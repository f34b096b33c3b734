import {
  flagsmithWords,
  isSegmentCondition,
  operatorWords,
  percentText,
  segmentWords,
  valueText,
} from '@telltale/core/changes/condition-words'
import type { Condition, ConditionGroup } from '@telltale/core/contract/conditions'
import { Fragment } from 'react'

const shownValues = 12
const matchWords = { all: 'and', any: 'or', none: 'or' }

/** Conditions as text, read-only. */
export function ConditionsView({ value }: { value: ConditionGroup }) {
  if (value.of.length === 0) return <p className="text-text-2">{emptyWords(value.match)}</p>
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-8 gap-y-6">
      {value.match === 'none' && <span className="text-text-2">none of</span>}
      {value.of.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items are stateless.
        <Fragment key={index}>
          {index > 0 && <span className="text-text-2">{matchWords[value.match]}</span>}
          {'match' in part ? (
            <div className="min-w-0 rounded-control border border-line-strong border-dashed px-8 py-4">
              <ConditionsView value={part} />
            </div>
          ) : (
            <ConditionView condition={part} />
          )}
        </Fragment>
      ))}
    </div>
  )
}

export function emptyWords(match: ConditionGroup['match']): string {
  return match === 'any' ? 'No conditions: no user matches.' : 'No conditions: everyone matches.'
}

const cell = 'wrap-anywhere min-w-0 border-line-strong border-r px-6 py-2 last:border-r-0'

function ConditionView({ condition }: { condition: Condition }) {
  return (
    <span className="inline-flex min-w-0 max-w-full flex-wrap overflow-hidden rounded-control border border-line-strong bg-surface">
      <span className={`${cell} ${isSegmentCondition(condition) ? '' : 'font-code text-12'}`}>
        {isSegmentCondition(condition) ? 'segment' : condition.attribute || 'targetingKey'}
      </span>
      <span className={`${cell} bg-sunken text-text-2`}>{wordsOf(condition)}</span>
      <Operand condition={condition} />
    </span>
  )
}

function wordsOf(condition: Condition): string {
  if (isSegmentCondition(condition)) return segmentWords[condition.operator]
  if (condition.operator === 'flagsmith') return `${flagsmithWords[condition.compare]} (Flagsmith)`
  return operatorWords[condition.operator]
}

function Operand({ condition }: { condition: Condition }) {
  if (isSegmentCondition(condition))
    return <span className={`${cell} font-code text-12`}>{condition.segment}</span>
  if ('values' in condition) {
    const hidden = condition.values.length - shownValues
    return (
      <>
        {condition.values.slice(0, shownValues).map((value) => (
          <span key={`${typeof value} ${value}`} className={`${cell} font-medium`}>
            {valueText(value)}
          </span>
        ))}
        {hidden > 0 && <span className={`${cell} text-text-2`}>and {hidden} more</span>}
      </>
    )
  }
  if ('value' in condition) return <span className={`${cell} font-medium`}>{valueText(condition.value)}</span>
  if ('divisor' in condition) {
    return (
      <span className={`${cell} font-medium`}>
        {condition.divisor} remainder {condition.remainder}
      </span>
    )
  }
  if ('weight' in condition)
    return <span className={`${cell} font-medium`}>{percentText(condition.weight)}</span>
  return null
}
