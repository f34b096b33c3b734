// Folds a profile to self time by stack, which is stored for aggregation over many profiles. The tables are untrusted:
// inconsistent ones are rejected.

import type { Profile } from '../contract/attachments.ts'
import { limits } from '../limits.ts'

interface ProfileFrame {
  name: string
  /** Empty for browser code. */
  file: string
  line: number
  column: number
}

export interface FoldedStack {
  /** Outermost first. */
  frames: readonly ProfileFrame[]
  selfMs: number
  samples: number
}

interface FoldOptions {
  /** Requested sample interval in milliseconds. */
  interval: number
  /** Clean names and addresses for storage. */
  cleanName(name: string): string
  cleanFile(address: string): string
}

/** In sample intervals. A longer gap is a pause, because a sleeping machine takes no samples. */
const longestGap = 10

/** Time attributed to a sample: until the next one. For the last one and before a pause, the interval. */
export function sampleTime(gap: number | undefined, interval: number): number {
  return gap === undefined || gap > longestGap * interval ? interval : gap
}

/** Undefined for inconsistent tables. */
export function foldProfile(profile: Profile, options: FoldOptions): FoldedStack[] | undefined {
  const frames = readFrames(profile, options)
  if (frames === undefined) return undefined
  const stacks = readStacks(profile, frames.length)
  if (stacks === undefined || profile.samples.length % 2 !== 0) return undefined

  const found = new Map<number, { selfMs: number; samples: number }>()
  for (let at = 0; at < profile.samples.length; at += 2) {
    const stack = profile.samples[at + 1] ?? -1
    if (stack >= stacks.length || (profile.samples[at] ?? -1) < 0) return undefined
    if (stack < 0) continue
    const known = found.get(stack) ?? { selfMs: 0, samples: 0 }
    known.selfMs += sampleTime(profile.samples[at + 2], options.interval)
    known.samples += 1
    found.set(stack, known)
  }
  if (found.size > limits.profileStacks) return undefined
  const folded = [...found].map(([stack, time]) => ({ frames: framesOf(stack, { stacks, frames }), ...time }))
  return foldedSize(folded) > limits.profileStacksSize ? undefined : folded
}

/** Characters of all stacks with their frames, as stored in the stack dictionary. */
export function foldedSize(stacks: readonly FoldedStack[]): number {
  let size = 0
  for (const { frames } of stacks) {
    for (const { name, file } of frames) size += name.length + file.length + placeLength
  }
  return size
}

/** Line, column and separators. */
const placeLength = 20

function readFrames(
  { texts, frames }: Profile,
  { cleanName, cleanFile }: FoldOptions,
): ProfileFrame[] | undefined {
  if (frames.length % 4 !== 0) return undefined
  const read: ProfileFrame[] = []
  for (let at = 0; at < frames.length; at += 4) {
    const [name = -1, file = -1, line = 0, column = 0] = frames.slice(at, at + 4)
    if (name >= texts.length || file >= texts.length) return undefined
    read.push({
      name: cleanName(texts[name] ?? ''),
      file: file < 0 ? '' : cleanFile(texts[file] ?? ''),
      line: Math.max(0, line),
      column: Math.max(0, column),
    })
  }
  return read
}

type Stack = readonly [frame: number, caller: number]

function readStacks({ stacks }: Profile, frames: number): Stack[] | undefined {
  if (stacks.length % 2 !== 0) return undefined
  const read: Stack[] = []
  for (let at = 0; at < stacks.length; at += 2) {
    const [frame = -1, caller = -1] = [stacks[at], stacks[at + 1]]
    // Callers must precede their callees, which rules out cycles.
    if (frame < 0 || frame >= frames || caller >= at / 2) return undefined
    read.push([frame, caller])
  }
  return read
}

function framesOf(
  stack: number,
  { stacks, frames }: { stacks: readonly Stack[]; frames: readonly ProfileFrame[] },
): ProfileFrame[] {
  const found: ProfileFrame[] = []
  for (let at = stack; at >= 0 && found.length < limits.profileDepth; ) {
    const [frame = -1, caller = -1] = stacks[at] ?? []
    const known = frames[frame]
    if (known !== undefined) found.push(known)
    at = caller
  }
  return found.reverse()
}

const separator = '\t'

/** A frame as one text for the stack dictionary. */
export function frameText({ name, file, line, column }: ProfileFrame): string {
  return [name.replaceAll(separator, ' '), file.replaceAll(separator, ' '), line, column].join(separator)
}

export function readFrameText(text: string): ProfileFrame {
  const [name = '', file = '', line = '0', column = '0'] = text.split(separator)
  return { name, file, line: Number(line) || 0, column: Number(column) || 0 }
}
