// The evaluator's trace in words. Nothing is evaluated here.

import { operatorWords, percentText, segmentWords, valueText } from '@telltale/core/changes/condition-words'
import type {
  ConditionStep,
  FlagStep,
  HoldoutStep,
  LayerStep,
  MatchStep,
  SplitStep,
  Trace,
} from '@telltale/core/contract/trace'
import { limits } from '@telltale/core/limits'

/** In one line: the deciding step. */
export function whyText(trace: Trace): string {
  const { result, steps } = trace
  if (result.overridden) return 'Override'
  const unmet = steps.find((step) => step.kind === 'prerequisite' && !step.met)
  if (unmet?.kind === 'prerequisite') return prerequisiteText(unmet)
  const failed = steps.find(({ kind }) => kind === 'failed')
  if (failed?.kind === 'failed') return failed.message
  if (result.reason === 'DISABLED') return 'Off'
  const held = steps.find((step) => step.kind === 'holdout' && step.held)
  if (held?.kind === 'holdout') return `Held out by ${held.holdout}`

  const rules = steps.filter((step) => step.kind === 'rule')
  const index = rules.findIndex(({ matched }) => matched)
  const split = steps.find((step) => step.kind === 'split')
  const drawn = split && split.position !== undefined ? `, bucket ${positionText(split.position)}` : ''
  const layer = steps.find((step) => step.kind === 'layer')
  const place = layer && !layer.included ? `, outside of layer ${layer.layer}` : drawn
  const rule = rules[index]
  if (!rule) return `Everyone else${place}`
  const condition = settling(rule.of)
  return `Rule ${index + 1}${condition ? `: ${stepText(condition)}` : ''}${place}`
}

/** The last step, which decided. A segment is named, not expanded. */
function settling(steps: readonly MatchStep[]): MatchStep | undefined {
  const last = steps.at(-1)
  return last?.kind === 'group' ? settling(last.of) : last
}

export function stepText(step: MatchStep): string {
  switch (step.kind) {
    case 'segment':
      return `${segmentWords[step.operator].replace(/^is /, '')} segment ${step.segment}`
    case 'group':
      return { all: 'all of', any: 'any of', none: 'none of' }[step.match]
    case 'condition':
      return conditionText(step)
  }
}

function conditionText({ attribute, operator, expected }: ConditionStep): string {
  const words = Object.entries(operatorWords).find(([name]) => name === operator)?.[1] ?? operator
  // The evaluator formats these itself: `one of 3`, `0 modulo 2`.
  if (operator === 'in' || operator === 'modulo') return `${attribute} is ${expected}`
  if (operator === 'not-in') return `${attribute} is not ${expected}`
  if (operator === 'percentage') return `${attribute} ${words} ${percentText(Number(expected))}`
  return `${attribute} ${words}${expected === undefined ? '' : ` ${valueText(expected)}`}`
}

/** The value in the context, beside the expected one. */
export function foundText(step: ConditionStep): string {
  if (step.position !== undefined) return `bucket ${positionText(step.position)}`
  return step.actual === undefined ? 'is not set' : `is ${valueText(step.actual)}`
}

export function splitText({ by, unit, position, variation }: SplitStep): string {
  if (unit === undefined) return `${by} is not set, so no bucket can be assigned.`
  const place = position === undefined ? '' : ` bucket ${positionText(position)} of 100`
  return `${by}${place}${variation === undefined ? '' : `, which is ${variation}`}`
}

export function holdoutText({ holdout, position, held }: HoldoutStep): string {
  const place = `bucket ${positionText(position)} of 100`
  return held ? `Held out by ${holdout}: ${place}` : `Not held out by ${holdout}: ${place}`
}

export function layerText({ layer, by, unit, position, included }: LayerStep): string {
  if (unit === undefined || position === undefined)
    return `Layer ${layer}: ${by} is not set, so the experiment does not include it`
  const place = `${by} at ${positionText(position)} of 100`
  return `Layer ${layer}: ${place}, ${included ? 'inside' : 'outside'} of the experiment’s share`
}

export function prerequisiteText(step: Extract<FlagStep, { kind: 'prerequisite' }>): string {
  const { flag, variation, reason } = step
  switch (reason) {
    case 'met':
      return `${flag} serves ${variation}`
    case 'other-variation':
      return `${flag} does not serve ${variation}`
    case 'missing':
      return `Flag ${flag} does not exist or is archived`
    case 'not-followed':
      return `${flag} is in a cycle or nested too deeply`
  }
}

function positionText(position: number): string {
  return ((position / limits.weightTotal) * 100).toFixed(2)
}
