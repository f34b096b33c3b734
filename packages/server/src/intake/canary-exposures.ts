// Who is told to be in which hidden half of an environment: once for each session, beside its first events. Another server, or
// this one after a restart, may tell it again, which counts in both halves alike.

import { canaryDrawAt } from '@telltale/core/telemetry/canary-arm'
import { canaryExposureRow, canarySessionRow, type SeenInCanary } from '@telltale/core/telemetry/canary-rows'
import { LRUCache } from 'lru-cache'
import { v7 as newId } from 'uuid'
import type { KnownEnvironment } from '../delivery/known-keys.ts'
import type { SpoolDraft } from './spool/record.ts'

export interface SeenInBatch {
  environmentId: string
  receivedAt: number
  /** By session and person. */
  seen: ReadonlyMap<string, SeenInCanary>
}

export interface CanaryExposures {
  /** Hands on what is told for the first time; what cannot be stored is told again. */
  store(given: SeenInBatch, write: (drafts: readonly SpoolDraft[]) => Promise<void>): Promise<void>
}

/** Each takes about a hundred bytes. */
const sessionsRemembered = 200_000

export function createCanaryExposures(): CanaryExposures {
  const told = new LRUCache<string, true>({ max: sessionsRemembered })

  return {
    async store({ environmentId, receivedAt, seen }, write) {
      const fresh = [...seen].filter(
        ([key, { epoch }]) => told.get(`${environmentId} ${epoch} ${key}`) !== true,
      )
      if (fresh.length === 0) return write([])
      const keys = fresh.map(([key, { epoch }]) => `${environmentId} ${epoch} ${key}`)
      for (const key of keys) told.set(key, true)
      const each = fresh.map(([, one]) => one)
      const draft: SpoolDraft = {
        ...{ kind: 'canary', environmentId, batchId: newId(), receivedAt },
        rows: each.map((one) => canaryExposureRow(environmentId, one)),
        viewRows: each.map((one) => canarySessionRow(environmentId, one)),
      }
      await write([draft]).catch((error: unknown) => {
        for (const key of keys) told.delete(key)
        throw error
      })
    },
  }
}

/** The draw that runs; nothing while the canary is off. */
export function canaryEpochOf({ canary }: Pick<KnownEnvironment, 'canary'>, now: number): number | undefined {
  return canary === undefined ? undefined : canaryDrawAt(canary, now).number
}
