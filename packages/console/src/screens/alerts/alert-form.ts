import { parseFilter } from '@telltale/core/query/filter'
import type { Alert, AlertDraft, MeasureRule } from '../../api/alerts.ts'
import { measureLabel } from '../../ui/text/measure-words.ts'
import { type MeasuredEvents, needsField, usualField } from '../../ui/text/measured-thing.ts'
import { alertEventChoices } from './alert-events.ts'
import type { NewAlertSearch } from './alert-search.ts'

export type Comparison = 'above' | 'below' | 'rises' | 'falls'

export interface AlertForm extends Required<{ [Name in keyof MeasuredEvents]: MeasuredEvents[Name] }> {
  about: 'measure' | 'events'
  /** Undefined until typed: the name follows the measure. */
  name: string | undefined
  measure: NonNullable<MeasuredEvents['measure']>
  filter: string
  window: MeasureRule['window']
  comparison: Comparison
  /** Numbers as typed; changes in percent. */
  bound: string
  against: 'previous' | 'week'
  minEvents: string
  forMinutes: string
  whenNoData: MeasureRule['whenNoData']
  events: readonly string[]
  channels: readonly string[]
}

export function newAlertForm(search: NewAlertSearch): AlertForm {
  return {
    about: search.about ?? 'measure',
    name: undefined,
    measure: search.measure ?? 'count',
    of: search.of,
    kind: search.measure === undefined && search.kind === undefined ? 'error' : search.kind,
    part: search.part,
    filter: search.q ?? '',
    window: '5m',
    comparison: 'above',
    bound: '',
    against: 'previous',
    minEvents: '0',
    forMinutes: '0',
    whenNoData: 'tell',
    events: ['issue.new', 'issue.regressed'],
    channels: [],
  }
}

export function formOfAlert({ name, rule, channels }: Alert): AlertForm {
  const form = { ...newAlertForm({}), name, channels: channels.map(({ id }) => id) }
  if (rule.kind === 'events') return { ...form, about: 'events', events: rule.events }
  const { query, condition, window, minEvents, forMinutes, whenNoData } = rule
  const rest = { window, minEvents: String(minEvents), forMinutes: String(forMinutes), whenNoData }
  const { measure, field: of, kind, part, filter = '' } = query
  const isChange = condition.kind === 'change'
  return {
    ...form,
    ...rest,
    measure,
    of,
    kind,
    part,
    filter,
    comparison: isChange ? (condition.is === 'above' ? 'rises' : 'falls') : condition.is,
    bound: String(
      isChange ? Number((condition.by * 100).toPrecision(6)) : boundShown(measure, condition.value),
    ),
    against: isChange ? condition.against : 'previous',
  }
}

/** Shares are typed in percent. */
const boundShown = (measure: AlertForm['measure'], value: number) =>
  measure === 'share' ? Number((value * 100).toPrecision(6)) : value

export const isChange = ({ comparison }: Pick<AlertForm, 'comparison'>) =>
  comparison === 'rises' || comparison === 'falls'
export const isPercent = (form: Pick<AlertForm, 'comparison' | 'measure'>) =>
  isChange(form) || form.measure === 'share'

type Faults = Partial<
  Record<'name' | 'bound' | 'minEvents' | 'forMinutes' | 'events' | 'filter' | 'part', string>
>

export interface ReadAlertForm {
  /** The measure; undefined while its fields are invalid. */
  rule: MeasureRule | undefined
  draft: AlertDraft | undefined
  faults: Faults
}

const minutesInADay = 1_440

export function readAlertForm(form: AlertForm, env: string): ReadAlertForm {
  const name = (form.name ?? nameOf(form)).trim()
  const named = name === '' ? { name: 'Enter a name.' } : {}
  const channels = [...form.channels]
  if (form.about === 'events') {
    const events = alertEventChoices.filter((event) => form.events.includes(event))
    const faults: Faults = { ...named, ...(events.length === 0 && { events: 'Choose at least one.' }) }
    const draft = { name, env, rule: { kind: 'events', events }, channels } as const
    return {
      rule: undefined,
      draft: hasAny(faults) ? undefined : { ...draft, rule: { kind: 'events', events } },
      faults,
    }
  }
  const requested = faultsOf(form)
  const rule = hasAny(requested) ? undefined : ruleOf(form)
  const faults = { ...named, ...requested }
  return {
    rule,
    draft: rule === undefined || hasAny(faults) ? undefined : { name, env, rule, channels },
    faults,
  }
}

const hasAny = (faults: Faults) => Object.keys(faults).length > 0

export const nameOf = (form: AlertForm) =>
  form.about === 'events'
    ? 'Events'
    : `${measureLabel(form)}${form.filter === '' ? '' : `, ${form.filter}`}`.slice(0, 120)

function faultsOf(form: AlertForm): Faults {
  const bound = numberOf(form.bound)
  const least = numberOf(form.minEvents)
  const minutes = numberOf(form.forMinutes)
  const isTooSmall = isChange(form) && bound <= 0
  return {
    ...((Number.isNaN(bound) || isTooSmall) && {
      bound: isChange(form) ? 'Enter a number above 0.' : 'Enter a number, such as 100 or 2.5.',
    }),
    ...(!(Number.isInteger(least) && least >= 0) && { minEvents: 'Enter a whole number.' }),
    ...(!(Number.isInteger(minutes) && minutes >= 0 && minutes <= minutesInADay) && {
      forMinutes: `Enter a whole number up to ${minutesInADay}.`,
    }),
    ...(!parseFilter(form.filter).ok && { filter: 'The filter is invalid.' }),
    ...(form.measure === 'share' && !form.part && { part: 'Enter a filter for the share.' }),
  }
}

const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.')))

function ruleOf(form: AlertForm): MeasureRule {
  const { measure, kind, part, filter, window, against, whenNoData } = form
  const bound = numberOf(form.bound)
  const is = form.comparison === 'above' || form.comparison === 'rises' ? 'above' : 'below'
  return {
    kind: 'measure',
    query: {
      measure,
      ...(needsField(measure) && { field: form.of ?? usualField(kind) }),
      ...(kind !== undefined && { kind }),
      ...(measure === 'share' && part !== undefined && { part }),
      ...(filter !== '' && { filter }),
    },
    window,
    condition: isChange(form)
      ? { kind: 'change', is, by: bound / 100, against }
      : { kind: 'threshold', is, value: measure === 'share' ? bound / 100 : bound },
    minEvents: numberOf(form.minEvents),
    forMinutes: numberOf(form.forMinutes),
    whenNoData,
  }
}
