// Opens the toolbar, once the page is quiet and the token of a link is checked. Loaded only in tabs that have it.

import { guarded, reportFault } from '../browser/guard.ts'
import { checkToken } from './check-token.ts'
import { force } from './kept.ts'
import type { ToolbarPlace } from './place.ts'
import { createState, type ToolbarState } from './state.ts'
import { type OpenToolbar, showToolbar } from './toolbar.ts'

const parameter = 'telltale-toolbar'

let opening: Promise<OpenToolbar | undefined> | undefined

/** Again: expands it. */
export async function open(place: ToolbarPlace): Promise<void> {
  const isOpen = opening !== undefined
  opening ??= start(place).catch(reportFault)
  const opened = await opening
  if (isOpen) opened?.expand()
}

async function start(place: ToolbarPlace): Promise<OpenToolbar | undefined> {
  const state = createState(place, () => {
    opening = undefined
  })
  const isAllowed = await enter(place, state)
  if (!isAllowed) {
    state.end()
    return undefined
  }
  await settled()
  return guarded(showToolbar)(place, state)
}

/** Whether the toolbar may be shown: an expired link ends it, a bad one does not begin it. */
async function enter({ server }: ToolbarPlace, state: ToolbarState): Promise<boolean> {
  const token = takeToken()
  if (token !== undefined) {
    const checked = await checkToken(server, token)
    if ('fault' in checked) {
      warn(checked.fault)
      return state.wasKept
    }
    const { force: wanted, ...grant } = checked
    state.update({ ...state.kept(), grant })
    const next = wanted && force(state.kept(), wanted.flag, wanted)
    if (next) state.update(next, wanted.flag)
  }
  const { grant } = state.kept()
  if (!grant || grant.expiresAt > Date.now()) return true
  warn(
    'The link has expired, and forced values no longer apply. Open the toolbar with a new link from the console.',
  )
  return false
}

/** Removed from the address, so that it is not passed on with it. */
function takeToken(): string | undefined {
  const url = new URL(location.href)
  const token = url.searchParams.get(parameter)
  if (token === null) return undefined
  url.searchParams.delete(parameter)
  history.replaceState(history.state, '', url)
  return token
}

function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: the only place where a message does not disturb the page
  console.warn(`Telltale toolbar: ${text}`)
}

/** The page has loaded: its paints are not those of the toolbar. */
async function settled(): Promise<void> {
  if (document.readyState === 'complete') return
  await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
}
