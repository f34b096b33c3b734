// Captures the page, masked, within a time budget: a full snapshot first, and further ones at intervals so that
// playback can start there.

import { selectorOf } from '../browser/describe-element.ts'
import { guarded } from '../browser/guard.ts'
import { sinceBegin } from '../browser/time.ts'
import type { Assets } from './assets.ts'
import { watchBoxes } from './boxes.ts'
import { createBudget } from './budget.ts'
import { foldAdded, foldRemoved } from './fold-added.ts'
import { createMask } from './mask.ts'
import type { MaskingOptions } from './masking.ts'
import { type PageEvent, sources, types, type Word } from './page-event.ts'
import { blockMark, blockSelector } from './page-tree.ts'
import { watchPopovers } from './popovers.ts'
import { idOf, nodeOf, type PageRecording, recordPage } from './record-page.ts'

export interface CaptureOptions extends MaskingOptions {
  assets: Pick<Assets, 'sheet' | 'find'>
  /** Interval of playback starting points, milliseconds. */
  checkpoint(): number
  onEvent(event: PageEvent): void
  /** Stopped: the page has no time left for it. */
  onOverBudget(): void
}

export interface Capture {
  say(word: Word): void
  snapshot(): void
  /** Flushes batched changes at once. */
  release(): void
  /** Schedules a search for fonts and style sheets that were added meanwhile. */
  lookForAssets(): void
  /** Adds other time that recording blocked the page, milliseconds. */
  spend(time: number): void
  stop(): void
}

/** Style sheets and fonts of the initial page have loaded by then. */
const findAssetsAfter = 3_000
/** The first snapshot does not count towards the budget. */
const grace = 1_000
const checkEvery = 10_000
/** Of the page's time, all of its checkpoints together: one in so many. */
const checkpointShare = 400

export function startCapture(options: CaptureOptions): Capture {
  const { level, permitsUnmask, rules, assets, checkpoint, onEvent, onOverBudget } = options
  const startedAt = sinceBegin()
  let page: PageRecording | undefined
  let changes = 0
  let shownAt = startedAt
  /** How long the snapshot blocked the page, milliseconds. */
  let cost = 0
  let looking: ReturnType<typeof setTimeout>
  const take = guarded((event: PageEvent) => {
    if (!mask(event)) return
    const { type, data } = event
    if (type === types.change) changes++
    if (type === types.change && data.source === sources.nodes) {
      data.adds = foldAdded(data.adds ?? [])
      data.removes = foldRemoved(data.removes ?? [])
    }
    const following = foldAdopted(event, assets.sheet)
    for (const each of [event, ...following]) onEvent(each)
    lookAtAdopted()
  })
  const lookAtAdopted = watchAdopted()
  const boxes = watchBoxes({ idOf, emit: take })
  const popovers = watchPopovers({ idOf, emit: take })
  const mask = createMask({
    ...{
      level,
      permitsUnmask,
      rules,
      nodeOf,
      sheet: assets.sheet,
      onBox: boxes.add,
      onPopover: popovers.add,
    },
  })
  const say = guarded((word: Word) => page?.say(word))
  const snapshot = guarded(() => {
    changes = 0
    shownAt = sinceBegin()
    page?.snapshot()
    cost = sinceBegin() - shownAt
    lookForAssets()
  })
  const budget = createBudget({
    throttle: () => page?.throttle(),
    block(target) {
      say({ kind: 'blocked', target: selectorOf(target) ?? '' })
      target.setAttribute(blockMark, 'noisy')
      snapshot()
    },
    stop: onOverBudget,
  })
  const onWork = (time: number, records: readonly MutationRecord[]) => {
    if (sinceBegin() - startedAt > grace) budget.spend(time, records)
  }
  page = guarded(recordPage)({ onWork, blocked: blockSelector(rules) }, take)
  cost = sinceBegin() - startedAt

  const again = setInterval(() => {
    const pause = Math.max(checkpoint(), cost * checkpointShare)
    if (changes === 0 || document.hidden || sinceBegin() - shownAt < pause) return
    if ('requestIdleCallback' in globalThis)
      requestIdleCallback(() => snapshot(), { timeout: checkEvery / 2 })
    else snapshot()
  }, checkEvery)
  const find = async () => {
    const { byAddress, faces } = await assets.find()
    if (Object.keys(byAddress).length > 0) say({ kind: 'assets', byAddress, faces })
  }
  const lookForAssets = () => {
    clearTimeout(looking)
    looking = setTimeout(() => void find().catch(() => undefined), findAssetsAfter)
  }
  lookForAssets()
  return {
    say,
    snapshot,
    release: guarded(() => page?.release()),
    lookForAssets,
    spend: (time) => onWork(time, []),
    stop: guarded(() => {
      clearInterval(again)
      clearTimeout(looking)
      budget.stop()
      boxes.stop()
      popovers.stop()
      page?.stop()
      page = undefined
    }),
  }
}

// Constructed style sheets that the page adopted: recorded like all others, once under the hash of their text.

/** What follows the event in place of the rules that stood in it. */
function foldAdopted({ type, data, timestamp }: PageEvent, sheet: (text: string) => unknown): PageEvent[] {
  return (data.styles ?? []).flatMap((style) => {
    const text = style.rules.map(({ rule }) => rule).join('\n')
    const replaceSync = sheet(text)
    // Too short to be worth it, or hashing is unavailable.
    if (typeof replaceSync === 'string') return []
    style.rules = []
    return [{ type, data: { source: sources.rule, styleId: style.styleId, replaceSync }, timestamp }]
  })
}

/** For lists that are mutated in place, which triggers no notification. */
function watchAdopted(): () => void {
  const list = () => document.adoptedStyleSheets ?? []
  let count = list().length
  return () => {
    if (list().length === count) return
    count = list().length
    // The recorder hears of what is set.
    document.adoptedStyleSheets = [...list()]
  }
}
