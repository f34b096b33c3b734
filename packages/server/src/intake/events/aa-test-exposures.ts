// Who is told to be in which hidden half of an environment: once for each session, beside its first events. Another server, or
// this one after a restart, may tell it again, which counts in both halves alike.

import { aaTestRoundAt } from '@telltale/core/telemetry/aa-test-arm'
import { aaTestExposureRow, aaTestSessionRow, type SeenInAaTest } from '@telltale/core/telemetry/aa-test-rows'
import { v7 as newId } from 'uuid'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { rememberLast } from '../../platform/process/remember-last.ts'
import type { SpoolDraft } from '../spool/record.ts'

interface SeenInBatch {
  environmentId: string
  receivedAt: number
  /** By session and person. */
  seen: ReadonlyMap<string, SeenInAaTest>
}

export interface AaTestExposures {
  /** Hands on what is told for the first time; what cannot be stored is told again. */
  store(given: SeenInBatch, write: (drafts: readonly SpoolDraft[]) => Promise<void>): Promise<void>
}

/** Each takes about a hundred bytes. */
const sessionsRemembered = 200_000

export function createAaTestExposures(): AaTestExposures {
  /** The round in which a session and person were told last. */
  const told = rememberLast<number>(sessionsRemembered)

  return {
    async store({ environmentId, receivedAt, seen }, write) {
      const nameOf = (key: string) => `${environmentId} ${key}`
      const fresh = [...seen].filter(([key, { epoch }]) => told.get(nameOf(key)) !== epoch)
      if (fresh.length === 0) return write([])
      for (const [key, { epoch }] of fresh) told.set(nameOf(key), epoch)
      const each = fresh.map(([, one]) => one)
      const draft: SpoolDraft = {
        ...{ kind: 'aa-test', environmentId, batchId: newId(), receivedAt },
        rows: each.map((one) => aaTestExposureRow(environmentId, one)),
        viewRows: each.map((one) => aaTestSessionRow(environmentId, one)),
      }
      await write([draft]).catch((error: unknown) => {
        for (const [key] of fresh) told.delete(nameOf(key))
        throw error
      })
    },
  }
}

/** The round that runs; nothing while the A/A test is off. */
export function aaTestEpochOf({ aaTest }: Pick<KnownEnvironment, 'aaTest'>, now: number): number | undefined {
  return aaTest === undefined ? undefined : aaTestRoundAt(aaTest, now).number
}
