// Tabs as the ARIA practices describe them: one of them is in the tab order, arrow keys lead to the others.

import { button, element } from './element.ts'
import type { Panel } from './panel.ts'

export interface Tabs {
  parts: HTMLElement[]
  current(): Panel
  /** Moves the focus to the selected tab. */
  focus(): void
}

export function createTabs(panels: readonly [Panel, ...Panel[]], onSelect: () => void): Tabs {
  let selected = 0
  const select = (index: number) => {
    selected = (index + panels.length) % panels.length
    for (const [at, tab] of tabs.entries()) {
      const isSelected = at === selected
      tab.setAttribute('aria-selected', `${isSelected}`)
      tab.tabIndex = isSelected ? 0 : -1
      const body = bodies[at]
      if (body) body.hidden = !isSelected
    }
  }
  const tabs = panels.map(({ label }, index) =>
    button(
      label,
      () => {
        select(index)
        onSelect()
      },
      { role: 'tab', id: `tab-${index}`, 'aria-controls': `panel-${index}` },
    ),
  )
  const bodies = panels.map(({ content }, index) =>
    element(
      'div',
      { role: 'tabpanel', id: `panel-${index}`, 'aria-labelledby': `tab-${index}`, class: 'panel' },
      content,
    ),
  )
  const list = element('div', { role: 'tablist', 'aria-label': 'Toolbar' }, ...tabs)
  const focus = () => tabs[selected]?.focus()
  list.addEventListener('keydown', ({ key }) => {
    const next = { ArrowRight: selected + 1, ArrowLeft: selected - 1, Home: 0, End: panels.length - 1 }[key]
    if (next === undefined) return
    select(next)
    onSelect()
    focus()
  })
  select(0)
  return {
    parts: [list, ...bodies],
    current: () => panels[selected] ?? panels[0],
    focus,
  }
}
