// The latest events, as they left the page: after masking and after the application's own changes.

import { element } from './element.ts'
import { eventText } from './event-text.ts'
import type { SentEvent } from './kept.ts'
import type { Panel } from './panel.ts'
import type { ToolbarPlace } from './place.ts'

const listed = 100

export function createEventsPanel({ sent }: ToolbarPlace): Panel {
  const list = element('ul', { class: 'rows events', tabindex: '0', 'aria-label': 'Events, newest last' })
  const empty = element('p', { class: 'note' }, 'No events have left this page yet.')
  const shown = new WeakSet<SentEvent>()

  return {
    label: 'Events',
    content: element('div', {}, empty, list),
    refresh() {
      const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40
      for (const one of sent) {
        if (shown.has(one)) continue
        shown.add(one)
        // At the end: rows that move would count as a layout shift of the page.
        list.append(eventRow(one))
      }
      while (list.childElementCount > listed) list.firstElementChild?.remove()
      empty.hidden = list.childElementCount > 0
      if (isAtEnd) list.scrollTop = list.scrollHeight
    },
  }
}

function eventRow([event, context]: SentEvent): HTMLElement {
  return element(
    'li',
    {},
    element(
      'details',
      {},
      element(
        'summary',
        {},
        element('time', {}, new Date(event.at).toTimeString().slice(0, 8)),
        element('b', {}, event.kind.replace('_', ' ')),
        element('span', { class: 'text' }, eventText(event)),
      ),
      element('pre', { tabindex: '0' }, JSON.stringify({ event, context }, undefined, 2)),
    ),
  )
}
