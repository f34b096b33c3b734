// Maps functions of profiles to the original code, by the source maps of their version.

import type { ProfiledFrame } from '@telltale/core/contract/profiles'
import { readFrameText } from '@telltale/core/telemetry/fold-profile'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'

export interface FrameOfVersion {
  /** The text in the dictionary of stacks. */
  text: string
  version: string
}

/** In the given order. */
export async function mapProfile(
  mapper: StackMapper,
  projectId: string,
  { frames, page = '' }: { frames: readonly FrameOfVersion[]; page?: string | undefined },
): Promise<ProfiledFrame[]> {
  const read = frames.map(({ text }) => readFrameText(text))
  // One stack per version, because maps are looked up by version.
  const places = new Map<string, number[]>()
  for (const [index, { version }] of frames.entries()) {
    places.set(version, [...(places.get(version) ?? []), index])
  }
  const versions = [...places]
  const mapped = await mapper.map(
    projectId,
    versions.map(([version, indexes]) => ({
      version,
      page,
      places: 'functions' as const,
      frames: indexes.map((index) => {
        const { name = '', file = '', line = 0, column = 0 } = read[index] ?? {}
        return { function: name, file, line, column }
      }),
    })),
  )
  const found: ProfiledFrame[] = []
  for (const [place, [, indexes]] of versions.entries()) {
    for (const [at, index] of indexes.entries()) {
      const frame = mapped[place]?.[at]
      if (frame === undefined) continue
      const { function: name, file, line, column, original } = frame
      found[index] = {
        function: name,
        file,
        line,
        column,
        version: frames[index]?.version ?? '',
        original: original && {
          function: original.function,
          file: original.file,
          line: original.line,
          column: original.column,
        },
      }
    }
  }
  return found
}

export const isMapped = (frames: readonly ProfiledFrame[]) => frames.some(({ original }) => original !== null)
