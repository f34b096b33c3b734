import type { ProfiledFrame } from '../../api/profiles.ts'
import { placeOf, shortPath } from '../../ui/text/script-place.ts'

/** As people wrote it, where the map of its version is known. */
export function nameOf({ function: name, original }: ProfiledFrame): string {
  return original?.function || name || 'anonymous'
}

/** `src/pay.ts:6`; empty for the browser's own. */
export function whereOf(frame: ProfiledFrame): string {
  const { file, line } = frame.original ?? frame
  return file === '' ? '' : placeOf({ file, line, column: 0 })
}

/** `pay.ts:6`: what has room beside a name. */
export function shortWhereOf(frame: ProfiledFrame): string {
  return whereOf(frame).split('/').at(-1) ?? ''
}

/** With its folders. */
export function fileOf(frame: ProfiledFrame): string {
  return shortPath((frame.original ?? frame).file)
}
