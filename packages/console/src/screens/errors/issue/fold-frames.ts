import type { Frame } from '../../../api/issues.ts'
import { stackText } from '../../../ui/stack-text.ts'

export type FrameGroup =
  | { readonly kind: 'own'; readonly index: number; readonly frame: Frame }
  /** Code of others in a row, folded into one line. */
  | { readonly kind: 'folded'; readonly index: number; readonly frames: readonly Frame[] }

/** Code that the team did not write: packages, extensions, and the browser's own. */
export function isLibrary({ original, file, why }: Frame): boolean {
  if (why === 'no-script' || why === 'third-party') return true
  const path = original?.file ?? file
  return /(^|\/)node_modules\/|(^|[/.-])vendors?[./~-]|^[a-z-]+-extension:|^webpack\/(bootstrap|runtime)/i.test(
    path,
  )
}

/** The frames in their order, with neighbours of libraries together. One of them alone stays a line of its own. */
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

/** The stack as text, with the code as it was written where it is known. */
export function stackAsText(title: string, frames: readonly Frame[]): string {
  const shown = frames.map((frame) => {
    const { file, line, column } = frame.original ?? frame
    return { function: frame.original?.function || frame.function, file, line, column }
  })
  return stackText(title, shown)
}
