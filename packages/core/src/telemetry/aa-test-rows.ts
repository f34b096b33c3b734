// Rows for a user seen in an arm of the A/A test: an exposure and a unit measure, the same rows that an exposure to a
// flag creates. Neither is an event, so they do not appear in event views.

import { aaTestSplit } from './aa-test-arm.ts'
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

export interface SeenInAaTest {
  epoch: number
  arm: string
  unit: string
  /** Server time. */
  at: number
}

export function aaTestExposureRow(environmentId: string, { epoch, arm, unit, at }: SeenInAaTest): string {
  const time = instantText(at)
  return `["${environmentId}","${aaTestSplit}","${unit}",${epoch},${time},${time},[${time},"${arm}"],["${arm}"],1]`
}

export function aaTestSessionRow(environmentId: string, { epoch, arm, unit, at }: SeenInAaTest): string {
  return `["${environmentId}","${aaTestSplit}","session",${epoch},"${arm}","${unit}",1,1,${instantText(at)}]`
}

/** The A/A test arm that every event of the context includes among its arms. */
export function aaTestArmText({ epoch, arm, unit }: Omit<SeenInAaTest, 'at'>): string {
  return `["${aaTestSplit}",${epoch},"${arm}","${unit}"]`
}
