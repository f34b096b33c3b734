/** Lets a few pieces of work run at once; the others wait, and those that were cancelled meanwhile do not start. */
export function createGate(most: number) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function pass<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (running < most) running += 1
    // The place is handed over: `running` stays as it is.
    else await new Promise<void>((enter) => waiting.push(enter))
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
