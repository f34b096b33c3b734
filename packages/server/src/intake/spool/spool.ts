// What was accepted and is not in the tables yet. A batch is in it for certain, or it was refused: many batches at once
// share one sync of the disk. Bounded; what can be made up for is refused first.

import { statfs } from 'node:fs/promises'
import { problem } from '@telltale/core/errors'
import type { Log } from '../../platform/process/log.ts'
import { encodeRecord, type SpoolDraft } from './record.ts'
import type { Segments } from './segments.ts'

/** From what is refused first to what is refused last, with the fullness up to which it is taken. */
export const lanes = { replay: 0.5, profile: 0.65, detail: 0.8, essential: 1 } as const
export type Lane = keyof typeof lanes

export interface Spool {
  /** Resolves when all of it is on disk. Throws `spool-full`; then nothing of it is kept. */
  append(drafts: SpoolDraft | readonly SpoolDraft[], lane: Lane): Promise<void>
  /** Begins a new file, so that the ones before go once they are shipped. Fails silently on a disk without room. */
  rotate(): Promise<void>
  /** Throws `spool-full` when nothing of this lane is taken. */
  requireRoom(lane: Lane, bytes: number): void
  /** What was counted as waiting is in the tables. */
  release(bytes: number): void
  waitingBytes(): number
  capacityBytes(): number
  /** Measures the free disk anew. */
  measure(): Promise<void>
  /** Told after every commit how many rows came. */
  onCommit(told: (rows: number) => void): void
}

export interface SpoolOptions {
  folder: string
  segments: Segments
  largestBytes: number
  /** What is there already. */
  waitingBytes: number
  /** What else counts towards the bound: rows that the store refused. */
  besidesBytes(): number
  log: Log
}

interface Waiting {
  records: Buffer[]
  bytes: number
  rows: number
  done(error?: unknown): void
}

const freeShare = 0.2
/** Clients that were refused together do not come back together. */
const retryAfter = () => 5 + Math.floor(Math.random() * 20)

export async function createSpool(options: SpoolOptions): Promise<Spool> {
  const { folder, segments, largestBytes, besidesBytes, log } = options
  let { waitingBytes } = options
  let capacity = largestBytes
  let queue: Waiting[] = []
  let isCommitting = false
  let rotation: { done: Promise<void>; settle(): void } | undefined
  let isFailing = false
  let tell: (rows: number) => void = () => undefined

  const measure = async () => {
    const { bavail, bsize } = await statfs(folder)
    capacity = Math.min(largestBytes, Math.floor(freeShare * (bavail * bsize + waitingBytes)))
  }
  await measure()

  const requireRoom: Spool['requireRoom'] = (lane, bytes) => {
    const wanted = waitingBytes + besidesBytes() + bytes
    if (wanted <= capacity * lanes[lane]) return
    const refused = Object.entries(lanes).filter(([, share]) => wanted > capacity * share)
    throw problem('spool-full', {
      detail: 'The telemetry engine is behind. Keep the batch and send it again.',
      retryAfterSeconds: retryAfter(),
      lanes: refused.map(([name]) => name),
    })
  }

  const rotateNow = async ({ settle }: { settle(): void }) => {
    rotation = undefined
    await segments.rotate().catch((error: unknown) => {
      log.warn({ err: error }, 'no new spool file could be created')
    })
    settle()
    // The writer goes on to the new file, and removes those before it.
    tell(0)
  }

  const commit = async () => {
    isCommitting = true
    while (queue.length > 0 || rotation !== undefined) {
      if (rotation !== undefined) await rotateNow(rotation)
      const group = queue
      queue = []
      if (group.length === 0) continue
      try {
        await segments.append(group.flatMap(({ records }) => records))
        for (const { done } of group) done()
        if (isFailing) log.info({}, 'the spool can be written again')
        isFailing = false
        tell(group.reduce((total, { rows }) => total + rows, 0))
      } catch (error) {
        // Once, and not for every batch that clients try.
        if (!isFailing) log.error({ err: error }, 'the spool cannot be written: telemetry is refused')
        isFailing = true
        for (const { bytes, done } of group) {
          waitingBytes -= bytes
          const detail = 'The server cannot write to its disk.'
          done(problem('spool-full', { detail, retryAfterSeconds: retryAfter(), lanes: Object.keys(lanes) }))
        }
      }
    }
    isCommitting = false
  }

  return {
    async append(drafts, lane) {
      const all = 'kind' in drafts ? [drafts] : drafts
      const records = all.map(encodeRecord)
      const bytes = records.reduce((total, { length }) => total + length, 0)
      requireRoom(lane, bytes)
      waitingBytes += bytes
      const rows = all.reduce((total, draft) => total + draft.rows.length + draft.viewRows.length, 0)
      await new Promise<void>((resolve, reject) => {
        queue.push({
          records,
          bytes,
          rows,
          done: (error) => (error === undefined ? resolve() : reject(error)),
        })
        if (!isCommitting) void commit()
      })
    },
    rotate() {
      if (rotation !== undefined) return rotation.done
      let settle: () => void = () => undefined
      const done = new Promise<void>((resolve) => {
        settle = resolve
      })
      rotation = { done, settle }
      if (!isCommitting) void commit()
      return done
    },
    requireRoom,
    release(bytes) {
      waitingBytes -= bytes
    },
    waitingBytes: () => waitingBytes,
    capacityBytes: () => capacity,
    measure,
    onCommit(told) {
      tell = told
    },
  }
}
