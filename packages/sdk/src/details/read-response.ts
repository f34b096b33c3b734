// Reads the beginning of a copy of a body, beside the page, which reads its own.

import { readAtMost } from './bodies.ts'

/** A body that goes on for longer is not waited for: the page may want to close it. */
const patience = 10_000

export interface ReadText {
  text: string
  size: number
  isCut: boolean
}

export async function readText(copy: Body): Promise<ReadText> {
  const reader = copy.body?.getReader()
  if (!reader) return { text: '', size: 0, isCut: false }
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  let isCut = false
  const stop = () => {
    isCut = true
    reader.cancel().catch(() => undefined)
  }
  const timer = setTimeout(stop, patience)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.byteLength
      text += decoder.decode(value, { stream: true })
      if (size > readAtMost) {
        stop()
        break
      }
    }
  } finally {
    clearTimeout(timer)
  }
  return { text: text.slice(0, readAtMost), size, isCut }
}
