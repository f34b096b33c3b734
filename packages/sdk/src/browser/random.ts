// Chance: ids that nobody guesses, and delays that do not fall together in many browsers.

/** Of 32 bits each. On a page that broke `crypto` they can be guessed; nothing else is lost. */
export function randomNumbers(count: number): Uint32Array {
  const numbers = new Uint32Array(count)
  try {
    return crypto.getRandomValues(numbers)
  } catch {
    return numbers.map(() => Math.random() * 2 ** 32)
  }
}

/** 128 bits, as four numbers. `crypto.randomUUID` is missing on pages without TLS. */
export function randomId(): string {
  return randomNumbers(4).join('-')
}

/** Between half of the delay and all of it. */
export function spread(delay: number): number {
  return delay * (0.5 + Math.random() / 2)
}

/** Doubles with every failure, up to the longest. */
export function backoff(failures: number, longest: number): number {
  return spread(Math.min(longest, 1_000 * 2 ** failures))
}
