// A picture from its start: loads the segments of a stretch ahead of the playhead, passes them to the stage in
// order, and knows how far it can be shown.

import { toProblem } from '../../../api/problem.ts'
import { type ReplaySource, readAsset } from '../../../api/replays.ts'
import type { PlayerMessage } from '../../../replay-player/messages.ts'
import { loadSegments } from './load-segments.ts'
import { nextBatch } from './next-batch.ts'
import { beginningFor, knownUntil, type PlannedSegment, type Stretch } from './plan-tab.ts'
import type { SegmentCache } from './segment-cache.ts'
import type { StageLink } from './stage-link.ts'

interface RunOptions {
  readonly number: number
  readonly place: ReplaySource
  readonly tab: string
  readonly stretch: Stretch
  readonly at: number
  readonly link: StageLink
  readonly cache: SegmentCache
  /** Hashes of the assets on the stage. */
  readonly handedOver: Set<string>
  /** Already being loaded into the cache. */
  readonly warming: Promise<void>
  onBroken(index: number): void
  onFailed(error: unknown): void
}

export interface Run {
  readonly number: number
  readonly tab: string
  readonly stretch: Stretch
  /** Where the picture starts. */
  readonly beganAt: number
  readonly firstIndex: number
  /** The picture is known up to here. */
  readonly knownUntil: number
  readonly moments: readonly number[]
  /** Loads more when there is room ahead of the playhead. */
  readOn(at: number, speed: number): void
  /** The stage has parsed a segment. */
  noteRead(message: PlayerMessage & { kind: 'read' }): void
  /** Loads asset reports from before the start of the picture. */
  readWords(known: Set<string>): void
  /** More was recorded. */
  extend(stretch: Stretch): void
  close(): void
}

/** How far ahead of the playhead, in milliseconds of playback. */
export const playedAhead = 20_000

const tries = 3
/** Segments before the picture that are only read for their assets. */
const wordsRead = 6
const firstPause = 400

export function startRun(options: RunOptions): Run {
  const { number, tab, link } = options
  let { stretch } = options
  const begin = beginningFor(stretch, options.at)
  const first = stretch.segments[begin]
  let sent = begin
  let read = begin
  const moments: number[] = []
  let isReading = false
  const closing = new AbortController()
  link.send({ do: 'begin', run: number })

  const handOver = (segment: PlannedSegment, lines: string) => {
    link.send({
      do: 'segment',
      run: number,
      index: segment.index,
      lines,
      startedAt: segment.from,
      endedAt: segment.to,
    })
    sent++
  }
  const readBatch = async (batch: readonly PlannedSegment[]) => {
    const request = { place: options.place, tab, segments: batch, signal: closing.signal }
    for await (const { index, broken, lines } of loadSegments(request, options.cache)) {
      const segment = stretch.segments[sent]
      if (segment?.index !== index) continue
      if (broken) return options.onBroken(index)
      await sendAssets(segment, options, closing.signal)
      if (closing.signal.aborted) return
      handOver(segment, lines)
    }
  }
  const readOn = async (at: number, speed: number) => {
    await options.warming
    const waiting = stretch.segments
      .slice(read, sent)
      .reduce((sum, { from, bytes }) => sum + (from > at ? bytes : 0), 0)
    const batch = nextBatch(stretch.segments, sent, { at, span: playedAhead * speed, waiting })
    if (batch.length === 0) return
    for (let attempt = 1; ; attempt++) {
      const before = sent
      try {
        return await readBatch(batch)
      } catch (error) {
        // Loaded segments are shown; the next batch requests the rest.
        if (closing.signal.aborted || sent > before) return
        if (attempt === tries) throw error
        await pause(firstPause * 2 ** attempt * (0.5 + Math.random() / 2))
        if (closing.signal.aborted) return
      }
    }
  }
  return {
    number,
    tab,
    moments,
    beganAt: first?.from ?? stretch.from,
    firstIndex: first?.index ?? 0,
    get stretch() {
      return stretch
    },
    get knownUntil() {
      return read === begin ? Number.NEGATIVE_INFINITY : knownUntil(stretch, read)
    },
    readOn(at, speed) {
      if (isReading || closing.signal.aborted) return
      isReading = true
      void readOn(at, speed)
        .catch((error: unknown) => {
          if (!closing.signal.aborted) options.onFailed(error)
        })
        .finally(() => {
          isReading = false
        })
    },
    noteRead(message) {
      read++
      moments.push(...message.moments)
    },
    readWords(known) {
      const unread = introducing(stretch.segments.slice(0, begin)).filter(
        ({ index }) => !known.has(`${tab}/${index}`),
      )
      const readAll = async () => {
        for (const segment of unread) {
          known.add(`${tab}/${segment.index}`)
          await sendAssets(segment, options, closing.signal)
          const request = { place: options.place, tab, segments: [segment], signal: closing.signal }
          for await (const { lines } of loadSegments(request, options.cache))
            link.send({ do: 'words', run: number, lines })
        }
      }
      // Without them, the picture falls back to this browser's fonts.
      void readAll().catch(() => undefined)
    },
    extend(longer) {
      stretch = longer
    },
    close: () => closing.abort(),
  }
}

/** Assets are only reported where they are first used. */
export function introducing(segments: readonly PlannedSegment[]): readonly PlannedSegment[] {
  const known = new Set<string>()
  const first = segments.filter(({ assets }) => {
    const before = known.size
    for (const hash of assets) known.add(hash)
    return known.size > before
  })
  return first.slice(-wordsRead)
}

async function sendAssets(
  { assets }: PlannedSegment,
  { place, link, handedOver }: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const wanted = assets.filter((hash) => !handedOver.has(hash))
  await Promise.all(
    wanted.map(async (hash) => {
      handedOver.add(hash)
      try {
        const { mime, bytes } = await readAsset(place, hash, signal)
        link.send({ do: 'asset', hash, mime, bytes }, [bytes])
      } catch (error) {
        // The page is shown without it. Assets that never arrived are not requested again.
        if (!toProblem(error).is('not-found')) handedOver.delete(hash)
      }
    }),
  )
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
