// That somebody was seen in an arm of the canary: a row among the exposures and one among the sums of units, as an exposure
// of a flag leaves them. Neither is an event, so no screen of events knows of it.

import { canarySplit } from './canary-arm.ts'
import { instantText } from './row-text.ts'

export const exposureColumns = [
  'environment_id',
  'split',
  'unit',
  'epoch',
  'first_ts',
  'last_ts',
  'first_arm',
  'arms',
  'n',
] as const

export const unitMeasureColumns = [
  'environment_id',
  'split',
  'measure',
  'epoch',
  'arm',
  'unit',
  'n',
  'y',
  'first_ts',
] as const

export interface SeenInCanary {
  epoch: number
  arm: string
  unit: string
  /** By our clock. */
  at: number
}

export function canaryExposureRow(environmentId: string, { epoch, arm, unit, at }: SeenInCanary): string {
  const time = instantText(at)
  return `["${environmentId}","${canarySplit}","${unit}",${epoch},${time},${time},[${time},"${arm}"],["${arm}"],1]`
}

export function canarySessionRow(environmentId: string, { epoch, arm, unit, at }: SeenInCanary): string {
  return `["${environmentId}","${canarySplit}","session",${epoch},"${arm}","${unit}",1,1,${instantText(at)}]`
}

/** What every event of a context under the canary carries among its arms. */
export function canaryArmText({ epoch, arm, unit }: Omit<SeenInCanary, 'at'>): string {
  return `["${canarySplit}",${epoch},"${arm}","${unit}"]`
}
