// The recorder of a page, loaded when its session is recorded: sends its events in segments. In a session outside the
// sample it keeps the last minute, and sends it with what follows after a trigger. While the user is inactive, nothing
// is sent.

import type { EventContext } from '@telltale/core/contract/events'
import { guarded, onFault, type ReportFault } from '../browser/guard.ts'
import { listen } from '../browser/listen.ts'
import type { MonitoringOptions } from '../monitoring.ts'
import type { Sampled } from '../sampled.ts'
import { idleLimit } from '../session.ts'
import type { Server } from '../transport/send.ts'
import { type Capture, type CaptureOptions, startCapture } from './capture.ts'
import { createLookBack, lookBack } from './look-back.ts'
import type { MaskingOptions } from './masking.ts'
import type { Note } from './notes.ts'
import type { Segment } from './segment.ts'
import { createSegmentWriter, type SegmentWriter } from './segment-writer.ts'
import { startAssets } from './start-assets.ts'
import { findTrigger, type TriggerReason, watchSlow } from './triggers.ts'
import { createUpload, type UploadOptions } from './upload.ts'

export interface RecorderOptions extends MaskingOptions {
  server: Server
  /** Otherwise it waits for the triggers in `on`. */
  isSampled: boolean
  on: MonitoringOptions['replayOn']
  origins?: readonly string[] | undefined
  context: EventContext
  onCanvas?: CaptureOptions['onCanvas']
  onFrame?: CaptureOptions['onFrame']
  report: ReportFault
}

/** So often a player may begin: it plays what was before. */
const checkpoint = 120_000

export interface Recorder extends Sampled {
  /** Adds a record of something that is not the page itself. */
  write: Capture['write']
  idOf: Capture['idOf']
  /** What is being written needs the style sheet or the font. */
  use: SegmentWriter['use']
}

export function startRecorder(options: RecorderOptions): Recorder {
  const { level, on, report } = options
  onFault(report)
  let { context } = options
  let isOver = false
  let isWhole = true
  const halt = (why: Extract<Note, { kind: 'stopped' }>['why'], share?: number) => {
    if (isOver) return
    end({ kind: 'stopped', why, ...(share !== undefined && { share }) })
    if (why !== 'refused') report(new Error(`The recorder stopped: ${why}`))
    writer.cut()
  }
  const outlet = createOutlet(options, {
    onLost(isBroken) {
      if (isOver) return
      capture.say({ kind: 'lost' })
      if (isBroken) capture.snapshot()
    },
    onStop: halt,
  })
  const assets = startAssets({ ...options, isHeld: !options.isSampled })
  const writer = createSegmentWriter({
    context: () => context,
    nextNode: () => capture.nextNode(),
    settled: assets.settled,
    onCut: (segment) => !presence.isAway(segment.endedAt) && outlet.push(segment),
  })
  const presence = watchPresence(() => {
    writer.clear()
    capture.snapshot()
  })
  const capture = startCapture({
    ...options,
    assets,
    writer,
    checkpoint: () => (outlet.reason() ? checkpoint : lookBack),
    onStop: halt,
  })
  capture.say({ kind: 'recording', level, reason: outlet.reason() ?? 'look-back' })
  /** Including what is due. */
  const cut = () => {
    capture.flush()
    writer.cut()
  }
  const trigger = guarded((why: TriggerReason) => {
    if (outlet.reason() || isOver) return
    outlet.open(why)
    assets.release()
    capture.lookForAssets()
    cut()
  })
  const stops = [
    on?.includes('slow') ? watchSlow(() => trigger('slow')) : undefined,
    listen(document, 'visibilitychange', () => document.hidden && cut()),
    presence.stop,
    listen<PageTransitionEvent>(globalThis, 'pageshow', ({ persisted }) => {
      if (!persisted) return
      // Other pages of this tab were recorded in between.
      if (!isWhole) capture.say({ kind: 'lost' })
      capture.snapshot()
    }),
  ]
  const unlisten = listen(globalThis, 'pagehide', () => {
    if (!outlet.reason()) return
    if (!isOver) capture.flush()
    isWhole = writer.cutNow()
    outlet.exit()
  })
  const end = (last?: Note) => {
    isOver = true
    for (const stop of stops) stop?.()
    capture.stop(last)
  }
  return {
    note(event, next) {
      if (event.kind === 'view' && next.view !== context.view) {
        writer.cut()
        capture.lookForAssets()
      }
      context = next
      presence.note()
      const why = outlet.reason() ? undefined : findTrigger(event, next, on)
      if (why) trigger(why)
      return !!outlet.reason() && !isOver
    },
    idOf: (box) => (isOver ? 0 : capture.idOf(box)),
    use: writer.use,
    write: (...record) => (isOver ? undefined : capture.write(...record)),
    stop(sendsRest) {
      // The page stays open: there is time to compress.
      if (sendsRest) cut()
      else {
        unlisten()
        outlet.clear()
        assets.stop()
        writer.clear()
      }
      end()
    },
  }
}

/** Segments wait for a trigger, or are sent. */
function createOutlet({ server, isSampled }: RecorderOptions, on: Pick<UploadOptions, 'onLost' | 'onStop'>) {
  let reason: 'sampled' | TriggerReason | undefined = isSampled ? 'sampled' : undefined
  const kept = createLookBack(Date.now)
  const { push, exit, clear } = createUpload(server, { ...on, reason: () => reason ?? 'sampled' })
  return {
    exit,
    clear,
    /** Undefined: it waits. */
    reason: () => reason,
    open(why: TriggerReason) {
      reason = why
      kept.take().forEach(push)
    },
    push(segment: Segment) {
      if (reason) push(segment)
      else kept.add(segment)
    },
  }
}

// Whether the session is active: after inactivity as long as the session timeout, a page sends nothing until the user
// returns.
interface Presence {
  /** At this time, milliseconds since 1970. */
  isAway(at: number): boolean
  /** Something happened that belongs to the session. */
  note(): void
  stop(): void
}

function watchPresence(onReturn: () => void): Presence {
  let usedAt = Date.now()
  let wasAway = false
  const note = () => {
    usedAt = Date.now()
    if (!wasAway) return
    wasAway = false
    onReturn()
  }
  return {
    isAway(at) {
      wasAway ||= at - usedAt > idleLimit
      return wasAway
    },
    note,
    stop: listen(globalThis, 'pointerdown keydown scroll', note),
  }
}
