// The flags of the page with value and reason, and values forced in this tab.

import { type FlagAnswers, readAnswers } from '../flags/answer.ts'
import { readKept } from '../flags/persisted.ts'
import { button, element } from './element.ts'
import { type FlagRow, listFlags } from './flag-rows.ts'
import { force, release } from './kept.ts'
import type { Panel } from './panel.ts'
import type { ToolbarPlace } from './place.ts'
import { readValue, valueText } from './read-value.ts'
import type { ToolbarState } from './state.ts'

/** As the client keeps them for the next page. */
export function readFlags({ server, context }: ToolbarPlace): FlagAnswers | undefined {
  return readAnswers(readKept(`telltale:${server.key}@${server.url}`, context().targetingKey)[1])
}

export function createFlagsPanel(place: ToolbarPlace, state: ToolbarState): Panel {
  const search = element('input', {
    type: 'search',
    placeholder: 'Search flags',
    'aria-label': 'Search flags',
  })
  const list = element('ul', { class: 'rows' })
  const note = element('p', { class: 'note', role: 'status' })
  let shown = ''
  /** The flag whose value is being typed. */
  let edited: string | undefined

  const put = (row: FlagRow, value: unknown) => {
    const next = force(state.kept(), row.key, { value })
    note.textContent = next
      ? `${row.key} is forced to ${valueText(value)}.`
      : 'Too many or too large forced values.'
    edited = undefined
    if (next) state.update(next, row.key)
  }
  const reset = (row: FlagRow) => {
    note.textContent = `${row.key} has the value of the server again. This page counts again when it is reloaded.`
    state.update(release(state.kept(), row.key), row.key)
  }
  const edit = (key: string | undefined) => {
    edited = key
    refresh()
    list.querySelector<HTMLElement>('.edit :is(input,textarea)')?.focus()
  }
  const actions = { put, reset, edit }
  const refresh = () => {
    const rows = listFlags(readFlags(place), state.kept().forced, search.value)
    const next = JSON.stringify([rows, edited])
    if (next === shown) return
    shown = next
    const focused = (list.getRootNode() as ShadowRoot).activeElement?.id
    list.replaceChildren(...rows.map((row) => flagRow(row, row.key === edited, actions)))
    if (focused) list.querySelector<HTMLElement>(`[id="${CSS.escape(focused)}"]`)?.focus()
    if (rows.length === 0) list.append(element('li', { class: 'note' }, 'No flags.'))
  }
  search.addEventListener('input', refresh)
  return { label: 'Flags', content: element('div', {}, search, list, note), refresh }
}

interface RowActions {
  put(row: FlagRow, value: unknown): void
  reset(row: FlagRow): void
  edit(key: string | undefined): void
}

function flagRow(row: FlagRow, isEdited: boolean, { put, reset, edit }: RowActions): HTMLElement {
  const { key, value, reason, isForced } = row
  const id = `force-${key}`
  const isBoolean = typeof value === 'boolean'
  const label = isBoolean ? `Force ${!value}` : 'Force…'
  const begin = () => (isBoolean ? put(row, !value) : edit(key))
  return element(
    'li',
    { class: isForced ? 'forced' : '' },
    element('code', { class: 'key' }, key),
    element('code', { class: 'value', title: valueText(value) }, valueText(value)),
    element('span', { class: 'reason' }, reason),
    element(
      'span',
      { class: 'buttons' },
      ...(isForced
        ? [button('Reset', () => reset(row), { id: `reset-${key}`, 'aria-label': `Reset ${key}` })]
        : []),
      ...(isEdited
        ? []
        : [button(label, begin, { id, 'aria-label': `${label.replace('…', ' a value')} for ${key}` })]),
    ),
    ...(isEdited ? [valueForm(row, { put, reset, edit })] : []),
  )
}

function valueForm(row: FlagRow, { put, edit }: RowActions): HTMLElement {
  const { key, value } = row
  const isJson = typeof value === 'object' && value !== null
  const field = element(isJson ? 'textarea' : 'input', {
    'aria-label': `Value of ${key}`,
    id: `value-${key}`,
  })
  field.value = valueText(value)
  const fault = element('span', { class: 'fault', role: 'alert' })
  const form = element(
    'form',
    {
      class: 'edit',
      submit(event) {
        event.preventDefault()
        const read = readValue(field.value, value)
        if ('fault' in read) fault.textContent = read.fault
        else put(row, read.value)
      },
    },
    field,
    element('button', { type: 'submit', class: 'primary' }, 'Force'),
    button('Cancel', () => edit(undefined)),
    fault,
  )
  return form
}
