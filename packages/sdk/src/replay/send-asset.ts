// A style sheet or a font on its way to the server, tried a few times.

import { backoff } from '../browser/random.ts'
import { post } from '../transport/post.ts'
import type { Server } from '../transport/send.ts'
import type { Asset } from './assets.ts'
import { packAsset } from './assets.ts'

const attempts = 4
const longestWait = 30_000

/** False: it did not arrive. */
export async function sendAsset(server: Server, asset: Asset): Promise<boolean> {
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
