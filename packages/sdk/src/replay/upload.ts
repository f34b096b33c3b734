// Segments on their way to the server: one at a time in their order, tried again later and later, within a bound. What has no
// room is lost, and the replay says so: its number is missing.

import { backoff } from '../browser/random.ts'
import { guarded } from '../guard.ts'
import type { Server } from '../transport/send.ts'
import { type Asset, packAsset } from './assets.ts'
import { post } from './post.ts'
import type { Segment } from './segments.ts'
import { takeTabNumber } from './tab-number.ts'

export interface Upload {
  push(segment: Segment): void
  /** The page is being left: whatever fits, at once. */
  exit(): void
  asset(asset: Asset): Promise<boolean>
  /** Nothing is sent any more. */
  clear(): void
}

export interface UploadOptions {
  /** Why the session is recorded. */
  reason(): string
  onLost(): void
  onStop(why: 'refused' | 'too-large'): void
}

const roomBytes = 2 * 1024 * 1024
const longestWait = 60_000
/** What a server may ask for. */
const longestBan = 3_600_000
/** Browsers share 64 KiB among all requests of a page that outlive it. */
const exitBytes = 32 * 1024
/** Everything that would follow is refused as well. */
const final = /over_quota|session_full|sampled_out|erased_person/

interface Numbered {
  segment: Segment
  index: number
}

export function createUpload(server: Server, { reason, onLost, onStop }: UploadOptions): Upload {
  let waiting: Numbered[] = []
  let underWay: Numbered | undefined
  let outliving = 0
  let isStopped = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout>

  const remove = (gone: Numbered) => {
    waiting = waiting.filter((each) => each !== gone)
  }
  const end = () => {
    isStopped = true
    waiting = []
  }
  const attempt = async (next: Numbered): Promise<number> => {
    underWay = next
    const { status, retryAfter, text } = await post(server, 'replay', {
      ...named(next),
      body: bodyOf(next, reason()),
    })
    underWay = undefined
    const isLater = !status || status === 408 || status === 429 || status >= 500
    const isFinal = status === 401 || status === 403 || final.test(text)
    if (isLater && !isFinal)
      return Math.max(Math.min(retryAfter, longestBan), backoff(failures++, longestWait))
    failures = 0
    remove(next)
    if (isFinal) {
      end()
      onStop(/session_full/.test(text) ? 'too-large' : 'refused')
    }
    return 0
  }
  const pump = guarded(() => {
    const [next] = waiting
    if (underWay || !next || isStopped) return
    void attempt(next).then((pause) => {
      clearTimeout(timer)
      timer = setTimeout(pump, pause)
    })
  })
  const makeRoom = () => {
    const before = waiting.length
    const size = () => waiting.reduce((sum, { segment }) => sum + segment.sizeBytes, 0)
    while (size() > roomBytes) {
      const oldest = waiting.find((each) => each !== underWay)
      if (!oldest) break
      remove(oldest)
    }
    if (waiting.length < before) onLost()
  }
  return {
    push(segment) {
      if (isStopped) return
      waiting.push({ segment, index: takeTabNumber(server.key, segment.context) })
      makeRoom()
      if (failures === 0) pump()
    },
    exit() {
      for (const next of waiting) {
        const body = bodyOf(next, reason())
        if (next === underWay || outliving + body.size > exitBytes) continue
        outliving += body.size
        // A page that lives on sends it again, and the server knows that it came.
        void post(server, 'replay', { ...named(next), body, keepalive: true }).then(({ status }) => {
          outliving -= body.size
          if (status === 202) remove(next)
        })
      }
    },
    async asset(asset) {
      const body = new Blob([await packAsset(asset)], { type: 'text/plain' })
      const query = { hash: asset.hash, type: asset.mime }
      return (await post(server, 'asset', { query, body })).status === 202
    },
    clear: end,
  }
}

const named = ({ segment }: Numbered) => ({ query: { batch: segment.id } })

function bodyOf({ segment, index }: Numbered, reason: string): Blob {
  const { context, body, startedAt, endedAt, records, full, assets } = segment
  const about = { index, startedAt, endedAt, records, full, assets, reason, format: 'rrweb-2' }
  return new Blob([`${JSON.stringify({ context, segment: about })}\n`, ...body], { type: 'text/plain' })
}
