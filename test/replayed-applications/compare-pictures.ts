// How far two screenshots differ, compared by the browser.

import type { Page } from '@playwright/test'

export interface Comparison {
  /** Part of all pixels, from 0 to 1. */
  differing: number
  /** The differing pixels in red, PNG. */
  picture: Buffer
}

/** Of 255, in one channel: less is not visible. */
const visible = 24

/** `page` may show anything: it only computes. */
export async function comparePictures(page: Page, one: Buffer, other: Buffer): Promise<Comparison> {
  const { differing, picture } = await page.evaluate(
    async ([one, other, visible]) => {
      const read = async (data: string) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
        const canvas = Object.assign(document.createElement('canvas'), {
          width: bitmap.width,
          height: bitmap.height,
        })
        const context = canvas.getContext('2d')
        if (!context) throw new Error('no canvas')
        context.drawImage(bitmap, 0, 0)
        return { canvas, context, pixels: context.getImageData(0, 0, canvas.width, canvas.height) }
      }
      const [left, right] = [await read(one), await read(other)]
      const channels = left.pixels.data
      let count = 0
      for (let at = 0; at < channels.length; at += 4) {
        const differs = [0, 1, 2].some(
          (channel) =>
            Math.abs((channels[at + channel] ?? 0) - (right.pixels.data[at + channel] ?? 0)) > visible,
        )
        if (differs) count++
        channels.set(differs ? [255, 0, 0, 255] : [255, 255, 255, 255], at)
      }
      left.context.putImageData(left.pixels, 0, 0)
      const [, picture = ''] = left.canvas.toDataURL().split(',', 2)
      return { differing: count / (channels.length / 4), picture }
    },
    [one.toString('base64'), other.toString('base64'), visible] as const,
  )
  return { differing, picture: Buffer.from(picture, 'base64') }
}
