// Rebuilds one page with rrweb's replayer, in a separate frame without scripts. The replayer gets each event
// when it is due and keeps none, so a replay may last hours.

import { Replayer } from '@rrweb/replay'
import type { eventWithTime } from '@rrweb/types'
import { popoverMark } from './allowed.ts'
import type { Assets } from './assets.ts'
import { createCleanser, sizeOf } from './cleanse-event.ts'
import { createPointer } from './pointer.ts'
import { isObject } from './read-json.ts'
import type { Item, Place } from './read-segment.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Picture {
  /** Hidden until it is shown. */
  reveal(): void
  /** False when a whole page could not be built. */
  apply(item: Item, target: number): boolean
  /** After all events up to this moment. */
  settle(at: number): void
  readonly size: Size | undefined
  readonly isBuilt: boolean
  fit(): void
  close(): void
}

const page = 2
/** The replayer requires a first event as its time origin; it is never shown. */
const nothing: eventWithTime = { type: 5, data: { tag: 'begin', payload: null }, timestamp: 0 }
/** Ignore earlier presses. */
const pressShown = 700
const always = [
  'html, body, * { scroll-behavior: auto !important; }',
  // Without scripts, a canvas shows its fallback content instead of a box.
  ':where(canvas) { display: inline-block; }',
]
const withoutMotion =
  '*, *::before, *::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important; transition: none !important; }'

export function createPicture(root: Element, assets: Assets): Picture {
  const stage = document.createElement('div')
  stage.className = 'stage'
  stage.inert = true
  root.append(stage)
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const replayer = new Replayer([nothing], {
    ...{ root: stage, liveMode: true, useVirtualDom: false, mouseTail: false, triggerFocus: false },
    ...{ showWarning: false, showDebug: false, pauseAnimation: false, UNSAFE_replayCanvas: false },
    insertStyleRules: isStill ? [...always, withoutMotion] : always,
  })
  replayer.iframe.tabIndex = -1
  replayer.iframe.title = 'Recorded page'
  // The public method runs on its own timer and keeps every event.
  // biome-ignore lint/complexity/useLiteralKeys: the member is private, and the package version is pinned
  const toCast: (event: eventWithTime, isSync: boolean) => () => void = replayer['getCastFn']
  const cleanser = createCleanser(assets)
  const pointer = createPointer()
  stage.append(pointer.element)
  let size: Size | undefined
  let isBuilt = false

  const placeOnPage = ({ x, y, node }: Place) => {
    const owner = replayer.getMirror().getNode(node)?.ownerDocument
    const frame = owner === replayer.iframe.contentDocument ? null : owner?.defaultView?.frameElement
    if (!frame) return { x, y }
    const { left, top } = frame.getBoundingClientRect()
    return { x: x + left, y: y + top }
  }
  const applyEvent = (item: Item & { kind: 'event' }) => {
    const isPage = item.event.type === page
    try {
      const event = cleanser.cleanse(item.event)
      if (event === undefined) return !isPage
      // Changes of a missing page have no effect.
      if (!isBuilt && event.type === 3) return true
      if (isPage) pointer.clear()
      toCast(event, true)()
      if (isPage) {
        isBuilt = true
        for (const face of assets.faces()) replayer.iframe.contentDocument?.fonts.add(face)
      }
      measure(event)
      return true
    } catch {
      // A failed change only loses its own effect; a page that cannot be built is reported.
      return !isPage
    }
  }
  const measure = ({ type, data }: eventWithTime) => {
    const isSize = type === 4 || (type === 3 && data.source === 4)
    if (!isSize || !isObject(data)) return
    size = sizeOf(data)
    picture.fit()
  }
  const picture: Picture = {
    reveal: () => stage.classList.add('seen'),
    apply(item, target) {
      if (item.kind === 'event') return applyEvent(item)
      const place = placeOnPage(item.place)
      pointer.move(place, item.at)
      if (item.kind === 'press' && target - item.at < pressShown) pointer.press(place)
      return true
    },
    settle(at) {
      for (const id of cleanser.popovers()) showPopover(replayer.getMirror().getNode(id))
      pointer.draw(at)
    },
    get size() {
      return size
    },
    get isBuilt() {
      return isBuilt
    },
    fit() {
      if (size === undefined) return
      const scale = Math.min(innerWidth / size.width, innerHeight / size.height)
      const left = (innerWidth - size.width * scale) / 2
      stage.style.width = `${size.width}px`
      stage.style.height = `${size.height}px`
      stage.style.transform = `translate(${left}px, 0) scale(${scale})`
    },
    close() {
      replayer.destroy()
      stage.remove()
    },
  }
  return picture
}

/** As recorded; the page's native rules would close others. */
function showPopover(node: Node | null): void {
  const element = node as HTMLElement | null
  if (!element?.isConnected || typeof element.showPopover !== 'function') return
  try {
    element.togglePopover(element.hasAttribute(popoverMark))
  } catch {
    // It is no longer a popover, or is an open dialog.
  }
}
