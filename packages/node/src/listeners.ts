// Functions of the application that are told of something. One that fails harms neither the others nor the client.

export interface Listeners<News> {
  /** Returns how to stop. */
  add(listener: (news: News) => void): () => void
  tell(news: News): void
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
    tell(news) {
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
