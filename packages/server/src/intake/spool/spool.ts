// Accepted data that is not in the tables yet. A batch is either durable in it or was refused: many concurrent batches
// share one sync of the disk. Its size is limited; replaceable data is refused first.

import { statfs } from 'node:fs/promises'
import { problem } from '@telltale/core/errors'
import type { Log } from '../../platform/process/log.ts'
import { encodeRecord, type SpoolDraft } from './record.ts'
import type { Segments } from './segments.ts'

/** From the first to be refused to the last, each with the fullness up to which it is accepted. */
export const lanes = { replay: 0.5, profile: 0.65, detail: 0.8, essential: 1 } as const
export type Lane = keyof typeof lanes

export interface Spool {
  /** Resolves when all of it is on disk. Throws `spool-full`; then nothing of it is kept. */
  append(drafts: SpoolDraft | readonly SpoolDraft[], lane: Lane): Promise<void>
  /** Begins a new file, so that earlier ones are deleted once shipped. Fails silently on a full disk. */
  rotate(): Promise<void>
  /** Throws `spool-full` when this lane is full. */
  requireRoom(lane: Lane, bytes: number): void
  /** Called when waiting rows have been inserted into the tables. */
  release(bytes: number): void
  waitingBytes(): number
  capacityBytes(): number
  /** Measures the free disk space again. */
  measure(): Promise<void>
  /** Called after every commit with the number of new rows. */
  onCommit(reported: (rows: number) => void): void
}

interface SpoolOptions {
  folder: string
  segments: Segments
  largestBytes: number
  /** The size already used. */
  waitingBytes: number
  /** Additional usage that counts towards the limit: rows that the store rejected. */
  besidesBytes(): number
  /** What the data waits for, as a client reads it when there is no room. */
  waitsFor?: string
  log: Log
}

interface Waiting {
  records: Buffer[]
  bytes: number
  rows: number
  done(error?: unknown): void
}

const freeShare = 0.2
/** Jitter, so that clients that were refused together do not retry together. */
const retryAfter = () => 5 + Math.floor(Math.random() * 20)

export async function createSpool(options: SpoolOptions): Promise<Spool> {
  const { folder, segments, largestBytes, besidesBytes, log } = options
  const { waitsFor = 'The telemetry engine is behind.' } = options
  let { waitingBytes } = options
  let capacity = largestBytes
  let queue: Waiting[] = []
  let isCommitting = false
  let rotation: { done: Promise<void>; settle(): void } | undefined
  let isFailing = false
  let notify: (rows: number) => void = () => undefined

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
      detail: `${waitsFor} Keep the batch and send it again.`,
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
    // The writer moves on to the new file and deletes the earlier ones.
    notify(0)
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
        notify(group.reduce((total, { rows }) => total + rows, 0))
      } catch (error) {
        // Log once, not for every attempt of a client.
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
    onCommit(reported) {
      notify = reported
    },
  }
}
