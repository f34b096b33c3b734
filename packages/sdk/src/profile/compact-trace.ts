// A trace as the browser has it, as tables of numbers: every text once, every frame once, and a stack by its last frame and
// what called it. What is of other sites, or of our own library, stays without a name of its own.

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
  /** Two each: frame, calling stack (-1: none). A stack comes after the one that called it. */
  stacks: number[]
  /** Two each: milliseconds since the sample before, stack (-1: nothing ran). */
  samples: number[]
}

/** `offset`: where the window begins on the clock of the trace. */
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
    // Of a pause, its beginning is enough.
    if (stack < 0 && isIdle) continue
    isIdle = stack < 0
    samples.push(Math.max(0, Math.round(timestamp - last)), stack)
    last = timestamp
  }
  return { texts: [...texts.keys()], frames, stacks, samples }
}
