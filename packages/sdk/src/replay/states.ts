// What the attributes and children of elements do not say: fields, scrolling, dialogs, media, style sheets, and where
// the pointer is. Writes it with each element, and its changes as they happen.

import { records as codes, parts } from '@telltale/core/telemetry/replay/codes'
import { hook } from '../browser/hook.ts'
import { listen } from '../browser/listen.ts'
import { watchBoxSizes } from './box-sizes.ts'
import type { Clock } from './clock.ts'
import { watchFields } from './fields.ts'
import { documentOf, nameOf, rootOf } from './natives.ts'
import { watchOpenStates } from './open-states.ts'
import { watchPageLife } from './page-life.ts'
import type { PageRecords, PageStates } from './page-records.ts'
import { watchPointer } from './pointer.ts'
import { watchScrolling } from './scrolling.ts'
import type { SheetTexts } from './sheet-writer.ts'
import { watchSheets } from './sheets.ts'
import type { Stream } from './stream.ts'
import { originOf, type PageMask, type PageWindow, type Watching } from './watching.ts'

export interface StatesOptions {
  records: PageRecords
  clock: Clock
  mask: PageMask
  texts: SheetTexts
  /** Counts the time of it towards the budget. */
  measure?(run: () => void): void
  /** A canvas or an image was written that the page wants in the replay. */
  onCanvas?: ((canvas: Element) => void) | undefined
  /** A frame of another origin was written, as a box. */
  onFrame?: ((frame: Element, mask: FrameMask) => void) | undefined
}

/** What the page wants masked in a frame; read by another part, so that its names stay. */
export interface FrameMask {
  isMasked: boolean
  isFixed: boolean
}

export interface WatchedStates extends PageStates {
  /** From now on without positions of the pointer, and with fewer of scrolling. */
  thin(): void
  stop(): void
}

type Root = Document | ShadowRoot

export function createStates({
  texts,
  onCanvas,
  onFrame,
  measure = (run) => run(),
  ...options
}: StatesOptions): WatchedStates {
  const { records } = options
  const stops: (() => void)[] = []
  const fresh = new Set<unknown>()
  const watched = new WeakSet<object>()
  const watching: Watching = {
    ...options,
    ...stoppable(stops, measure),
    isFresh: (node) => fresh.size > 0 && (fresh.has(documentOf(node) ?? node) || fresh.has(rootOf(node))),
  }
  const fields = watchFields(watching)
  const opens = watchOpenStates(watching)
  const boxes = watchBoxSizes(watching)
  const scrolling = watchScrolling(watching)
  const pointer = watchPointer(watching)
  const life = watchPageLife(watching)
  const sheets = watchSheets(watching, texts)
  const custom = watchCustomElements(records)

  const onEvent = (event: Event) => {
    const node = originOf(event)
    if (event.type === 'scroll') return node && scrolling.changed(node)
    if (node?.nodeType !== 1) return
    const element = node as Element
    switch (event.type) {
      case 'input':
      case 'change':
        return fields.changed(element)
      case 'reset':
        return fields.reset(element)
      case 'toggle':
      case 'close':
        return opens.changed(element)
      case 'load':
        // An image may get its file when it is in view.
        if (element.localName === 'img') offer(element, options.mask, { onCanvas })
        return sheets.loaded(element)
      default:
        return queuePlaying(element, records)
    }
  }
  const listenTo = (root: Root) => {
    if (watched.has(root)) return
    watched.add(root)
    // Of elements, which do not bubble; those of documents as far out as possible: a page may stop their propagation.
    const { defaultView } = Object(root)
    watching.listen(defaultView ?? root, 'scroll input change toggle close play pause reset', onEvent)
    watching.listen(root, 'load', onEvent)
    if (!defaultView || watched.has(defaultView)) return
    watched.add(defaultView)
    for (const each of [fields, opens, sheets]) each.hookWindow(defaultView as PageWindow)
    pointer.listen(defaultView)
  }
  return {
    write(element, stream) {
      const isBox = boxes.write(element, stream)
      if (isBox) offer(element, options.mask, { onCanvas, onFrame })
      if (/^(video|audio)$/.test(element.localName)) writePlaying(element, stream)
      if (isBox) return true
      fields.write(element, stream)
      scrolling.write(element, stream)
      opens.write(element, stream)
      sheets.write(element, stream)
      custom.write(element, stream)
      return false
    },
    writeRoot(root, stream) {
      if (!watched.has(root)) fresh.add(root)
      listenTo(root)
      if (root.nodeType === 9) {
        const page = root as Document
        if (page.compatMode === 'BackCompat') stream.byte(parts.quirks)
        scrolling.write(page, stream)
        if (page === document) {
          life.writeZoom()
          pointer.writeFocus(page)
        }
      }
      sheets.writeRoot(root, stream)
      custom.add(root)
    },
    rearranged(found) {
      for (const each of [fields, opens, sheets]) each.rearranged(found)
    },
    isBox: boxes.isBox,
    writeText: sheets.writeText,
    listen: listenTo,
    settled: () => fresh.clear(),
    thin() {
      pointer.thin()
      scrolling.thin()
    },
    stop() {
      for (const stop of [...stops, boxes.stop, scrolling.stop]) stop()
    },
  }
}

/** What is listened to and hooked is undone by `stops`. */
function stoppable(
  stops: (() => void)[],
  measure: (run: () => void) => void,
): Pick<Watching, 'listen' | 'hook'> {
  return {
    listen(target, types, onEvent) {
      if (target) stops.push(listen(target, types, (event) => measure(() => onEvent(event as never))))
    },
    hook: (each) => stops.push(hook(each)),
  }
}

/** To what records its content, if that may be recorded. */
function offer(
  box: Element,
  mask: PageMask,
  { onCanvas, onFrame }: Pick<StatesOptions, 'onCanvas' | 'onFrame'>,
): void {
  if (isOpenPicture(box, mask)) onCanvas?.(box)
  else if (isOpenFrame(box, mask))
    onFrame?.(box, { isMasked: mask.isHidden(box), isFixed: mask.isFixed(box) })
}

/** The content of it may be recorded. */
export const isOpenBox = (element: Element, mask: PageMask) =>
  isOpenPicture(element, mask) || isOpenFrame(element, mask)

const isOpenFrame = (element: Element, { isBlocked }: PageMask) =>
  element.localName === 'iframe' && !isBlocked(element)

/** Wanted by the page, and not in a part that is masked. */
const isOpenPicture = (element: Element, { isPicture, isBlocked, isHidden }: PageMask) =>
  isPicture(element) && !isBlocked(element) && !isHidden(element)

function writePlaying(element: Element, stream: Stream): void {
  const { paused } = Object(element)
  if (paused === false) stream.byte(parts.playing)
}

function queuePlaying(element: Element, records: PageRecords): void {
  records.queueState(element, 'playing', (stream) => {
    stream.byte(codes.state)
    stream.number(records.idOf(element))
    stream.byte(Object(element).paused ? parts.paused : parts.playing)
  })
}

/** Custom elements look different once their class is defined. */
function watchCustomElements(records: PageRecords) {
  const awaited = new WeakMap<object, Set<string>>()
  const added = new WeakSet<Root>()
  let roots: WeakRef<Root>[] = []
  const isDefined = (element: Element) => element.matches(':defined')
  const defined = (name: string) => {
    roots = roots.filter((each) => each.deref())
    for (const root of roots)
      for (const element of root.deref()?.querySelectorAll(name) ?? []) {
        if (!isDefined(element)) continue
        records.queueState(element, 'defined', (stream) => {
          stream.byte(codes.state)
          stream.number(records.idOf(element))
          stream.byte(parts.defined)
        })
      }
  }
  return {
    add(root: Root) {
      if (!added.has(root)) roots.push(new WeakRef(root))
      added.add(root)
    },
    write(element: Element, stream: Stream) {
      const { ownerDocument } = element
      const localName = nameOf(element)
      if (!localName.includes('-')) return
      if (isDefined(element)) return stream.byte(parts.defined)
      const registry = ownerDocument.defaultView?.customElements
      if (!registry) return
      const names = awaited.get(registry) ?? new Set()
      awaited.set(registry, names)
      if (names.has(localName)) return
      names.add(localName)
      // Not every name with a hyphen is a valid one.
      registry.whenDefined(localName).then(
        () => defined(localName),
        () => undefined,
      )
    },
  }
}
