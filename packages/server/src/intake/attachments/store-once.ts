// Puts an attachment into the spool, once: it is known again by what it is, however often and under whatever name it comes.

import { createHash } from 'node:crypto'
import type { IntakeReceipt } from '@telltale/core/contract/events'
import type { Intake } from '../intake.ts'
import { hashOfBatch, idFromBytes } from '../spool/id-bytes.ts'
import type { SpoolDraft } from '../spool/record.ts'
import type { Lane } from '../spool/spool.ts'

export interface StoredOnce {
  environmentId: string
  /** What tells it from all others. */
  identity: string
  /** When it was made, by our clock; unknown when the client does not say. */
  madeAt: number | undefined
  lane: Lane
}

export type StoreOnce = (
  about: StoredOnce,
  render: () => Pick<SpoolDraft, 'kind' | 'rows' | 'viewRows'>,
) => Promise<IntakeReceipt>

const accepted: IntakeReceipt = { accepted: 1, dropped: [] }
const repeated: IntakeReceipt = { accepted: 0, repeated: true, dropped: [] }
const bytesPerId = 16

export function createStoreOnce({
  spool,
  batchIds,
  now,
}: Pick<Intake, 'spool' | 'batchIds' | 'now'>): StoreOnce {
  const underWay = new Map<string, Promise<unknown>>()

  return async ({ environmentId, identity, madeAt, lane }, render) => {
    const digest = createHash('sha256').update(identity).digest()
    const batchId = idFromBytes(digest.subarray(0, bytesPerId))
    const id = hashOfBatch(environmentId, batchId)
    const key = `${environmentId} ${batchId}`
    if (batchIds.isKnown(id) || (await batchIds.isKnownOfOld(id, madeAt))) return repeated
    // The same one may be on its way to the disk in another request: its answer is this one's.
    const first = underWay.get(key)
    if (first !== undefined) {
      await first
      return repeated
    }
    const receivedAt = now()
    const storing = spool.append({ ...render(), environmentId, batchId, receivedAt }, lane)
    underWay.set(key, storing)
    await storing.finally(() => underWay.delete(key))
    batchIds.add({ id, receivedAt })
    return accepted
  }
}

/** As rows hold them. */
export const toStored = (bytes: Buffer) => ({ bytes: bytes.length, base64: bytes.toString('base64') })
