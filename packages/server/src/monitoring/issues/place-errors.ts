// Where errors are thrown, in the original code: the keys that identify an issue, and the culprit shown in
// lists.

import {
  isLibrary,
  mappedErrorGroup,
  namedErrorGroup,
  type PlacedFrame,
} from '@telltale/core/telemetry/error-group'
import {
  formerErrorGroup,
  formerMappedGroup,
  formerNamedGroup,
} from '@telltale/core/telemetry/former-error-group'
import { parseStack } from '@telltale/core/telemetry/stack'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'

interface SomeError {
  type: string
  message: string
  stack: string
  version: string
  /** The application's own grouping, which replaces the stack. */
  fingerprint?: string
  /** The endpoint that failed. */
  request?: string
}

export interface PlacedError {
  /**
   * Keys shared by all groups of the same issue, most reliable first. They are stored beside the groups of
   * events, with a prefix before the number.
   */
  keys: string[]
  /** Keys from before errors were grouped by place and message: only used for lookups. */
  former: string[]
  /** The key of the mapped frames; undefined without source maps. */
  mappedKey: string | undefined
  culprit: string
}

export const isMappedKey = (key: string) => key.startsWith(mappedPrefix)
const mappedPrefix = 'mapped2:'
const namedPrefix = 'named2:'

/** The frames that form a group of errors, plus some for the culprit. */
const framesPlaced = 12
const culpritLength = 300

/** In the order of the errors. */
export async function placeErrors(
  stackMapper: StackMapper,
  { projectId, environmentId }: { projectId: string; environmentId: string },
  errors: readonly SomeError[],
): Promise<PlacedError[]> {
  const stacks = errors.map(({ stack, version }) => {
    const frames = parseStack(stack).filter(({ file }) => file !== '')
    return { version, page: '', frames: frames.slice(0, framesPlaced) }
  })
  const placed = await stackMapper.map(projectId, stacks)
  return errors.map((error, index) => {
    const frames: PlacedFrame[] = (placed[index] ?? []).map(
      ({ original, why: _, nearest: __, ...frame }) => ({
        ...frame,
        original: original === null ? null : { ...original, text: textOf(original) },
      }),
    )
    if (error.fingerprint) return { keys: [], former: [], mappedKey: undefined, culprit: culpritOf(frames) }
    const request = error.request === '' ? undefined : error.request
    const requested = { ...error, fingerprint: undefined, request, environment: environmentId }
    const mapped = mappedErrorGroup(requested, frames)
    const named = namedErrorGroup(requested)
    const mappedKey = mapped === undefined ? undefined : `${mappedPrefix}${mapped}`
    const keys = [
      ...(mappedKey === undefined ? [] : [mappedKey]),
      // Minified names add little if the frames are mapped.
      ...(mappedKey !== undefined && named.isMinified ? [] : [`${namedPrefix}${named.group}`]),
    ]
    const formerMapped = formerMappedGroup(requested, frames)
    const former = [
      ...(formerMapped === undefined ? [] : [`mapped:${formerMapped}`]),
      formerErrorGroup(requested),
      ...(mappedKey !== undefined && named.isMinified ? [] : [`named:${formerNamedGroup(requested)}`]),
    ]
    return { keys, former, mappedKey, culprit: culpritOf(frames) }
  })
}

type Original = NonNullable<Awaited<ReturnType<StackMapper['map']>>[number][number]['original']>

const textOf = ({ line, code }: Original) => code?.lines[line - code.first]?.trim() ?? ''

/** The innermost frame with a file, preferably of the application's own code. */
function culpritOf(frames: readonly PlacedFrame[]): string {
  const own = frames.find(({ original }) => original !== null && !isLibrary(original.file))
  const frame = own ?? frames[0]
  if (frame === undefined) return ''
  const { function: name, file } = frame.original ?? frame
  const place = file.split(/[?#]/, 1)[0]?.replace(/^[./]+/, '') ?? ''
  return (name === '' ? place : `${name} in ${place}`).slice(0, culpritLength)
}
