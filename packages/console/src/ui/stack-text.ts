import { locationText } from './text/script-place.ts'

interface StackFrame {
  readonly function: string
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A stack trace as text, in the format of browsers. */
export function stackText(title: string, frames: readonly StackFrame[]): string {
  const lines = frames.map(({ function: name, ...place }) =>
    name === '' ? `    at ${locationText(place)}` : `    at ${name} (${locationText(place)})`,
  )
  return [title, ...lines].join('\n')
}
