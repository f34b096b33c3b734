// One event in two batches at the same time: the second batch waits for the outcome of the first.

type ReserveEvents = (environmentId: string, ids: readonly string[]) => Promise<() => void>

/**
 * Returns the function that ends the reservation. Deadlock-free, because all IDs of a batch are reserved in one tick.
 */
export function createReserveEvents(): ReserveEvents {
  const held = new Map<string, Promise<void>>()

  return async (environmentId, ids) => {
    const keys = ids.map((id) => `${environmentId} ${id}`)
    const others = () => new Set(keys.flatMap((key) => held.get(key) ?? []))
    for (let found = others(); found.size > 0; found = others()) await Promise.all(found)
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    for (const key of keys) held.set(key, released)
    return () => {
      for (const key of keys) held.delete(key)
      release()
    }
  }
}
