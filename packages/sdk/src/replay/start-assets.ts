// Uploads the style sheets and fonts of a recording.

import { backoff } from '../browser/random.ts'
import { fetchApart } from '../transport/fetch-apart.ts'
import { post } from '../transport/post.ts'
import type { Server } from '../transport/send.ts'
import { type Asset, type Assets, createAssets, packAsset } from './assets.ts'
import { sheetCleaner } from './mask-text.ts'
import type { MaskingOptions } from './masking.ts'

export interface UploadedAssets extends Pick<MaskingOptions, 'level'> {
  server: Server
  /** Nothing is uploaded before `release`. */
  isHeld: boolean
  /** Others whose style sheets may be fetched. */
  origins?: readonly string[] | undefined
}

export function startAssets({ server, isHeld, level, origins = [] }: UploadedAssets): Assets {
  return createAssets({
    key: server.key,
    isHeld,
    clean: sheetCleaner(level),
    origins,
    fetch: (address) => fetchApart(server, address),
    send: (asset) => sendAsset(server, asset),
  })
}

// A style sheet or a font on its way to the server, tried a few times.
const attempts = 4
const longestWait = 30_000

/** False: the upload failed. */
async function sendAsset(server: Server, asset: Asset): Promise<boolean> {
  const body = new Blob([await packAsset(asset)], { type: 'text/plain' })
  const query = { hash: asset.hash, type: asset.mime }
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { status, retryAfter } = await post(server, 'asset', { query, body })
    if (status === 202) return true
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) return false
    const pause = Math.max(Math.min(retryAfter, longestWait), backoff(attempt, longestWait))
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return false
}
