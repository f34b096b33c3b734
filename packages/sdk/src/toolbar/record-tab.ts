// Records the tab for a preview of what replays contain, when its user asks for it and the sample does not contain the
// session. It goes on with the next pages of the tab, until the toolbar is closed.

import type { EventContext } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import { reportFault } from '../browser/guard.ts'
import { loadReplay } from '../load-replay.ts'
import type { Sampled } from '../sampled.ts'
import { loadSettings, type Settings } from '../settings.ts'
import type { ToolbarPlace } from './place.ts'
import type { ToolbarState } from './state.ts'

export interface TabRecording {
  /** With an event that was sent, from then on. */
  start(context: EventContext): void
  stop(): void
}

export function createTabRecording(place: ToolbarPlace, state: ToolbarState): TabRecording {
  const { server, own, kept } = place
  let session = ''
  let latest: EventContext
  let parts: Sampled[] = []
  const end = () => {
    session = ''
    for (const part of parts) part.stop(true)
    parts = []
  }
  const record = (settings: Settings, of: string) => {
    if (session !== of) return
    const wanted = { ...own, replaySampling: 100, replayParents: undefined }
    const options = {
      server,
      own: wanted,
      settings: () => ({ ...settings, replay: 100 }),
      report: reportFault,
    }
    loadReplay(
      options,
      () => latest,
      (get, start) => {
        const run = async () => {
          const module = await get()
          const part = session === of && start(module)
          if (part) parts.push(part)
        }
        run().catch(reportFault)
      },
    )
  }
  const start = (context: EventContext) => {
    latest = context
    if (context.session === session || !state.kept().isRecorded) return
    end()
    session = context.session
    loadSettings({ ...server, own }).then((settings) => {
      if (settings && !isSampled(context.session, settings, own.replaySampling))
        record(settings, context.session)
    }, reportFault)
  }
  kept.note = (event, context) => {
    start(context)
    if (parts.map((part) => part.note(event, context)).some(Boolean)) context.hasReplay = true
  }
  return {
    start,
    stop() {
      delete kept.note
      end()
    },
  }
}

const isSampled = (session: string, { replay }: Settings, own = 100) =>
  samplePosition(session) * 100 < Math.min(replay, own)
