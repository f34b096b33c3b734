// Whoever wants to be told. Each is called on its own and later: what one of them throws is its own affair.

export interface Listeners<Args extends unknown[]> {
  /** Returns how to stop. */
  add(listener: (...args: Args) => void): () => void
  /** False when nobody listens. */
  tell(...args: Args): boolean
}

export function createListeners<Args extends unknown[]>(): Listeners<Args> {
  const listeners = new Set<(...args: Args) => void>()
  return {
    add(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(...args) {
      for (const listener of listeners) queueMicrotask(() => listener(...args))
      return listeners.size > 0
    },
  }
}
