// Pictures of canvases and images that the page has marked, in a replay: one a second at most, within a budget of bytes.
// Loaded when such an element is recorded. An image is drawn again as pixels: nothing of its file leaves the page.

import { records } from '@telltale/core/telemetry/replay/codes'
import { guarded, onFault, type ReportFault } from '../browser/guard.ts'
import { createAllowance } from '../replay/allowance.ts'
import type { Capture } from '../replay/capture.ts'
import { createClock } from '../replay/clock.ts'
import type { PageRecords } from '../replay/page-records.ts'
import type { Sampled } from '../sampled.ts'

export interface CanvasOptions {
  idOf: Capture['idOf']
  /** Into the recording. `at`: milliseconds since 1970. */
  write: PageRecords['queue']
  report: ReportFault
}

export interface CanvasPictures extends Sampled {
  /** A canvas or an image that has been written, without its picture. */
  add(element: Element): void
}

type Drawn = HTMLCanvasElement | HTMLImageElement

/** Milliseconds. */
const every = 1_000
/** Of a picture, pixels. */
const longestSide = 800
const quality = 0.5
const elementsAtMost = 40
// Of all of them, in the time of a segment.
const picturesAtMost = 50
const bytesAtMost = 150_000

export function startCanvas({ idOf, write, report }: CanvasOptions): CanvasPictures {
  onFault(report)
  const clock = createClock()
  /** With the last picture; undefined: the replay has none of it. */
  const watched = new Map<Drawn, Uint8Array | undefined>()
  /** Of images, the file whose picture the replay has. */
  const files = new Map<Drawn, string>()
  const allowance = createAllowance(picturesAtMost, bytesAtMost, clock.now)

  const forget = (element: Drawn) => {
    watched.delete(element)
    files.delete(element)
  }
  const record = async (canvas: Drawn) => {
    const at = clock.now()
    const file = fileOf(canvas)
    const picture = await takePicture(canvas)
    // A page that changes the image meanwhile means the next one.
    if (!picture || !watched.has(canvas) || file !== fileOf(canvas)) return
    if (file) files.set(canvas, file)
    const bytes = new Uint8Array(await picture.arrayBuffer())
    if (isSame(bytes, watched.get(canvas))) return
    allowance.spend(bytes.length)
    // To the end: where there is no room for all, each gets its turn.
    watched.delete(canvas)
    watched.set(canvas, bytes)
    write((stream) => {
      const id = idOf(canvas)
      if (!id) return
      stream.byte(records.canvas)
      stream.number(id)
      stream.text(picture.type)
      stream.number(bytes.length)
      stream.bytes(bytes)
    }, at)
  }
  /** A canvas always: only its picture says whether it changed. */
  const isDue = (element: Drawn) => {
    const file = fileOf(element)
    return file === undefined || (file !== '' && file !== files.get(element))
  }
  const recordAll = async () => {
    for (const canvas of [...watched.keys()]) {
      if (!idOf(canvas)) forget(canvas)
      else if (!document.hidden && isDue(canvas) && allowance.isOpen()) {
        // It shows what other sites may not read, or the browser lacks what is needed.
        await record(canvas).catch(() => forget(canvas))
      }
    }
  }
  let isBusy = false
  const look = guarded(() => {
    if (isBusy) return
    isBusy = true
    void recordAll().finally(() => {
      isBusy = false
    })
  })
  const timer = setInterval(look, every)
  return {
    add(element) {
      const drawn = element as Drawn
      files.delete(drawn)
      if (watched.has(drawn) || watched.size < elementsAtMost) watched.set(drawn, undefined)
    },
    note: () => false,
    stop() {
      clearInterval(timer)
      watched.clear()
      files.clear()
    },
  }
}

/** Of an image, empty until it can be drawn. Undefined: a canvas. */
function fileOf(element: Drawn): string | undefined {
  if (element.localName === 'canvas') return undefined
  const { complete, naturalWidth, currentSrc } = element as HTMLImageElement
  return complete && naturalWidth > 0 ? currentSrc : ''
}

/** Undefined: it shows nothing. */
async function takePicture(drawn: Drawn): Promise<Blob | undefined> {
  const { naturalWidth: width = drawn.width, naturalHeight: height = drawn.height } =
    drawn as Partial<HTMLImageElement> & Drawn
  if (width === 0 || height === 0) return undefined
  const scale = Math.min(1, longestSide / Math.max(width, height))
  const size = [Math.ceil(width * scale), Math.ceil(height * scale)] as const
  // WebGL keeps its picture until the end of the frame in which it was drawn.
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const bitmap = await createImageBitmap(drawn, { resizeWidth: size[0], resizeHeight: size[1] })
  const copy = new OffscreenCanvas(...size)
  copy.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap)
  return copy.convertToBlob({ type: 'image/webp', quality })
}

function isSame(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return one.length === other?.length && one.every((byte, index) => byte === other[index])
}
