// Listeners of the application. One that throws affects neither the others nor the client.

export interface Listeners<News> {
  /** Returns a function to unsubscribe. */
  add(listener: (news: News) => void): () => void
  notify(news: News): void
  isEmpty(): boolean
}

export function createListeners<News>(onFault: (error: unknown) => void): Listeners<News> {
  const listeners = new Set<{ listener: (news: News) => void }>()
  return {
    add(listener) {
      const entry = { listener }
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
    notify(news) {
      for (const { listener } of listeners) {
        try {
          listener(news)
        } catch (error) {
          onFault(error)
        }
      }
    },
    isEmpty: () => listeners.size === 0,
  }
}
