// What is shown as a box of its size, because its content is not recorded: pictures, and what the page marks.

import { records as codes, parts, pixelParts } from '@telltale/core/telemetry/replay/codes'
import type { Stream } from './stream.ts'
import type { Watching } from './watching.ts'

const pictures = /^(img|picture|video|audio|canvas|object|embed)$/

export function watchBoxSizes({ records, mask, isFresh }: Watching) {
  const sizes = new WeakMap<Element, readonly [width: number, height: number]>()
  const observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const size = sizeOf(target, borderBoxSize[0])
      const [width, height] = sizes.get(target) ?? []
      if (!target.isConnected) observer.unobserve(target)
      else if (size[0] !== width || size[1] !== height) {
        sizes.set(target, size)
        records.queueState(target, 'box', (stream) => {
          stream.byte(codes.state)
          stream.number(records.idOf(target))
          writeBox(target, stream)
        })
      }
    }
  })
  const isBox = (element: Element) => mask.isBlocked(element) || isPicture(element)
  const writeBox = (element: Element, stream: Stream) => {
    stream.byte(parts.box)
    for (const length of sizes.get(element) ?? [0, 0]) stream.number(length)
  }
  return {
    isBox,
    /** True: it is one. */
    write(element: Element, stream: Stream): boolean {
      if (!isBox(element)) return false
      // Later ones have no size until the page has a layout again: their first one is reported then.
      if (isFresh(element)) sizes.set(element, sizeOf(element))
      writeBox(element, stream)
      observer.observe(element)
      return true
    },
    stop: () => observer.disconnect(),
  }
}

function isPicture(element: Element): boolean {
  const { localName } = element
  if (pictures.test(localName)) return true
  if (localName === 'input') return Object(element).type === 'image'
  if (localName === 'image') return true
  return /^i?frame$/.test(localName) && !documentOf(element)
}

function documentOf(frame: Element): unknown {
  try {
    return Object(frame).contentDocument
  } catch {
    return undefined
  }
}

/** In 64ths: of its border box, without transforms, which the replay applies again. */
function sizeOf(element: Element, box?: ResizeObserverSize): [width: number, height: number] {
  const { width, height } = element.getBoundingClientRect()
  const { offsetWidth = width, offsetHeight = height } = Object(element)
  const exact = (rounded: number, ...lengths: (number | undefined)[]) => {
    const near = lengths.find((length = Number.NaN) => Math.abs(length - rounded) < 1)
    return Math.round((near ?? rounded) * pixelParts)
  }
  return [exact(offsetWidth, width, box?.inlineSize), exact(offsetHeight, height, box?.blockSize)]
}
