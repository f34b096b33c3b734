// Whether this tab has the toolbar: by a link of the console, from an earlier page of the tab, or because the application
// asks for it. Otherwise none of its code is loaded. Forced values are in force before it is.

import { reportFault } from '../browser/guard.ts'
import type { Reads } from '../flags/reads.ts'
import type { OnRead } from '../flags.ts'
import type { SentEvent, ToolbarInForce } from '../toolbar/kept.ts'
import type { open } from '../toolbar/open.ts'
import type { ToolbarPlace } from '../toolbar/place.ts'
import type { Server } from '../transport/send.ts'

export type LoadToolbar = () => Promise<{ open: typeof open }>

export interface ToolbarOptions {
  server: Server
  load: LoadToolbar
  place(): Omit<ToolbarPlace, 'server' | 'kept' | 'sent'>
  record: Reads['record']
}

export interface ToolbarGate {
  /** Reads a flag, or its forced value. A page with forced values has no exposures. */
  onRead: OnRead
  /** Called for each sent event: marks those of such a page, and takes them out of every comparison of variations. */
  note(...sent: SentEvent): void
  open(): void
}

const eventsKept = 100

export function createToolbar({ server, load, place, record }: ToolbarOptions): ToolbarGate {
  const sent: SentEvent[] = []
  /** The toolbar changes it. */
  let kept: ToolbarInForce = {}
  const open = () => {
    kept.isOn = true
    load().then(({ open }) => open({ ...place(), server, kept, sent }), reportFault)
  }
  try {
    kept = { ...JSON.parse(sessionStorage.getItem(`telltale:${server.key}:toolbar`) ?? '{}') }
    if (kept.isOn || location.search.includes('telltale-toolbar=')) open()
  } catch {
    // On a server, or without storage.
  }
  return {
    onRead(flag, read) {
      const details = kept.forced?.find(([key]) => key === flag)?.[1] ?? read()
      if (!kept.mark) record(flag, details)
      // What was stored is as the flag had it.
      return details as ReturnType<typeof read>
    },
    note(event, context) {
      if (kept.mark) {
        delete context.reads
        context.attributes = { ...context.attributes, 'telltale.forced': kept.mark }
      }
      kept.note?.(event, context)
      if (kept.isOn && sent.push([event, context]) > eventsKept) sent.shift()
    },
    open,
  }
}
