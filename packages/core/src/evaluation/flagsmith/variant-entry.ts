// What clients of OpenFeature are told of a flag that was imported with values: there, a flag that is off has no value and
// leaves it to the code, and variants keep the names that they had at Flagsmith.

import type { Evaluation, JsonValue } from '../../contract/trace.ts'
import type { FlagDefinition } from '../rule-set.ts'
import { servedBy, splitOf } from './flag-entry.ts'

export interface VariantEntry {
  /** Nothing where it is off, and where it has no value: the default in the code applies. */
  value: JsonValue | undefined
  variant: string
  isOff: boolean
}

/** Nothing for flags that are on or off by themselves, and for those made here. */
export function variantEntry(flag: FlagDefinition, evaluation: Evaluation): VariantEntry | undefined {
  const { value, variation, reason } = evaluation
  const { flagsmith, valueType } = flag
  if (flagsmith === undefined || valueType === 'boolean' || variation === undefined) return undefined
  const isOff = reason === 'DISABLED' || !servedBy(flag, variation).enabled
  return {
    value: isOff || value === null ? undefined : value,
    variant: nameOf(flag, evaluation, variation),
    isOff,
  }
}

function nameOf(flag: FlagDefinition, evaluation: Evaluation, variation: string): string {
  const option = flag.flagsmith?.variants[variation]
  if (option !== undefined) return option.key || variation
  const split = splitOf(flag, evaluation)
  if (split === undefined) return 'default'
  return split.bucketing === undefined ? variation : 'control'
}
