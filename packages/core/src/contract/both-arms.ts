// Numbers of both arms of a comparison, and an estimate of how they differ.

import { Type } from 'typebox'
import { Nullable } from './parameters.ts'

export const BothArms = Type.Object({ treatment: Type.Number(), control: Type.Number() })
/** Null where it has no end. */
const End = Nullable(Type.Number())

/** An estimate between two ends that may be open; null before there is one. */
export const openInterval = (description: string) =>
  Nullable(Type.Object({ lower: End, estimate: End, upper: End }, { description }))
