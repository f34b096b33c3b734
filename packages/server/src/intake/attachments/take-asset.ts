// A style sheet or font, identified by its content hash: the hash is recomputed here, and the stated type must match
// the content. Stored once a day, to record which assets are in use.

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type AssetType, assetTypes } from '@telltale/core/contract/attachments'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { assetRow } from '@telltale/core/telemetry/attachment-rows'
import { createGrowingBuffer } from '../../platform/memory/growing-buffer.ts'
import { readBody } from '../events/read-body.ts'
import { idFromBytes } from '../spool/id-bytes.ts'
import { dropped, type GivenAttachment, type TakenAttachment } from './attachment.ts'
import { type StoreAttachment, storedSize, toStored } from './store-attachment.ts'

interface GivenAsset extends GivenAttachment {
  hash: string
  type: string
}

const day = 86_400_000
const bytesPerId = 16
const beginnings: Record<Exclude<AssetType, 'text/css'>, readonly string[]> = {
  'font/woff2': ['774f4632'],
  'font/woff': ['774f4646'],
  'font/ttf': ['00010000', '74727565'],
  'font/otf': ['4f54544f'],
}

export function createTakeAsset(storeAttachment: StoreAttachment) {
  return async (given: GivenAsset): Promise<TakenAttachment> => {
    const { environment, arrival, hash, type } = given
    if (!isAssetType(type)) {
      throw problem('invalid-request', {
        errors: [{ pointer: '?type', message: `must be one of ${assetTypes.join(', ')}` }],
      })
    }
    if (environment.sampling.replay === 0) return dropped('sampled_out')
    const asset = createGrowingBuffer(given.claim)
    let size = 0
    const { sizeBytes } = await readBody(given.body, (chunk) => {
      size += chunk.length
      if (size > limits.assetSize) {
        throw problem('payload-too-large', `An asset has at most ${limits.assetSize} bytes.`)
      }
      asset.push(chunk)
    })
    const bytes = asset.bytes()
    given.claim.grow(storedSize(bytes))
    if (idFromBytes(createHash('sha256').update(bytes).digest().subarray(0, bytesPerId)) !== hash) {
      throw problem('invalid-request', {
        errors: [{ pointer: '?hash', message: 'is not the hash of these bytes' }],
      })
    }
    if (!looksLike(bytes, type)) return dropped('invalid')

    const seenAt = arrival.arrivedAt
    const today = Math.floor(seenAt / day)
    const about = {
      environmentId: environment.id,
      identity: `asset ${hash} ${today}`,
      madeAt: today * day,
      lane: 'replay',
    } as const
    const receipt = await storeAttachment(about, () => ({
      kind: 'asset',
      rows: [assetRow({ environmentId: environment.id, hash, seenAt, mime: type, body: toStored(bytes) })],
      viewRows: [],
    }))
    return { receipt, sizeBytes }
  }
}

function isAssetType(text: string): text is AssetType {
  return assetTypes.some((type) => type === text)
}

function looksLike(bytes: Buffer, type: AssetType): boolean {
  if (type === 'text/css') return isUtf8(bytes)
  return beginnings[type].includes(bytes.subarray(0, 4).toString('hex'))
}
