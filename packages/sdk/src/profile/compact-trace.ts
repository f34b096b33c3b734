// Converts a browser trace into numeric tables: each text and frame once, and a stack as its last frame and its caller.
// Code of other origins, and the library's own, is left unnamed.

export interface Trace {
  resources: string[]
  frames: { name: string; resourceId?: number; line?: number; column?: number }[]
  stacks: { frameId: number; parentId?: number }[]
  samples: { timestamp: number; stackId?: number }[]
}

/** Flat lists, as the server reads them. */
export interface CompactTrace {
  texts: string[]
  /** Four each: name, address (-1: none), line, column. */
  frames: number[]
  /** Two each: frame, calling stack (-1: none). A stack follows the one that called it. */
  stacks: number[]
  /** Two each: milliseconds since the previous sample, stack (-1: idle). */
  samples: number[]
}

/** `offset`: start of the window on the trace's clock. */
export function compactTrace(
  trace: Trace,
  { urlOf, offset }: { urlOf(address: string): string; offset: number },
): CompactTrace {
  const texts = new Map<string, number>()
  const textOf = (text: string) => {
    const known = texts.get(text) ?? texts.size
    texts.set(text, known)
    return known
  }
  const frames: number[] = []
  const stacks: number[] = []
  const places = new Map<number, number>()
  const frameOf = (id: number) => {
    const found = places.get(id)
    if (found !== undefined) return found
    const { name = '', resourceId, line = 0, column = 0 } = trace.frames[id] ?? {}
    const address = resourceId === undefined ? undefined : trace.resources[resourceId]
    frames.push(textOf(name), address === undefined ? -1 : textOf(urlOf(address)), line, column)
    places.set(id, frames.length / 4 - 1)
    return frames.length / 4 - 1
  }
  const known = new Map<number, number>()
  const stackOf = (id: number): number => {
    const found = known.get(id)
    if (found !== undefined) return found
    const stack = trace.stacks[id]
    if (!stack) return -1
    const parent = stack.parentId === undefined ? -1 : stackOf(stack.parentId)
    stacks.push(frameOf(stack.frameId), parent)
    known.set(id, stacks.length / 2 - 1)
    return stacks.length / 2 - 1
  }
  let last = offset
  let isIdle = true
  const samples: number[] = []
  for (const { timestamp, stackId } of trace.samples) {
    const stack = stackId === undefined ? -1 : stackOf(stackId)
    // Of an idle period, only the start is recorded.
    if (stack < 0 && isIdle) continue
    isIdle = stack < 0
    samples.push(Math.max(0, Math.round(timestamp - last)), stack)
    last = timestamp
  }
  return { texts: [...texts.keys()], frames, stacks, samples }
}
