// Captures the page, masked, within a time budget: a full snapshot first, and further ones at intervals so that
// playback can start there.

import { selectorOf } from '../browser/describe-element.ts'
import { guarded, reportFault } from '../browser/guard.ts'
import { sinceBegin } from '../browser/time.ts'
import type { Assets } from './assets.ts'
import { createBudget } from './budget.ts'
import { createClock } from './clock.ts'
import { sheetCleaner } from './mask-text.ts'
import { createMasking, fixed, hidden, ignored, type Masking, type MaskingOptions } from './masking.ts'
import type { NodeIds } from './node-ids.ts'
import { type Note, queueNote, writeNote } from './notes.ts'
import { recordTree, type TreeRecorder } from './record-tree.ts'
import type { SegmentWriter } from './segment-writer.ts'
import { createStates, isOpenBox, type StatesOptions, type WatchedStates } from './states.ts'
import type { PageMask } from './watching.ts'

export interface CaptureOptions extends MaskingOptions, Pick<StatesOptions, 'onCanvas' | 'onFrame'> {
  assets: Pick<Assets, 'sheetMark' | 'find'>
  writer: SegmentWriter
  /** Interval of playback starting points, milliseconds. */
  checkpoint(): number
  /** The page has no time left for it, of which it used this share, or something of the page cannot be recorded. */
  onStop(why: 'over-budget' | 'failed', share?: number): void
}

export interface Capture {
  /** The id that the next node gets. */
  nextNode(): number
  say(note: Note): void
  /** A record of something that is not the page itself. */
  write: TreeRecorder['queue']
  /** Of a canvas, an image or a frame whose content may be recorded now; 0 for others. */
  idOf(box: Element): number
  snapshot(): void
  /** Writes everything that is due at once. */
  flush(): void
  /** Schedules a search for fonts and style sheets that were added meanwhile. */
  lookForAssets(): void
  /** `last`: written at once, after what is complete by then. */
  stop(last?: Note): void
}

/** Style sheets and fonts of the initial page have loaded by then. */
const findAssetsAfter = 3_000
const checkEvery = 10_000
/** Of the page's time, all of its checkpoints together: one in so many. */
const checkpointShare = 400

export function startCapture(options: CaptureOptions): Capture {
  const { assets, writer, checkpoint, onStop } = options
  const clock = createClock()
  const masking = createMasking(options)
  let changes = 0
  let shownAt = 0
  /** All that was measured when the snapshot began, until it is written; and what it cost, milliseconds. */
  let before: number | undefined
  let cost = 0
  let states: WatchedStates | undefined
  let mask: PageMask | undefined
  let looking: ReturnType<typeof setTimeout>
  const budget = createBudget({
    limit(target, share) {
      queueNote(tree, { kind: 'throttled', target: selectorOf(target) ?? '', share })
      tree.limit(target)
    },
    thin(share) {
      queueNote(tree, { kind: 'thinned', share })
      states?.thin()
    },
    stop: (share) => onStop('over-budget', share),
  })
  const tree = recordTree({
    masking,
    writer,
    clock,
    onFail: () => onStop('failed'),
    measure: budget.measure,
    onChange(target) {
      changes++
      budget.changed(target)
    },
    states(records, about) {
      mask = pageMask(masking, about)
      const watched = watchPage({ ...options, records, about, clock, masking, measure: budget.measure })
      states = watched
      return {
        ...watched,
        settled() {
          watched.settled()
          if (before === undefined) return
          cost = budget.total() - before
          before = undefined
          budget.pause(true)
        },
      }
    },
  })
  const snapshot = guarded(() => {
    changes = 0
    shownAt = sinceBegin()
    before = budget.total()
    budget.pause(false)
    clock.adjust()
    tree.snapshot()
    lookForAssets()
  })
  const again = setInterval(() => {
    const pause = Math.max(checkpoint(), cost * checkpointShare)
    if (changes > 0 && !document.hidden && sinceBegin() - shownAt >= pause) snapshot()
  }, checkEvery)
  const find = async () => {
    const { byAddress, faces } = await assets.find()
    const hashes = Object.values(byAddress)
    if (hashes.length === 0) return
    tree.queue((stream) => {
      for (const hash of hashes) writer.use(hash)
      writeNote(stream, { kind: 'assets', byAddress, faces })
    })
  }
  const lookForAssets = () => {
    clearTimeout(looking)
    looking = setTimeout(() => void find().catch(reportFault), findAssetsAfter)
  }
  snapshot()
  return {
    nextNode: tree.nextNode,
    say: (note) => queueNote(tree, note),
    write: tree.queue,
    idOf: (box) => (mask && isOpenBox(box, mask) ? tree.idOf(box) : 0),
    snapshot,
    flush: tree.flush,
    lookForAssets,
    stop: guarded((last?: Note) => {
      clearInterval(again)
      clearTimeout(looking)
      budget.stop()
      tree.stop()
      states?.stop()
      writer.abandon()
      if (last === undefined) return
      writer.begin(clock.now())
      writeNote(writer.stream, last)
      writer.end()
    }),
  }
}

export interface WatchOptions
  extends MaskingOptions,
    Pick<StatesOptions, 'records' | 'clock' | 'measure' | 'onCanvas' | 'onFrame'> {
  assets: Pick<Assets, 'sheetMark'>
  writer: SegmentWriter
  about: NodeIds['about']
  masking: Masking
}

export function watchPage({
  masking,
  about,
  level,
  assets,
  writer,
  ...options
}: WatchOptions): WatchedStates {
  return createStates({
    ...options,
    mask: pageMask(masking, about),
    texts: { clean: sheetCleaner(level), sheetMark: assets.sheetMark, writeMark: writer.writeMark },
  })
}

export const pageMask = (masking: Masking, about: NodeIds['about']): PageMask => ({
  isBlocked: masking.isBlocked,
  isPicture: masking.isPicture,
  value: (field, text) => masking.value(field, text, about(field).context),
  isCheckShown: (field) => masking.isCheckShown(field, about(field).context),
  isIgnored: (node) => (about(node).inside & ignored) > 0,
  isHidden: (element) => (about(element).inside & hidden) > 0,
  isFixed: (element) => (about(element).inside & fixed) > 0,
})
