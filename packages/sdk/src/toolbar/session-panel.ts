// The session of this browser: its id, whether it is recorded, and where it is in the console.

import { button, element } from './element.ts'
import type { Panel } from './panel.ts'
import type { ToolbarPlace } from './place.ts'
import { sessionLink } from './session-link.ts'
import type { ToolbarState } from './state.ts'

export function createSessionPanel({ sessionId, sent }: ToolbarPlace, state: ToolbarState): Panel {
  const id = element('code', { class: 'id' })
  const facts = element('p')
  const note = element('p', { class: 'note', role: 'status' })
  const link = element('a', { target: '_blank', rel: 'noopener', class: 'primary' }, 'Open my session')
  const copy = button('Copy session ID', () => {
    // Missing without TLS.
    const clipboard: Clipboard | undefined = navigator.clipboard
    const written = clipboard ? clipboard.writeText(id.textContent ?? '') : Promise.reject()
    written.then(
      () => {
        note.textContent = 'Copied.'
      },
      () => {
        note.textContent = 'The browser does not allow it. Select the ID to copy it.'
      },
    )
  })
  return {
    label: 'Session',
    content: element('div', {}, facts, id, element('p', { class: 'buttons' }, link, copy), note),
    refresh() {
      const session = sessionId()
      const events = sent.filter(([, context]) => context.session === session)
      const isRecorded = events.some(([, context]) => context.hasReplay)
      id.textContent = session ?? ''
      facts.textContent = factsOf(session, events.length, isRecorded)
      copy.hidden = !session
      const address = session && sessionLink(state.kept().grant, session)
      link.hidden = !address
      if (address) link.href = address
    },
  }
}

function factsOf(session: string | undefined, events: number, isRecorded: boolean): string {
  if (!session) return 'No session: consent is missing, or the environment refuses this page.'
  if (events === 0) return 'No events have left this page: the session may not be in the sample.'
  return isRecorded ? 'This session is stored and recorded.' : 'This session is stored. It is not recorded.'
}
