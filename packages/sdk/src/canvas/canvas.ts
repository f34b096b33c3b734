// Pictures of canvases that the page has marked, in a replay: one a second at most, within a budget of bytes. Loaded
// when such a canvas is recorded.

import { records } from '@telltale/core/telemetry/replay/codes'
import { guarded, onFault, type ReportFault } from '../browser/guard.ts'
import { createAllowance } from '../replay/allowance.ts'
import { createClock } from '../replay/clock.ts'
import type { PageRecords } from '../replay/page-records.ts'
import type { Sampled } from '../sampled.ts'

export interface CanvasOptions {
  idOf: PageRecords['idOf']
  /** Into the recording. `at`: milliseconds since 1970. */
  write: PageRecords['queue']
  report: ReportFault
}

export interface CanvasPictures extends Sampled {
  /** It has been written, without its picture. */
  add(canvas: Element): void
}

/** Milliseconds. */
const every = 1_000
/** Of a picture, pixels. */
const longestSide = 800
const quality = 0.5
const canvasesAtMost = 20
// Of all canvases, in the time of a segment.
const picturesAtMost = 50
const bytesAtMost = 150_000

export function startCanvas({ idOf, write, report }: CanvasOptions): CanvasPictures {
  onFault(report)
  const clock = createClock()
  /** With the last picture; undefined: the replay has none of it. */
  const watched = new Map<HTMLCanvasElement, Uint8Array | undefined>()
  const allowance = createAllowance(picturesAtMost, bytesAtMost, clock.now)

  const record = async (canvas: HTMLCanvasElement) => {
    const at = clock.now()
    const picture = await takePicture(canvas)
    if (!picture || !watched.has(canvas)) return
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
  const recordAll = async () => {
    for (const canvas of [...watched.keys()]) {
      if (!idOf(canvas)) watched.delete(canvas)
      else if (!document.hidden && allowance.isOpen()) {
        // It shows what other sites may not read, or the browser lacks what is needed.
        await record(canvas).catch(() => watched.delete(canvas))
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
      const canvas = element as HTMLCanvasElement
      if (watched.has(canvas) || watched.size < canvasesAtMost) watched.set(canvas, undefined)
    },
    note: () => false,
    stop() {
      clearInterval(timer)
      watched.clear()
    },
  }
}

/** Undefined: it shows nothing. */
async function takePicture(canvas: HTMLCanvasElement): Promise<Blob | undefined> {
  const { width, height } = canvas
  if (width === 0 || height === 0) return undefined
  const scale = Math.min(1, longestSide / Math.max(width, height))
  const size = [Math.ceil(width * scale), Math.ceil(height * scale)] as const
  // WebGL keeps its picture until the end of the frame in which it was drawn.
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const bitmap = await createImageBitmap(canvas, { resizeWidth: size[0], resizeHeight: size[1] })
  const copy = new OffscreenCanvas(...size)
  copy.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap)
  return copy.convertToBlob({ type: 'image/webp', quality })
}

function isSame(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return one.length === other?.length && one.every((byte, index) => byte === other[index])
}
