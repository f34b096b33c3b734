// Records which arm of hidden splits, of the A/A test and of holdouts, a user is in: once per session, with its first events. Another
// server, or this one after a restart, may record it again; this affects both halves equally.

import { aaTestRoundAt } from '@telltale/core/telemetry/aa-test-arm'
import {
  hiddenExposureRow,
  hiddenSessionRow,
  type SeenInHiddenSplit,
} from '@telltale/core/telemetry/hidden-split-rows'
import { v7 as newId } from 'uuid'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { rememberLast } from '../../platform/process/remember-last.ts'
import type { SpoolDraft } from '../spool/record.ts'

interface SeenInBatch {
  environmentId: string
  receivedAt: number
  /** By session, user and split. */
  seen: ReadonlyMap<string, SeenInHiddenSplit>
}

export interface HiddenExposures {
  /** Passes on only new exposures; those that could not be stored are passed on again. */
  store(given: SeenInBatch, write: (drafts: readonly SpoolDraft[]) => Promise<void>): Promise<void>
}

/** Each takes about a hundred bytes. */
const sessionsRemembered = 200_000

export function createHiddenExposures(): HiddenExposures {
  /** The round in which a session and user were last recorded. */
  const reported = rememberLast<number>(sessionsRemembered)

  return {
    async store({ environmentId, receivedAt, seen }, write) {
      const nameOf = (key: string) => `${environmentId} ${key}`
      const fresh = [...seen].filter(([key, { epoch }]) => reported.get(nameOf(key)) !== epoch)
      if (fresh.length === 0) return write([])
      for (const [key, { epoch }] of fresh) reported.set(nameOf(key), epoch)
      const each = fresh.map(([, one]) => one)
      const draft: SpoolDraft = {
        kind: 'aa-test',
        environmentId,
        batchId: newId(),
        receivedAt,
        rows: each.map((one) => hiddenExposureRow(environmentId, one)),
        viewRows: each.map((one) => hiddenSessionRow(environmentId, one)),
      }
      await write([draft]).catch((error: unknown) => {
        for (const [key] of fresh) reported.delete(nameOf(key))
        throw error
      })
    },
  }
}

/** The current round; undefined while the A/A test is off. */
export function aaTestEpochOf({ aaTest }: Pick<KnownEnvironment, 'aaTest'>, now: number): number | undefined {
  return aaTest === undefined ? undefined : aaTestRoundAt(aaTest, now).number
}
