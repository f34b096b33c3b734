import type { Frame } from '../../../api/issues.ts'
import { stackText } from '../../../ui/stack-text.ts'

export type FrameGroup =
  | { readonly kind: 'own'; readonly index: number; readonly frame: Frame }
  /** Consecutive library frames, folded into one line. */
  | { readonly kind: 'folded'; readonly index: number; readonly frames: readonly Frame[] }

/** Code outside the project: packages, extensions and browser internals. */
export function isLibrary({ original, file, why }: Frame): boolean {
  if (why === 'no-script' || why === 'third-party') return true
  const path = original?.file ?? file
  return /(^|\/)node_modules\/|(^|[/.-])vendors?[./~-]|^[a-z-]+-extension:|^webpack\/(bootstrap|runtime)/i.test(
    path,
  )
}

/** The frames in order, with adjacent library frames folded. A single one stays a line. */
export function foldFrames(frames: readonly Frame[]): FrameGroup[] {
  const groups: FrameGroup[] = []
  for (const [index, frame] of frames.entries()) {
    const last = groups.at(-1)
    if (!isLibrary(frame)) groups.push({ kind: 'own', index, frame })
    else if (last?.kind === 'folded') groups[groups.length - 1] = { ...last, frames: [...last.frames, frame] }
    else groups.push({ kind: 'folded', index, frames: [frame] })
  }
  return groups
}

/** The stack trace as text, with original positions where they are known. */
export function stackAsText(title: string, frames: readonly Frame[]): string {
  const shown = frames.map((frame) => {
    const { file, line, column } = frame.original ?? frame
    return { function: frame.original?.function || frame.function, file, line, column }
  })
  return stackText(title, shown)
}
