/** Progress goes to stderr, so that stdout has only the output of the started program. */
export function say(line) {
  process.stderr.write(`telltale: ${line}\n`)
}

export function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

/** Ends the launcher with one sentence instead of a stack trace. */
export class Refusal extends Error {}
