import type { ProfiledFrame } from '../../api/profiles.ts'
import { locationText, shortPath } from '../../ui/text/script-place.ts'

/** The original names, where the source map of the release is known. */
export function nameOf({ function: name, original }: ProfiledFrame): string {
  return original?.function || name || 'anonymous'
}

/** `src/pay.ts:6`; empty for native functions. */
export function whereOf(frame: ProfiledFrame): string {
  const { file, line } = frame.original ?? frame
  return file === '' ? '' : locationText({ file, line, column: 0 })
}

/** `pay.ts:6`: short enough to fit beside a name. */
export function shortWhereOf(frame: ProfiledFrame): string {
  return whereOf(frame).split('/').at(-1) ?? ''
}

/** With its folders. */
export function fileOf(frame: ProfiledFrame): string {
  return shortPath((frame.original ?? frame).file)
}
