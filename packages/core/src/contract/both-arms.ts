// The numbers of both arms of a comparison, and the estimated difference.

import { Type } from 'typebox'
import { Nullable } from './parameters.ts'

export const BothArms = Type.Object({ treatment: Type.Number(), control: Type.Number() })
/** Null if unbounded. */
const End = Nullable(Type.Number())

/** A confidence interval whose ends may be open; null before there is an estimate. */
export const openInterval = (description: string) =>
  Nullable(Type.Object({ lower: End, estimate: End, upper: End }, { description }))
