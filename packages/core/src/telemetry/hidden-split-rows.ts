// Rows for a user seen in an arm of a hidden split, of the A/A test or of a holdout: an exposure and a unit measure, the
// same rows that an exposure to a flag creates. Neither is an event, so they do not appear in event views.

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

export interface SeenInHiddenSplit {
  split: string
  epoch: number
  arm: string
  unit: string
  /** Server time. */
  at: number
}

export function hiddenExposureRow(
  environmentId: string,
  { split, epoch, arm, unit, at }: SeenInHiddenSplit,
): string {
  const time = instantText(at)
  return `["${environmentId}","${split}","${unit}",${epoch},${time},${time},[${time},"${arm}"],["${arm}"],1]`
}

export function hiddenSessionRow(
  environmentId: string,
  { split, epoch, arm, unit, at }: SeenInHiddenSplit,
): string {
  return `["${environmentId}","${split}","session",${epoch},"${arm}","${unit}",1,1,${instantText(at)}]`
}

/** The arm that every event of the context includes among its arms. */
export function hiddenArmText({ split, epoch, arm, unit }: Omit<SeenInHiddenSplit, 'at'>): string {
  return `["${split}",${epoch},"${arm}","${unit}"]`
}
