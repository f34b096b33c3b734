// One picture of a replay: the rebuilt page in a frame without scripts, and the pointer above it. No operation is kept
// after it is applied, so a replay may last hours.

import type { Assets } from './assets.ts'
import { createPointer, type Point } from './pointer.ts'
import { type Json, numberOf, within } from './read-json.ts'
import type { Item, Place } from './read-segment.ts'
import { createRecordedPage } from './recorded-page.ts'
import { createUserMarks } from './user-marks.ts'

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

const largestPage = 10_000
/** Ignore earlier presses. */
const pressShown = 700
/** A focus this long after a press is not its effect. */
const pressFocuses = 500

export function createPicture(root: Element, assets: Assets): Picture {
  const stage = document.createElement('div')
  stage.className = 'stage'
  stage.inert = true
  const view = stage.appendChild(document.createElement('div'))
  view.className = 'view'
  const frame = view.appendChild(document.createElement('iframe'))
  frame.setAttribute('sandbox', 'allow-same-origin')
  frame.tabIndex = -1
  frame.title = 'Recorded page'
  root.append(stage)
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const page = createRecordedPage(frame, { assets, isStill })
  const pointer = createPointer()
  const marks = createUserMarks()
  view.append(pointer.element)
  let size: Size | undefined
  let isBuilt = false
  let pointedAt: number | undefined
  let pressedAt = Number.NEGATIVE_INFINITY

  const resize = ({ width, height }: Json) => {
    // A page that is recorded without a size has that of before.
    if (!numberOf(width) || !numberOf(height)) return
    size = { width: within(width, 1, largestPage), height: within(height, 1, largestPage) }
    frame.style.width = `${size.width}px`
    frame.style.height = `${size.height}px`
    picture.fit()
  }
  const zoom = ({ scale, x, y }: Json) => {
    const [factor, left, top] = [within(scale, 0.1, 20), within(x, -1e5, 1e5), within(y, -1e5, 1e5)]
    view.style.transform = factor === 1 ? '' : `scale(${factor}) translate(${-left}px, ${-top}px)`
  }
  const begin = () => {
    pointer.clear()
    marks.clear()
    pointedAt = undefined
    view.style.transform = ''
  }
  const applyOperation = (operation: Json, at: number) => {
    if (operation.do === 'page' || operation.do === 'viewport') resize(operation)
    if (operation.do === 'page') {
      begin()
      page.apply(operation)
      isBuilt = true
      // Changes of a missing page have no effect.
    } else if (!isBuilt) return
    else if (operation.do === 'zoom') zoom(operation)
    else if (operation.do === 'focus') marks.focus(page.nodeOf(operation.id), at - pressedAt > pressFocuses)
    else page.apply(operation)
  }
  const picture: Picture = {
    reveal: () => stage.classList.add('seen'),
    apply(item, target) {
      if (item.kind === 'operation') {
        try {
          applyOperation(item.operation, item.at)
          return true
        } catch {
          // A failed change only loses its own effect; a page that cannot be built is reported.
          return item.operation.do !== 'page'
        }
      }
      const place = placeOnPage(item.place, page.nodeOf(item.place.node), frame.contentDocument)
      pointer.move(place, item.at)
      pointedAt = item.place.node
      if (item.kind === 'pointer') return true
      pressedAt = item.at
      if (item.isShown && target - item.at < pressShown) pointer.press(place)
      return true
    },
    settle(at) {
      marks.point(page.nodeOf(pointedAt))
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
    close: () => stage.remove(),
  }
  return picture
}

/** Positions are those in the window of a frame. */
function placeOnPage({ x, y }: Place, node: Node | undefined, page: Document | null): Point {
  const place = { x, y }
  for (let owner = node?.ownerDocument; owner && owner !== page; ) {
    const frame: Element | null | undefined = owner.defaultView?.frameElement
    if (!frame) break
    const { left, top } = frame.getBoundingClientRect()
    place.x += left
    place.y += top
    owner = frame.ownerDocument
  }
  return place
}
