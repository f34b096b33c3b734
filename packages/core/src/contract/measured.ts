// Schemas shared by all telemetry queries: period, filter and time step.

import { type TSchema, Type } from 'typebox'
import { limits } from '../limits.ts'
import { timeSteps } from '../query/time-buckets.ts'
import { vitalNames } from './events.ts'
import { Instant, InstantParameter, Nullable, Page } from './parameters.ts'

export const Count = Type.Integer({ minimum: 0 })
/** An estimate if sessions are sampled: each one is weighted by the inverse of the sampling rate. */
export const Weighted = Type.Number({ minimum: 0 })
export const Share = Type.Number({ minimum: 0, maximum: 1 })

export const Filter = Type.String({
  maxLength: limits.filterLength,
  description: 'Chips and words, such as `flag:checkout=new browser:Safari -country:DE lcp:>2500 "pay now"`.',
})
export const FilterField = Type.String({
  minLength: 1,
  maxLength: 250,
  description: 'A field of the filter language, such as `browser`, `flag:checkout` or `attr:plan`.',
})

/** From the first instant (inclusive) to the last (exclusive). Default: the last 24 hours. */
export const periodQuery = {
  from: Type.Optional(InstantParameter),
  to: Type.Optional(InstantParameter),
  filter: Type.Optional(Filter),
}

export const Step = Type.Enum([...timeSteps], {
  description: `Minutes, hours, days or weeks of the environment's time zone. Default: about a hundred steps.`,
})
export const stepQuery = { step: Type.Optional(Step) }

export const period = { from: Instant, to: Instant }
export const stepped = { ...period, step: Step, timeZone: Type.String() }

export const exactQuery = {
  exact: Type.Optional(
    Type.Enum(['true'], {
      description: 'Read all events, even beyond the number from which a sample of the users is read.',
    }),
  ),
}
export const Sample = Type.Integer({
  minimum: 1,
  description:
    'With 16, the events of one in sixteen users were read, and counts are estimated from them: distinct values are the least there are. 1: of all users.',
})

/** One page of a list whose counts may be estimated. */
export const SampledPage = <Item extends TSchema>(item: Item) =>
  Type.Object({ ...Page(item).properties, sample: Sample })

/** Of a reply about a period that may be estimated. */
export const sampled = { ...period, sample: Sample }

export const VitalName = Type.Enum([...vitalNames])

/** Start of a step; the first and the last step may be partial. */
export const at = Instant
export const partial = Type.Boolean({ description: 'The step is incomplete, or began before the period.' })

/** A p75 of fewer than 50 values is not reported. */
export const Vital = Type.Object({
  name: VitalName,
  count: Count,
  p75: Nullable(
    Type.Number({
      description: `Null with fewer than ${limits.percentileMinimum} values. Milliseconds; CLS has no unit.`,
    }),
  ),
  /** Share of the views that have the vital. */
  good: Nullable(Share),
  poor: Nullable(Share),
})
