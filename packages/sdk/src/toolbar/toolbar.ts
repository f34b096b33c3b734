// The toolbar over the page: tabs in a closed shadow root, outside of the page's body, styles, shortcuts and recordings.

import { guarded } from '../browser/guard.ts'
import { toolbarTag } from '../browser/listen.ts'
import { button, element } from './element.ts'
import { createEventsPanel } from './events-panel.ts'
import { createFlagsPanel } from './flags-panel.ts'
import type { Panel } from './panel.ts'
import type { ToolbarPlace } from './place.ts'
import { createPrivacyPanel } from './privacy-panel.ts'
import { createReportPanel } from './report-panel.ts'
import { createSessionPanel } from './session-panel.ts'
import type { ToolbarState } from './state.ts'
import { style } from './style.ts'
import { createTabs } from './tabs.ts'
import { createVitalsPanel } from './vitals-panel.ts'

export interface OpenToolbar {
  expand(): void
}

/** Of what changes without an event, milliseconds. */
const refreshEvery = 500
/** Browsers report how long they took soon after. */
const inputsKept = 1_000
/** The page neither sees nor handles what happens in the toolbar. */
const kept =
  'pointerdown pointerup mousedown mouseup click dblclick keydown keypress keyup input change paste copy cut'

export function showToolbar(place: ToolbarPlace, state: ToolbarState): OpenToolbar {
  const host = document.createElement(toolbarTag)
  const root = host.attachShadow({ mode: 'closed' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]
  for (const type of kept.split(' ')) {
    root.addEventListener(type, (event) => {
      if (place.ofToolbar.size >= inputsKept) place.ofToolbar.clear()
      place.ofToolbar.add(event.timeStamp)
      event.stopPropagation()
    })
  }
  const outlines = element('div', { class: 'outlines', 'aria-hidden': 'true' })
  const panels: [Panel, ...Panel[]] = [
    createFlagsPanel(place, state),
    createEventsPanel(place),
    createPrivacyPanel(place, outlines),
    createVitalsPanel(place),
    createSessionPanel(place, state),
    createReportPanel(place, state),
  ]
  const refresh = guarded(() => tabs.current().refresh())
  const tabs = createTabs(panels, refresh)
  const {
    window: frame,
    pill,
    expand,
  } = createFrame(state, tabs, () => {
    clearInterval(timer)
    for (const panel of panels) panel.close?.()
    host.remove()
    state.end()
  })
  root.append(outlines, frame, pill)
  document.documentElement.append(host)
  refresh()
  state.onUpdate(refresh)
  const timer = setInterval(() => {
    if (!document.hidden && !frame.hidden) refresh()
  }, refreshEvery)
  return { expand }
}

interface Frame {
  window: HTMLElement
  pill: HTMLElement
  expand(): void
}

function createFrame(state: ToolbarState, tabs: ReturnType<typeof createTabs>, onClose: () => void): Frame {
  const set = (isCollapsed: boolean) => {
    frame.hidden = isCollapsed
    pill.hidden = !isCollapsed
    if (state.kept().isCollapsed !== isCollapsed) state.update({ ...state.kept(), isCollapsed })
  }
  const collapse = () => {
    set(true)
    pill.focus()
  }
  const expand = () => {
    set(false)
    tabs.focus()
  }
  const env = element('span', { class: 'env' })
  const count = element('span', { class: 'count', role: 'status' })
  const pill = button('', expand, { class: 'pill', 'aria-expanded': 'false' })
  const frame = element(
    'section',
    { class: 'window', role: 'region', 'aria-label': 'Telltale toolbar' },
    element(
      'header',
      {},
      element('strong', {}, 'Telltale'),
      env,
      count,
      button('Collapse', collapse, { class: 'quiet' }),
      button('Close', onClose, { class: 'quiet', title: 'Close in this tab and release forced values' }),
    ),
    ...tabs.parts,
  )
  frame.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') collapse()
  })
  const update = () => {
    const { grant, forced = [] } = state.kept()
    const forcedText = forced.length > 0 ? `${forced.length} forced` : ''
    env.textContent = grant ? grant.env : ''
    if (count.textContent !== forcedText) count.textContent = forcedText
    pill.textContent = ['Telltale', forcedText].filter(Boolean).join(', ')
  }
  state.onUpdate(update)
  update()
  set(state.kept().isCollapsed ?? false)
  return { window: frame, pill, expand }
}
