// The metadata of an attachment, and the outcome of storing it.

import type { DropReason, IntakeReceipt } from '@telltale/core/contract/events'
import type { Problem } from '@telltale/core/errors'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import type { GivenBrowser } from '../events/browsers.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import type { BodySource } from '../events/read-body.ts'

export type TakeParts = Pick<IntakeServices, 'intake' | 'erasedPeople'>
export type AttachmentKind = 'replay' | 'profile' | 'asset'

export interface ArrivedAttachment {
  environment: KnownEnvironment
  batchId: string | undefined
  /** The client's clock at the time of sending. */
  sentAt: number | undefined
  /** Milliseconds for which an edge kept it; its clock includes them. */
  waited?: number
  browser: GivenBrowser
  country: string
  source: string
  isBackfill: boolean
  body: BodySource
  /** The memory it takes while it is processed. */
  claim: MemoryClaim
  /** Of an asset. */
  hash: string
  type: string
}

export interface GivenAttachment extends ArrivedAttachment {
  /** Added to client times. */
  offset: number
  arrival: { arrivedAt: number; ageMaximum: number }
}

export interface TakenAttachment {
  receipt: IntakeReceipt
  /** Unpacked; counted against the quota when it is stored. */
  sizeBytes: number
  /** Of a segment: as it is stored. */
  storedBytes?: number
  /** As far as known. */
  application?: string
}

export const dropped = (reason: DropReason): TakenAttachment => ({
  receipt: { accepted: 0, dropped: [{ reason, count: 1 }] },
  sizeBytes: 0,
})

/** The outcome under which a refusal is counted; errors that the client may retry are not counted. */
export function reasonOf({ code }: Problem): DropReason | undefined {
  if (code === 'malformed-body' || code === 'unsupported-encoding') return 'malformed'
  if (code === 'invalid-request') return 'invalid'
  return code === 'payload-too-large' ? 'too_large' : undefined
}
