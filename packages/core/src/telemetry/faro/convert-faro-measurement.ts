// Converts a measurement of Faro's client: a web vital, or numbers of the application.

import { type EventOf, type TelemetryEvent, vitalNames } from '../../contract/events.ts'
import { given, type JsonObject, numberIn, objectIn, textIn } from '../json.ts'
import { textsIn } from './read-faro.ts'

interface Vital {
  name: EventOf<'vital'>['name']
  value: number
  target: string | undefined
  /** The client's ID of the page load; that of the page before while the page loads. */
  navigation: string | undefined
  /** After a return from the back/forward cache: of no page load. */
  isOfReturn: boolean
}

const targets = ['element', 'interaction_target', 'largest_shift_target']

/** Undefined when it is no web vital. */
export function readVital(raw: JsonObject): Vital | undefined {
  if (raw.type !== 'web-vitals') return undefined
  const [values, context] = [objectIn(raw, 'values'), objectIn(raw, 'context')]
  const name = vitalNames.find((each) => numberIn(values, each.toLowerCase()) !== undefined)
  if (name === undefined) return undefined
  const isOfLoad = name === 'FCP' || name === 'TTFB'
  return {
    ...{ name, value: numberIn(values, name.toLowerCase()) ?? 0 },
    target: targets.map((member) => textIn(context, member)).find((target) => target !== undefined),
    navigation: isOfLoad ? undefined : textIn(context, 'navigation_entry_id'),
    isOfReturn: context.navigation_type === 'back-forward-cache',
  }
}

/** A single value is that of the event; several are attributes. Undefined without a type. */
export function convertMeasurement(
  raw: JsonObject,
  facts: Pick<TelemetryEvent, 'id' | 'at' | 'context'>,
): TelemetryEvent | undefined {
  const name = textIn(raw, 'type')
  if (name === undefined) return undefined
  const values = textsIn(objectIn(raw, 'values'))
  const [single, ...others] = Object.values(values).filter((value) => typeof value === 'number')
  const attributes = { ...textsIn(objectIn(raw, 'context')), ...values }
  return {
    ...{ ...facts, kind: 'custom', name, attributes },
    ...given('value', others.length === 0 ? single : undefined),
  }
}
