// The viewport of the page and its life: hidden, frozen, restored.

import { records as codes } from '@telltale/core/telemetry/replay/codes'
import { type PageLife, queueNote } from './notes.ts'
import { writePoint } from './pointer.ts'
import type { Watching } from './watching.ts'

export function watchPageLife({ records, clock, listen }: Watching): { writeZoom(): void } {
  const viewport = globalThis.visualViewport
  const say = (kind: PageLife, { timeStamp }: Event) => queueNote(records, { kind }, clock.at(timeStamp))
  let isQueued = false
  const queueZoom = () => {
    if (isQueued || !viewport) return
    isQueued = true
    records.queue((stream) => {
      isQueued = false
      const { scale, offsetLeft: x, offsetTop: y } = viewport
      stream.byte(codes.zoom)
      stream.number(Math.round(scale * 1_000))
      writePoint(stream, { x, y })
    })
  }
  listen(globalThis.window, 'resize', () =>
    records.queueState(document, 'viewport', (stream) => {
      stream.byte(codes.viewport)
      stream.number(innerWidth)
      stream.number(innerHeight)
    }),
  )
  listen(viewport ?? null, 'resize scroll', queueZoom)
  listen(document, 'visibilitychange', (event) => say(document.hidden ? 'hidden' : 'shown', event))
  listen(document, 'freeze resume', (event) => say(event.type === 'freeze' ? 'frozen' : 'resumed', event))
  listen(document, 'prerenderingchange', (event) => say('activated', event))
  listen<PageTransitionEvent>(globalThis.window, 'pageshow', (event) => {
    if (event.persisted) say('restored', event)
  })
  return {
    /** The zoom is part of no snapshot. */
    writeZoom() {
      if (viewport && viewport.scale !== 1) queueZoom()
    },
  }
}
