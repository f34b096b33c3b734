// Outlines what replays would mask, whether this session is recorded or not.

import { reportFault } from '../browser/guard.ts'
import { createMasking, type Masking } from '../replay/masking.ts'
import { readMasking } from '../replay/read-masking.ts'
import { loadSettings } from '../settings.ts'
import { element } from './element.ts'
import { type BoxKind, findMasked, type MaskedBox } from './masked-boxes.ts'
import type { Panel } from './panel.ts'
import type { ToolbarPlace } from './place.ts'

const words: Record<BoxKind, string> = {
  masked: 'masked: letters become x',
  blocked: 'blocked: an empty box',
  ignored: 'ignored: never recorded',
}
const kinds = ['masked', 'blocked', 'ignored'] as const
/** While they are shown, milliseconds. */
const drawEvery = 250

export function createPrivacyPanel({ server, own }: ToolbarPlace, outlines: HTMLElement): Panel {
  let masking: Masking | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const level = element('p', {}, 'Loading the settings of the environment…')
  const counts = element('ul', { class: 'legend' })
  const box = element('input', { type: 'checkbox', id: 'outline', disabled: true })
  const draw = () => {
    const found = masking ? findMasked(masking) : []
    outlines.replaceChildren(...found.map(outline))
    counts.replaceChildren(
      ...kinds.map((kind) => {
        const count = found.filter((each) => each.kind === kind).length
        return element('li', { class: kind }, `${words[kind]} (${count} visible)`)
      }),
    )
  }
  const stop = () => {
    clearInterval(timer)
    outlines.replaceChildren()
    counts.replaceChildren()
  }
  box.addEventListener('change', () => {
    stop()
    if (!box.checked) return
    draw()
    timer = setInterval(draw, drawEvery)
  })
  loadSettings({ ...server, own }).then((settings) => {
    if (!settings) {
      level.textContent = 'The server refuses the key of this page.'
      return
    }
    const wanted = readMasking(settings.masking, settings.privacyLevel)
    masking = createMasking({ ...wanted })
    level.replaceChildren('Privacy level: ', element('code', {}, wanted.level))
    box.disabled = false
  }, reportFault)
  return {
    label: 'Privacy',
    content: element(
      'div',
      {},
      level,
      element('label', { for: 'outline' }, box, ' Outline what replays mask'),
      counts,
    ),
    refresh: () => undefined,
    close: stop,
  }
}

function outline({ kind, rect }: MaskedBox): HTMLElement {
  const made = element('div', { class: kind })
  // By script: a content policy that forbids style attributes allows it.
  made.style.left = `${rect.left}px`
  made.style.top = `${rect.top}px`
  made.style.width = `${rect.width}px`
  made.style.height = `${rect.height}px`
  return made
}
