// Parsing a large body blocks the event loop for up to 150 ms per megabyte. Large bodies are therefore parsed one
// after another, each followed by a pause as long as its parsing: half of the event loop's time stays free for flags.

import { setTimeout as pause, setImmediate } from 'node:timers/promises'

const smallBytes = 32_768
let previous: Promise<void> = Promise.resolve()

/** Resolves when a body of this size may be parsed, immediately for small ones. */
export async function takeParseTurn(sizeBytes: number): Promise<void> {
  if (sizeBytes <= smallBytes) return
  const turn = previous
  previous = turn.then(async () => {
    const begunAt = performance.now()
    // The body is parsed before the event loop reaches this line.
    await setImmediate()
    await pause(performance.now() - begunAt)
  })
  await turn
}
