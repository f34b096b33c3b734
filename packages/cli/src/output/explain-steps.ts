// The steps of an evaluation as indented lines.

import type { FlagStep, LayerStep, MatchStep } from '@telltale/core/contract/trace'

export function explainSteps(steps: readonly FlagStep[], indent = ''): string[] {
  return steps.flatMap((step) => explainStep(step).map((line) => `${indent}${line}`))
}

function explainStep(step: FlagStep): string[] {
  switch (step.kind) {
    case 'enabled':
      return [step.enabled ? 'The flag is on.' : 'The flag is off: its off variation is served.']
    case 'prerequisite': {
      const met = step.met ? 'met' : `not met (${step.reason})`
      return [
        `Prerequisite ${step.flag} = ${step.variation}: ${met}`,
        ...explainSteps(step.trace?.steps ?? [], '  '),
      ]
    }
    case 'override':
      return [
        step.variation === undefined
          ? `No override for ${step.targetingKey ?? 'a user without a key'}.`
          : `Override for ${step.targetingKey}: ${step.variation}`,
      ]
    case 'holdout': {
      const { holdout, position, held } = step
      const effect = held ? 'held out, so the control is served' : 'not held out'
      return [`Holdout ${holdout}: bucket ${position}, ${effect}.`]
    }
    case 'rule':
      return [
        `Rule ${step.rule}: ${matches(step.matched)}`,
        ...step.of.flatMap(explainMatch).map((line) => `  ${line}`),
      ]
    case 'variation':
      return [`Serves ${step.variation}.`]
    case 'split':
      return [
        `Split by ${step.by}: ${step.unit ?? 'no value'}, bucket ${step.position ?? '-'}, serves ${step.variation ?? 'nothing'}.`,
      ]
    case 'layer':
      return [explainLayer(step)]
    case 'failed':
      return [`Failed: ${step.message}`]
  }
}

function explainMatch(step: MatchStep): string[] {
  if (step.kind === 'condition') {
    const { attribute, operator, expected, actual, matched } = step
    const shown = actual === undefined ? 'not set' : JSON.stringify(actual)
    return [`${attribute} ${operator} ${JSON.stringify(expected)}: ${matches(matched)}, it is ${shown}`]
  }
  const title = step.kind === 'segment' ? `${step.operator} ${step.segment}` : `${step.match} of`
  return [`${title}: ${matches(step.matched)}`, ...step.of.flatMap(explainMatch).map((line) => `  ${line}`)]
}

const matches = (matched: boolean) => (matched ? 'matches' : 'does not match')

function explainLayer({ layer, by, unit, position, included }: LayerStep): string {
  const effect = included ? 'in the experiment' : 'outside of it, so the control is served'
  return `Layer ${layer} by ${by}: ${unit ?? 'no value'}, bucket ${position ?? '-'}, ${effect}.`
}
