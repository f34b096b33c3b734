// A flag's entry in answers to Flagsmith's clients: whether it is on, its value, the variant and the reason. Flags
// created in Telltale are mapped: a boolean flag is on or off and has no value; any other flag is on with its value
// unless it is switched off.

import type { Split } from '../../contract/flag-config.ts'
import type { Evaluation, JsonValue } from '../../contract/trace.ts'
import { limits } from '../../limits.ts'
import type { FlagsmithValue } from '../flagsmith-evaluation-context.ts'
import type { FlagDefinition } from '../rule-set.ts'

export interface FlagEntry {
  enabled: boolean
  value: FlagsmithValue
  variant: string | null
  reason: string
}

interface FlagEntryOptions {
  /** Without an identity there is no split: the feature has the value of its control. */
  hasIdentity: boolean
  /** The segment's name in Flagsmith, by its key in Telltale. */
  nameOfSegment(key: string): string
}

export function flagEntry(
  flag: FlagDefinition,
  evaluation: Evaluation,
  requested: FlagEntryOptions,
): FlagEntry {
  const split = splitOf(flag, evaluation)
  const control = split && controlOf(split)
  const variation = evaluation.variation ?? (split && restOf(split)) ?? flag.config.offVariation
  const isSwitchedOff = evaluation.reason === 'DISABLED'
  const served = servedBy(flag, variation)
  const drawn = split?.arms.find((arm) => arm.variation === variation && arm.variation !== control)
  return {
    enabled: flag.valueType === 'boolean' || !isSwitchedOff ? served.enabled : false,
    value: served.value,
    variant: variantIn(flag, { variation, split, isDrawn: drawn !== undefined, requested, evaluation }),
    reason: drawn
      ? `SPLIT; weight=${drawn.allocation ?? percentOf(drawn.weight)}`
      : reasonOf(flag, evaluation, requested),
  }
}

interface Drawn {
  variation: string
  split: Split | undefined
  isDrawn: boolean
  requested: FlagEntryOptions
  evaluation: Evaluation
}

function variantIn(
  flag: FlagDefinition,
  { variation, split, isDrawn, requested, evaluation }: Drawn,
): string | null {
  if (!requested.hasIdentity) return null
  // An imported override with variants became the variant that its identity got.
  if (evaluation.overridden) return flag.flagsmith?.variants[variation]?.key ?? null
  if (split === undefined) return null
  return isDrawn ? variantOf(flag, variation) : 'control'
}

/** The variation as Flagsmith's pair of `enabled` and value. */
export function servedBy(flag: FlagDefinition, variation: string): Pick<FlagEntry, 'enabled' | 'value'> {
  const value = flag.variations.find(({ key }) => key === variation)?.value
  if (flag.valueType === 'boolean') return { enabled: value === true, value: flag.flagsmith?.empty ?? null }
  return { enabled: !flag.flagsmith?.disabled.includes(variation), value: onWire(value) }
}

/** The split that was used, or that failed because there was no identity. */
export function splitOf({ config }: FlagDefinition, { split }: Evaluation): Split | undefined {
  if (split === undefined) return undefined
  const serves = [config.fallthrough, ...config.rules.map(({ serve }) => serve)]
  return serves.flatMap((serve) => ('split' in serve ? [serve.split] : [])).find(({ id }) => id === split.id)
}

/** In imported splits the control is the remainder after the variants; in native splits it is the first arm. */
function controlOf({ arms, bucketing }: Split): string | undefined {
  return bucketing === undefined
    ? arms[0]?.variation
    : arms.find(({ optionId }) => optionId === undefined)?.variation
}

/** The variation for users outside all variants: the control, or without one the last variant. */
export function restOf(split: Split): string | undefined {
  const [last] = split.arms.toSorted((left, right) => (right.optionId ?? 0) - (left.optionId ?? 0))
  return controlOf(split) ?? last?.variation
}

function variantOf({ flagsmith }: FlagDefinition, variation: string): string | null {
  return flagsmith === undefined ? variation : (flagsmith.variants[variation]?.key ?? null)
}

function reasonOf(
  { config }: FlagDefinition,
  { overridden, ruleId }: Evaluation,
  { nameOfSegment }: FlagEntryOptions,
) {
  if (overridden) return 'TARGETING_MATCH; segment=identity_overrides'
  const rule = config.rules.find(({ id }) => id === ruleId)
  if (rule === undefined) return 'DEFAULT'
  const segment = rule.when.of.find((part) => 'segment' in part)
  return `TARGETING_MATCH; segment=${segment ? nameOfSegment(segment.segment) : rule.description || rule.id}`
}

function percentOf(weight: number): number {
  return weight / (limits.weightTotal / 100)
}

/** Flagsmith's wire format has no floats or structures: they are sent as text. */
function onWire(value: JsonValue | undefined): FlagsmithValue {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean')
    return value ?? null
  return typeof value === 'number' && Number.isInteger(value) ? value : JSON.stringify(value)
}
