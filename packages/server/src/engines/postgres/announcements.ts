// News between the servers on one PostgreSQL: what changed, never the content.

import type postgres from 'postgres'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

export const announcementChannel = 'telltale_changes'

const Nullable = Type.Union([Type.String(), Type.Null()])
const AnnouncementSchema = Type.Object({
  action: Type.String(),
  entity: Type.String(),
  id: Type.String(),
  project: Nullable,
  environment: Nullable,
})
const announcementSchema = Compile(AnnouncementSchema)

export type Announcement = Static<typeof AnnouncementSchema>

export function printAnnouncement(announcement: Announcement): string {
  return JSON.stringify(announcement)
}

export interface Announcements {
  /** Hears every change committed by any server. `onGap` is called when some may have been missed. */
  subscribe(listener: { onChange(announcement: Announcement): void; onGap?(): void }): () => void
  close(): Promise<void>
}

interface ListenLog {
  error(context: object, message: string): void
}

/** Listens on a connection of its own, which the driver opens again when it breaks. */
export async function listenForChanges(sql: postgres.Sql, log: ListenLog): Promise<Announcements> {
  const listeners = new Set<Parameters<Announcements['subscribe']>[0]>()
  const tell = (speak: (listener: Parameters<Announcements['subscribe']>[0]) => void) => {
    for (const listener of listeners) {
      try {
        speak(listener)
      } catch (error) {
        log.error({ err: error }, 'a listener failed on a change')
      }
    }
  }

  let connected = false
  const subscription = await sql.listen(
    announcementChannel,
    (payload) => {
      const announcement: unknown = parsePayload(payload)
      if (announcementSchema.Check(announcement)) tell((listener) => listener.onChange(announcement))
      else log.error({ payload }, 'an announcement could not be read')
    },
    () => {
      if (connected) tell((listener) => listener.onGap?.())
      connected = true
    },
  )

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => subscription.unlisten(),
  }
}

function parsePayload(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}
