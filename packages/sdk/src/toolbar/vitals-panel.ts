// The web vitals of the open view, while they are measured.

import { element } from './element.ts'
import type { Panel } from './panel.ts'
import type { ToolbarPlace } from './place.ts'
import { followVitals, rate, vitalNames, vitalText } from './vitals.ts'

export function createVitalsPanel({ sent }: ToolbarPlace): Panel {
  const read = followVitals(sent)
  const page = element('code')
  const cells = vitalNames.map((name) => ({ name, value: element('td'), rating: element('td') }))
  const table = element(
    'table',
    {},
    element('caption', {}, 'Web vitals of ', page),
    ...cells.map(({ name, value, rating }) =>
      element('tr', {}, element('th', { scope: 'row' }, name), value, rating),
    ),
  )
  return {
    label: 'Vitals',
    content: element(
      'div',
      {},
      table,
      element('p', { class: 'note' }, 'INP and CLS may grow until the page is left.'),
    ),
    refresh() {
      const { page: template, values } = read()
      page.textContent = template
      for (const { name, value, rating } of cells) {
        const measured = values[name]
        const found = measured === undefined ? '' : rate(name, measured)
        value.textContent = measured === undefined ? 'not yet' : vitalText(name, measured)
        rating.textContent = found
        rating.className = found.split(' ')[0] ?? ''
      }
    },
  }
}
