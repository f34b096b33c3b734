// Parsing a large body blocks the event loop for up to 150 ms per megabyte. Large bodies are therefore parsed one after the
// other, with as much time in between as the last one took: half of the event loop stays free for flags.

import { setTimeout as pause, setImmediate } from 'node:timers/promises'

const smallBytes = 32_768
let previous: Promise<void> = Promise.resolve()

/** Resolves when a body of this size may be parsed, which is at once for small ones. */
export async function takeParseTurn(sizeBytes: number): Promise<void> {
  if (sizeBytes <= smallBytes) return
  const turn = previous
  previous = turn.then(async () => {
    const begunAt = performance.now()
    // The body is parsed before the event loop gets here.
    await setImmediate()
    await pause(performance.now() - begunAt)
  })
  await turn
}
