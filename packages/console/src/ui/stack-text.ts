import { placeOf } from './text/script-place.ts'

interface StackFrame {
  readonly function: string
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A stack as text, as browsers write them. */
export function stackText(title: string, frames: readonly StackFrame[]): string {
  const lines = frames.map(({ function: name, ...place }) =>
    name === '' ? `    at ${placeOf(place)}` : `    at ${name} (${placeOf(place)})`,
  )
  return [title, ...lines].join('\n')
}
