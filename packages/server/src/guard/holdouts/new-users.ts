import { randomBytes } from 'node:crypto'
import { holdoutSplit } from '@telltale/core/telemetry/hidden-split'
import type { HoldoutRow } from './queries.ts'

const splitBytes = 8

/** Chooses who is held out, independently of every other holdout. */
export const newUsers = (): Pick<HoldoutRow, 'salt' | 'split'> => ({
  salt: randomBytes(12).toString('base64url'),
  split: holdoutSplit(randomBytes(splitBytes).readBigUInt64BE()),
})
