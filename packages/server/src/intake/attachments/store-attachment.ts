// Writes an attachment to the spool, once: it is deduplicated by its content, whatever its name.

import { createHash } from 'node:crypto'
import type { IntakeReceipt } from '@telltale/core/contract/events'
import type { Intake } from '../events/intake.ts'
import { idFromBytes } from '../spool/id-bytes.ts'
import type { SpoolDraft } from '../spool/record.ts'
import type { Lane } from '../spool/spool.ts'

interface AttachmentToStore {
  environmentId: string
  /** Its unique key. */
  identity: string
  /** Creation time by the server's clock; undefined when the client does not send one. */
  madeAt: number | undefined
  lane: Lane
}

export type StoreAttachment = (
  about: AttachmentToStore,
  render: () => Pick<SpoolDraft, 'kind' | 'rows' | 'viewRows'>,
) => Promise<IntakeReceipt>

const accepted: IntakeReceipt = { accepted: 1, dropped: [] }
const repeated: IntakeReceipt = { accepted: 0, repeated: true, dropped: [] }
const bytesPerId = 16

export function createStoreAttachment({
  spool,
  once,
  now,
}: Pick<Intake, 'spool' | 'once' | 'now'>): StoreAttachment {
  return async ({ environmentId, identity, madeAt, lane }, render) => {
    const digest = createHash('sha256').update(identity).digest()
    const id = idFromBytes(digest.subarray(0, bytesPerId))
    const fresh = await once([{ environmentId, id, madeAt }], () =>
      spool.append({ ...render(), environmentId, batchId: id, receivedAt: now() }, lane),
    )
    return fresh.length > 0 ? accepted : repeated
  }
}

/**
 * The memory that its rows and records take on their way to the disk: base64 as text, within its row, and as bytes.
 */
export const storedSize = (bytes: Buffer) => 4 * bytes.length

/** In the format of rows. */
export const toStored = (bytes: Buffer) => ({ bytes: bytes.length, base64: bytes.toString('base64') })
