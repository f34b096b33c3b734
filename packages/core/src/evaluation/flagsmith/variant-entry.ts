// The entry of an imported flag with values for OpenFeature clients. As in Flagsmith, a flag that is off has no value,
// so the default in the code applies, and variants keep their names.

import type { Evaluation, JsonValue } from '../../contract/trace.ts'
import type { FlagDefinition } from '../rule-set.ts'
import { servedBy, splitOf } from './flag-entry.ts'

interface VariantEntry {
  /** Undefined when the flag is off or has no value: the default in the code applies. */
  value: JsonValue | undefined
  variant: string
  isOff: boolean
}

/** Undefined for boolean flags and for flags created in Telltale. */
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
