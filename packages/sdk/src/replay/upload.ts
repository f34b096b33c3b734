// Uploads segments in order, one at a time, retried with backoff, within a size limit. Segments without room are
// dropped; the missing number marks the gap in the replay.

import type { EventContext } from '@telltale/core/contract/events'
import { guarded } from '../browser/guard.ts'
import { backoff } from '../browser/random.ts'
import { post } from '../transport/post.ts'
import type { Server } from '../transport/send.ts'
import { lookBackBytes } from './look-back.ts'
import type { Segment } from './segment.ts'
import { takeTabNumber } from './tab-number.ts'

export interface Upload {
  push(segment: Segment): void
  /** The page is being left: send whatever fits at once. */
  exit(): void
  /** Stops sending. */
  clear(): void
}

export interface UploadOptions {
  /** Why the session is recorded. */
  reason(): string
  /** `isBroken`: the waiting segments cannot be played without a new starting point. */
  onLost(isBroken: boolean): void
  onStop(why: 'refused' | 'too-large'): void
}

const roomBytes = 2 * lookBackBytes
const longestWait = 60_000
/** Cap on Retry-After. */
const longestBan = 3_600_000
/** Browsers limit all keepalive requests of a page together to 64 KiB. */
const exitBytes = 32 * 1024
/** All later segments would be refused too. */
const final = /over_quota|session_full|sampled_out|erased_person/
/** One after the other: then it is no accident. */
const refusalsAtMost = 3

interface Numbered {
  segment: Segment
  index: number
  /** On its way since the page was being left. */
  isLeaving?: boolean
}

export function createUpload(server: Server, { reason, onLost, onStop }: UploadOptions): Upload {
  let waiting: Numbered[] = []
  let underWay: Numbered | undefined
  let outliving = 0
  let isStopped = false
  let failures = 0
  let refusals = 0
  /** A new starting point is being sent. */
  let isBeginning = false
  let timer: ReturnType<typeof setTimeout>

  const remove = (gone: Numbered) => {
    waiting = waiting.filter((each) => each !== gone)
  }
  const end = () => {
    isStopped = true
    waiting = []
  }
  const lose = () => {
    const isBroken = !isBeginning && !waiting.some(({ segment }) => segment.full)
    isBeginning ||= isBroken
    onLost(isBroken)
  }
  const give = async (next: Numbered, body: Blob, keepalive: boolean) => {
    const size = keepalive ? body.size : 0
    outliving += size
    const answer = await post(server, 'replay', { query: { batch: next.segment.id }, body, keepalive })
    outliving -= size
    return answer
  }
  const attempt = async (next: Numbered): Promise<number> => {
    underWay = next
    const body = bodyOf(next, reason())
    // When other requests use up the keepalive quota, the second attempt goes without keepalive.
    const keepalive = failures === 0 && outliving + body.size <= exitBytes
    const { status, retryAfter, text } = await give(next, body, keepalive)
    underWay = undefined
    if (isStopped) return 0
    const isFinal = status === 401 || status === 403 || final.test(text)
    if (!isFinal && (!status || status === 408 || status === 429 || status >= 500))
      return Math.max(Math.min(retryAfter, longestBan), backoff(failures++, longestWait))
    failures = 0
    remove(next)
    const isTaken = status === 202 && !/"reason"/.test(text)
    refusals = isTaken ? 0 : refusals + 1
    const isTooLarge = /session_full/.test(text) || (status === 413 && next.segment.full)
    if (isFinal || isTooLarge || refusals >= refusalsAtMost) {
      end()
      onStop(isTooLarge ? 'too-large' : 'refused')
    } else if (!isTaken) lose()
    return 0
  }
  const pump = guarded(() => {
    const next = waiting.find(({ isLeaving }) => !isLeaving)
    if (underWay || !next || isStopped) return
    void attempt(next).then((pause) => {
      clearTimeout(timer)
      timer = setTimeout(pump, pause)
    })
  })
  /** Keeps the latest segment and the one in flight. */
  const makeRoom = () => {
    const before = waiting.length
    const size = () => waiting.reduce((sum, { segment }) => sum + segment.sizeBytes, 0)
    while (size() > roomBytes) {
      const oldest = waiting.slice(0, -1).find((each) => each !== underWay)
      if (!oldest) break
      remove(oldest)
    }
    if (waiting.length < before) lose()
  }
  return {
    push(segment) {
      if (isStopped) return
      waiting.push({ segment, index: takeTabNumber(server.key, segment.context) })
      if (segment.full) isBeginning = false
      makeRoom()
      if (failures === 0) pump()
    },
    exit() {
      for (const next of waiting) {
        const body = bodyOf(next, reason())
        if (next === underWay || next.isLeaving || outliving + body.size > exitBytes) continue
        next.isLeaving = true
        // A page that stays open sends what failed again.
        void give(next, body, true).then(({ status }) => {
          next.isLeaving = false
          if (status === 202) remove(next)
          if (failures === 0) pump()
        })
      }
    },
    clear: end,
  }
}

function bodyOf({ segment, index }: Numbered, reason: string): Blob {
  const { context, body, startedAt, endedAt, records, full, assets } = segment
  const about = { index, startedAt, endedAt, records, full, assets, reason, format: 'telltale-replay-1' }
  return new Blob([`${JSON.stringify({ context: shorten(context), segment: about })}\n`, ...body], {
    type: 'text/plain',
  })
}

/** Identifies the session. Everything else about it is in its events. */
function shorten({ kind, index, session, tab, view, anonymousId, ...of }: EventContext) {
  const { userKey, signature, sessionUserKey, sessionSignature, inclusion } = of
  return {
    kind,
    index,
    session,
    tab,
    view,
    anonymousId,
    userKey,
    signature,
    sessionUserKey,
    sessionSignature,
    inclusion,
  }
}
