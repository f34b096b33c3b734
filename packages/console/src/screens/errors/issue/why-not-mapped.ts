import type { Frame } from '../../../api/issues.ts'
import { shortPath } from '../../../ui/text/script-place.ts'
import { isLibrary } from './fold-frames.ts'

/** Scripts for which a source map would resolve frames. */
const beyondHelp = new Set(['no-script', 'third-party', 'inline'])

interface UnmappedScript {
  /** Its path on the site. */
  readonly file: string
  readonly frames: number
  /** A full sentence. */
  readonly why: string
  /** The closest match among the uploaded maps. */
  readonly nearest: Frame['nearest']
}

interface Known {
  version: string
  nearest: Frame['nearest']
}

const sentences: Readonly<Record<string, (known: Known) => string>> = {
  'no-script': () => 'Browser code, without a script.',
  inline: () => 'The script is inline in the page and has no map.',
  'third-party': () => 'The script is from another site or a browser extension.',
  'not-uploaded': () => 'No source map has been uploaded for this script.',
  'other-path': ({ nearest }) =>
    `The uploaded map is for a different folder${nearest ? `: ${nearest.file}` : ''}.`,
  'other-build': ({ nearest }) =>
    `The uploaded map is for a different build${nearest ? `: ${nearest.file}` : ''}.`,
  'other-version': ({ version, nearest }) =>
    `This error is from ${versionText(version)}, but the uploaded map is for ${versionText(nearest?.version ?? '')}.`,
  'no-line': () => 'The map ends before this line, so it is for a different build.',
  'no-position': () => 'The map has no entry for this position, so it is for a different build.',
}

const versionText = (version: string) => (version === '' ? 'no version' : `version ${version}`)

/** Why one frame is shown minified. */
export function whyNot({ why, nearest }: Frame, version: string): string {
  return sentences[why ?? '']?.({ version, nearest }) ?? 'No source map covers this position.'
}

/** The missing maps by script, in stack order. Those of packages only if there are no others. */
export function unmappedScripts(frames: readonly Frame[], version: string): UnmappedScript[] {
  const scripts = new Map<string, UnmappedScript>()
  const lacking = frames.filter(({ why }) => why !== null && !beyondHelp.has(why))
  const isHelped = frames.some(({ original }) => original !== null)
  const own = lacking.filter((frame) => !isLibrary(frame))
  for (const frame of own.length > 0 || isHelped ? own : lacking) {
    const file = shortPath(frame.file)
    const known = scripts.get(file)
    scripts.set(
      file,
      known
        ? { ...known, frames: known.frames + 1 }
        : { file, frames: 1, why: whyNot(frame, version), nearest: frame.nearest },
    )
  }
  return [...scripts.values()]
}
