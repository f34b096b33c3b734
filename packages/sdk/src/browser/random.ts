// Random values: unguessable ids, and jitter so that many browsers do not retry at the same moment.

/** 32 bits each. On a page that broke `crypto` they can be guessed, which has no other effect. */
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

/** A random delay between half of it and all of it. */
export function spread(delay: number): number {
  return delay * (0.5 + Math.random() / 2)
}

/** Doubles with every failure, up to the maximum. */
export function backoff(failures: number, longest: number): number {
  return spread(Math.min(longest, 1_000 * 2 ** failures))
}
