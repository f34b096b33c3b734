// The tabs of one browser with the same key: one of them leads, and all receive its messages. Where the browser, or a
// page without TLS, lacks the required APIs, there is no leader.

import { leadAlone } from '../browser/leader.ts'
import type { BulkAnswer } from './answer.ts'

/** State of the stream: whether it is open, and the version of the flags it last announced. */
export type News = [isOpen: boolean, version?: unknown]
/** A request, its response's ETag, and the response, or undefined when unchanged. */
export type SharedAnswer = [request: string, tag: string | null, answer?: BulkAnswer]

export interface RoomListener {
  /** Called in the leading tab. Returns a function to stop. */
  lead(notify: (news: News) => void): () => void
  onNews(news: News, isOwn: boolean): void
  onAnswer(answer: SharedAnswer): void
  onLeft(): void
}

export interface Room {
  enter(): void
  leave(): void
  share(answer: SharedAnswer): void
}

export function createRoom(name: string, { lead, onNews, onAnswer, onLeft }: RoomListener): Room {
  let channel: BroadcastChannel | undefined
  let stepBack = () => {}
  let heard: News | undefined

  const notify = (news: News) => {
    heard = news
    channel?.postMessage(news)
    onNews(news, true)
  }
  const hear = ({ data }: MessageEvent<News | SharedAnswer>) => {
    if (isNews(data)) return onNews(data, false)
    onAnswer(data)
    // The sender may be new here.
    if (heard) channel?.postMessage(heard)
  }
  return {
    enter() {
      if (channel || !navigator.locks || !self.EventSource || !self.BroadcastChannel) return
      channel = new BroadcastChannel(name)
      channel.onmessage = hear
      stepBack = leadAlone(name, () => lead(notify))
    },
    leave() {
      stepBack()
      channel?.close()
      channel = heard = undefined
      onLeft()
    },
    share: (answer) => channel?.postMessage(answer),
  }
}

function isNews(message: News | SharedAnswer): message is News {
  return typeof message[0] === 'boolean'
}
