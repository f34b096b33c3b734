// The traits visible to a caller. Private traits are hidden from all, even while they are still being removed.

import type { FlagStep, MatchStep, Trace } from '@telltale/core/contract/trace'
import { isHiddenTrait, withoutTraits } from '@telltale/core/evaluation/hide-traits'
import { type Grant, may } from '@telltale/core/rights'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Traits } from './traits.ts'

/** The names hidden from a caller. */
export function hiddenTraits({ key, sensitiveTraits }: EnvironmentRow, grant: Grant): ReadonlySet<string> {
  return new Set(may(grant, 'sensitive.view', key) ? [] : sensitiveTraits)
}

export function storedTraits({ privateTraits }: EnvironmentRow, traits: Traits): Traits {
  if (privateTraits.length === 0) return traits
  return Object.fromEntries(Object.entries(traits).filter(([name]) => !privateTraits.includes(name)))
}

export function visibleTraits(
  environment: EnvironmentRow,
  traits: Traits,
  grant: Grant,
): { traits: Traits; masked: string[] } {
  const hidden = hiddenTraits(environment, grant)
  const stored = storedTraits(environment, traits)
  return {
    traits: withoutTraits(stored, hidden),
    masked: Object.keys(stored).filter((name) => isHiddenTrait(name, hidden)),
  }
}

/** Traits for a caller's test evaluation: hidden traits count as not set. */
export function traitsToEvaluate(environment: EnvironmentRow, traits: Traits, grant: Grant): Traits {
  return withoutTraits(storedTraits(environment, traits), hiddenTraits(environment, grant))
}

/** The trace without the values of hidden traits, which were not set; the conditions of rules are not secret. */
export function maskTrace(trace: Trace, hidden: ReadonlySet<string>): Trace {
  return hidden.size === 0
    ? trace
    : { ...trace, steps: trace.steps.map((step) => maskFlagStep(step, hidden)) }
}

function maskFlagStep(step: FlagStep, hidden: ReadonlySet<string>): FlagStep {
  switch (step.kind) {
    case 'rule':
      return { ...step, of: step.of.map((each) => maskMatchStep(each, hidden)) }
    case 'layer':
    case 'split':
      return isHiddenTrait(step.by, hidden) ? { ...step, unit: undefined } : step
    case 'prerequisite':
      return step.trace === undefined ? step : { ...step, trace: maskTrace(step.trace, hidden) }
    default:
      return step
  }
}

function maskMatchStep(step: MatchStep, hidden: ReadonlySet<string>): MatchStep {
  if (step.kind !== 'condition') return { ...step, of: step.of.map((each) => maskMatchStep(each, hidden)) }
  return isHiddenTrait(step.attribute, hidden) ? { ...step, actual: undefined } : step
}
