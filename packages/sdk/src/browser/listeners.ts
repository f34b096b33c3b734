// A set of listeners. Each is called separately and asynchronously, so that one that throws does not affect the others.

export interface Listeners<Args extends unknown[]> {
  /** Returns a function to unsubscribe. */
  add(listener: (...args: Args) => void): () => void
  /** False when there are no listeners. */
  notify(...args: Args): boolean
}

export function createListeners<Args extends unknown[]>(): Listeners<Args> {
  const listeners = new Set<(...args: Args) => void>()
  return {
    add(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify(...args) {
      for (const listener of listeners) queueMicrotask(() => listener(...args))
      return listeners.size > 0
    },
  }
}
