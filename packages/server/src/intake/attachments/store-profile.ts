// Writes a profile to the spool, once: aggregated rows, the whole profile for its own timeline, and the stacks that
// were not yet written today.

import type { IntakeReceipt } from '@telltale/core/contract/events'
import { type ProfileRows, profileRows } from '@telltale/core/telemetry/attachment-rows'
import { rememberLast } from '../../platform/process/remember-last.ts'
import type { StoreAttachment } from './store-attachment.ts'

/** Stacks that were already written today, as far as remembered. */
const stacksRemembered = 100_000
const day = 86_400_000

interface ProfileToStore {
  environmentId: string
  identity: string
  arrivedAt: number
  profile: ProfileRows
}

/**
 * The memory that stacks of this many characters take on their way to the disk: as text, within their rows, and as
 * bytes.
 */
export const storedStacksSize = (characters: number) => 3 * characters

type StoreProfile = (given: ProfileToStore) => Promise<IntakeReceipt>

export function createStoreProfile(storeAttachment: StoreAttachment): StoreProfile {
  const written = rememberLast<number>(stacksRemembered)

  return async ({ environmentId, identity, arrivedAt, profile }) => {
    const today = Math.floor(arrivedAt / day)
    const { rows, blob, stacks } = profileRows(profile)
    const unseen = [...stacks].filter(([stack]) => written.get(`${environmentId} ${stack}`) !== today)
    const about = { environmentId, identity, madeAt: profile.at, lane: 'profile' } as const
    const receipt = await storeAttachment(about, () => ({
      kind: 'profile',
      rows,
      viewRows: [blob, ...unseen.map(([, row]) => row)],
    }))
    // Repeated profiles are not written again.
    if (receipt.accepted > 0) for (const [stack] of unseen) written.set(`${environmentId} ${stack}`, today)
    return receipt
  }
}
