// A report of a problem: an event of the session, at the moment of the replay, with the variations of the page.

import { element } from './element.ts'
import { readFlags } from './flags-panel.ts'
import { forcedText } from './kept.ts'
import type { Panel } from './panel.ts'
import type { ToolbarPlace } from './place.ts'
import { sessionLink } from './session-link.ts'
import type { ToolbarState } from './state.ts'

/** The server truncates longer attributes. */
const longest = 1_000

export function createReportPanel(place: ToolbarPlace, state: ToolbarState): Panel {
  const text = element('textarea', { id: 'report', maxlength: `${longest}`, rows: '5', required: true })
  const note = element('p', { class: 'note', role: 'status' })
  const send = (event: Event) => {
    event.preventDefault()
    const message = text.value.trim()
    if (!message) return
    const at = Date.now()
    place.track('feedback', { attributes: { message, variations: variationsOf(place, state) } })
    const left = place.sent.findLast(
      ([sent]) => sent.kind === 'custom' && sent.name === 'feedback' && sent.at >= at,
    )
    if (!left) {
      note.textContent = 'Not sent: consent is missing, or this session is not in the sample.'
      return
    }
    text.value = ''
    const address = sessionLink(state.kept().grant, left[1].session, left[0])
    note.replaceChildren(
      'Reported. It is stored within 10 seconds.',
      ...(address
        ? [' ', element('a', { href: address, target: '_blank', rel: 'noopener' }, 'Open the moment')]
        : []),
    )
  }
  return {
    label: 'Report',
    content: element(
      'form',
      { submit: send },
      element('label', { for: 'report' }, 'What went wrong?'),
      text,
      element(
        'p',
        { class: 'note' },
        'Sent with your session, this moment, the page and its variations. Leave out passwords and personal data.',
      ),
      element('button', { type: 'submit', class: 'primary' }, 'Send report'),
      note,
    ),
    refresh: () => undefined,
  }
}

/** Forced ones first: the list may be truncated. */
function variationsOf(place: ToolbarPlace, state: ToolbarState): string {
  const forced = new Map(state.kept().forced)
  const all = [...forced].map(([flag, details]) => `${flag}=${forcedText(details)} (forced)`)
  for (const [flag, { variant }] of readFlags(place) ?? [])
    if (variant && !forced.has(flag)) all.push(`${flag}=${variant}`)
  return all.join(', ').slice(0, longest)
}
