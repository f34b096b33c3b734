// Puts profiles into the spool, once: rows for the sums, what each came as for its own timeline, and the stacks that nobody wrote
// down today.

import type { IntakeReceipt } from '@telltale/core/contract/events'
import { type ProfileRows, profileRows } from '@telltale/core/telemetry/attachment-rows'
import { LRUCache } from 'lru-cache'
import type { StoreOnce } from './store-once.ts'

/** Stacks whose dictionary was written today, as far as they are remembered. */
const stacksRemembered = 100_000
const day = 86_400_000

export interface ProfilesToStore {
  environmentId: string
  identity: string
  madeAt: number
  arrivedAt: number
  profiles: readonly ProfileRows[]
}

export type StoreProfiles = (given: ProfilesToStore) => Promise<IntakeReceipt>

export function createStoreProfiles(storeOnce: StoreOnce): StoreProfiles {
  const written = new LRUCache<string, number>({ max: stacksRemembered })

  return async ({ environmentId, identity, madeAt, arrivedAt, profiles }) => {
    const today = Math.floor(arrivedAt / day)
    const rendered = profiles.map(profileRows)
    const stacks = new Map(rendered.flatMap((each) => [...each.stacks]))
    const unseen = [...stacks].filter(([stack]) => written.get(`${environmentId} ${stack}`) !== today)
    const receipt = await storeOnce({ environmentId, identity, madeAt, lane: 'profile' }, () => ({
      kind: 'profile',
      rows: rendered.flatMap(({ rows }) => rows),
      viewRows: [...rendered.map(({ blob }) => blob), ...unseen.map(([, row]) => row)],
    }))
    // Of a repeated profile nothing was written.
    if (receipt.accepted > 0) for (const [stack] of unseen) written.set(`${environmentId} ${stack}`, today)
    return receipt
  }
}
