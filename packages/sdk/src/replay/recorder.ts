// The recorder of a page, loaded when its session is recorded: what it shows goes out in segments. In a session that is not
// in the sample it keeps the last minute, and sends it with what follows when something happens.

import type { EventContext } from '@telltale/core/contract/events'
import type { Sampled } from '../boot/sampled.ts'
import { listen } from '../browser/listen.ts'
import { guarded } from '../guard.ts'
import type { MonitoringOptions } from '../monitoring.ts'
import type { PrivacyLevel } from '../settings.ts'
import type { Server } from '../transport/send.ts'
import { type Asset, createAssets } from './assets.ts'
import { startCapture } from './capture.ts'
import { createLookBack, lookBack } from './look-back.ts'
import type { Word } from './page-event.ts'
import { createSegments } from './segments.ts'
import { findTrigger, type TriggerReason, watchSlow } from './triggers.ts'
import { createUpload } from './upload.ts'

export interface RecorderOptions {
  server: Server
  level: PrivacyLevel
  /** Otherwise it waits for what `on` names. */
  isSampled: boolean
  on: MonitoringOptions['replayOn']
  context: EventContext
}

/** So often a player may begin: it plays what was before. */
const checkpoint = 120_000

export function startRecorder({ server, level, isSampled, on, context: first }: RecorderOptions): Sampled {
  let context = first
  let reason: 'sampled' | TriggerReason | undefined = isSampled ? 'sampled' : undefined
  let isOver = false
  const kept = createLookBack(Date.now)

  const halt = (why: Extract<Word, { kind: 'stopped' }>['why']) => {
    if (isOver) return
    capture.say({ kind: 'stopped', why })
    segments.cut()
    end()
  }
  const upload = createUpload(server, {
    reason: () => reason ?? 'sampled',
    onLost() {
      capture.say({ kind: 'lost' })
      capture.snapshot()
    },
    onStop: halt,
  })
  // Nothing at all is sent before something happened.
  const held: Asset[] = []
  const assets = createAssets({
    ...{ key: server.key, fetch: server.fetch },
    send: async (asset) => (reason ? upload.asset(asset) : held.push(asset) < 0),
    onUse: (hash) => segments.use(hash),
  })
  const segments = createSegments({
    context: () => context,
    settled: assets.settled,
    onWork: (time) => capture.spend(time),
    onCut: (segment) => (reason ? upload.push(segment) : kept.add(segment)),
  })
  const capture = startCapture({
    ...{ level, assets, checkpoint: () => (reason ? checkpoint : lookBack) },
    onEvent: (event) => !isOver && segments.add(event),
    onOverBudget: () => halt('over-budget'),
  })
  capture.say({ kind: 'recording', level, reason: reason ?? 'look-back' })

  const trigger = guarded((why: TriggerReason) => {
    if (reason || isOver) return
    reason = why
    kept.take().forEach(upload.push)
    held.splice(0).forEach(upload.asset)
    segments.cut()
  })
  const leave = () => {
    if (!reason || isOver) return
    segments.cutNow()
    upload.exit()
  }
  const stops = [
    on?.includes('slow') ? watchSlow(() => trigger('slow')) : undefined,
    listen(document, 'visibilitychange', () => document.hidden && segments.cut()),
    listen(globalThis, 'pagehide', leave),
  ]
  const end = () => {
    isOver = true
    for (const stop of [...stops, capture.stop]) stop?.()
  }
  return {
    note(event, next) {
      if (event.kind === 'view' && next.view !== context.view) segments.cut()
      context = next
      const why = reason ? undefined : findTrigger(event, next, on)
      if (why) trigger(why)
      return !!reason && !isOver
    },
    stop(sendsRest) {
      if (sendsRest) leave()
      else upload.clear()
      segments.clear()
      end()
    },
  }
}
