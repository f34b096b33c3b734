// The session of this browser: its id, whether it is recorded, and where it is in the console.

import { button, element } from './element.ts'
import type { Panel } from './panel.ts'
import type { ToolbarPlace } from './place.ts'
import { createTabRecording } from './record-tab.ts'
import { sessionLink } from './session-link.ts'
import type { ToolbarState } from './state.ts'

export function createSessionPanel(place: ToolbarPlace, state: ToolbarState): Panel {
  const { sessionId, sent } = place
  const id = element('code', { class: 'id' })
  const facts = element('p')
  const note = element('p', { class: 'note', role: 'status' })
  const link = element('a', { target: '_blank', rel: 'noopener', class: 'primary' }, 'Open my session')
  const copy = button('Copy session ID', () => copyText(id.textContent ?? '', note))
  const recording = createTabRecording(place, state)
  const record = button('Record this tab', () => {
    state.update({ ...state.kept(), isRecorded: true })
    const latest = sent.at(-1)
    if (latest) recording.start(latest[1])
    note.textContent =
      'Recorded as replays of this environment are, until you close the toolbar. Its replay is in your session within 10 seconds.'
  })
  return {
    label: 'Session',
    content: element('div', {}, facts, id, element('p', { class: 'buttons' }, link, record, copy), note),
    refresh() {
      const session = sessionId()
      const events = sent.filter(([, context]) => context.session === session)
      const isRecorded = events.some(([, context]) => context.hasReplay)
      id.textContent = session ?? ''
      facts.textContent = factsOf(session, events.length, isRecorded)
      copy.hidden = !session
      record.hidden = events.length === 0 || isRecorded || state.kept().isRecorded === true
      const address = session && sessionLink(state.kept().grant, session)
      link.hidden = !address
      if (address) link.href = address
    },
    close: recording.stop,
  }
}

function copyText(text: string, note: HTMLElement): void {
  // Missing without TLS.
  const clipboard: Clipboard | undefined = navigator.clipboard
  const written = clipboard ? clipboard.writeText(text) : Promise.reject()
  written.then(
    () => {
      note.textContent = 'Copied.'
    },
    () => {
      note.textContent = 'The browser does not allow it. Select the ID to copy it.'
    },
  )
}

function factsOf(session: string | undefined, events: number, isRecorded: boolean): string {
  if (!session) return 'No session: consent is missing, or the environment refuses this page.'
  if (events === 0) return 'No events have left this page: the session may not be in the sample.'
  return isRecorded ? 'This session is stored and recorded.' : 'This session is stored. It is not recorded.'
}
