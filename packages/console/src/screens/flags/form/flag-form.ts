// What is typed about a flag, as text, and what is sent of it. What is no value yet stays as it was typed.

import { isSame } from '@telltale/core/changes/same'
import { isKey } from '@telltale/core/keys'
import type { FlagChange, SavedFlag, ValueType } from '../../../api/flags.ts'
import type { Fault } from '../../../api/problem.ts'
import { keyAdvice } from '../../../ui/form/key-of.ts'

export interface VariationForm {
  /** Only here, to tell rows apart. */
  readonly id: number
  readonly key: string
  readonly name: string
  /** The value as it is typed. */
  readonly text: string
  /** Rules may name it by now. */
  readonly isSaved: boolean
}

export interface FlagForm {
  readonly name: string
  readonly description: string
  readonly valueType: ValueType
  readonly variations: readonly VariationForm[]
  /** Empty for none. */
  readonly schema: string
  readonly tags: readonly string[]
  readonly owner: string | null
  readonly permanent: boolean
  /** Empty for none. */
  readonly removeBy: string
  readonly clientVisible: boolean
}

let lastId = 0

export function newVariation(parts: Partial<VariationForm> = {}): VariationForm {
  lastId += 1
  return { key: '', name: '', text: '', isSaved: false, ...parts, id: lastId }
}

/** The value of a text flag is its key until another one is typed. */
export function withKey(
  { key: before, text, isSaved }: VariationForm,
  type: ValueType,
  key: string,
): Partial<VariationForm> {
  const follows = type === 'string' && !isSaved && (text === '' || text === before)
  return { key, ...(follows && { text: key }) }
}

/** The first is the control: what users have today. */
export function firstVariations(type: ValueType): VariationForm[] {
  if (type !== 'boolean') return [newVariation(), newVariation()]
  return [
    newVariation({ key: 'off', name: 'Off', text: 'false' }),
    newVariation({ key: 'on', name: 'On', text: 'true' }),
  ]
}

export function emptyForm(owner: string): FlagForm {
  return {
    name: '',
    description: '',
    valueType: 'boolean',
    variations: firstVariations('boolean'),
    schema: '',
    tags: [],
    owner,
    permanent: false,
    removeBy: '',
    clientVisible: true,
  }
}

export function formOf(flag: SavedFlag): FlagForm {
  return {
    name: flag.name,
    description: flag.description,
    valueType: flag.valueType,
    variations: flag.variations.map(({ key, name, value }) =>
      newVariation({ key, name, text: valueText(flag.valueType, value), isSaved: true }),
    ),
    schema: flag.valueSchema === null ? '' : JSON.stringify(flag.valueSchema, null, 2),
    tags: flag.tags,
    owner: flag.owner,
    permanent: flag.permanent,
    removeBy: flag.removeBy ?? '',
    clientVisible: flag.clientVisible,
  }
}

export function valueText(type: ValueType, value: unknown): string {
  if (type === 'string' && typeof value === 'string') return value
  return JSON.stringify(value, null, type === 'json' ? 2 : 0)
}

/** Undefined for what is no value of the type. */
export function readValue(type: ValueType, text: string): { readonly value: unknown } | undefined {
  if (type === 'string') return { value: text }
  try {
    const value: unknown = JSON.parse(text)
    return type === 'json' || typeof value === type ? { value } : undefined
  } catch {
    // Not JSON yet: the fault is shown at the field.
    return undefined
  }
}

const valueFaults: Record<ValueType, string> = {
  boolean: 'Must be true or false.',
  string: '',
  number: 'Enter a number, such as 12.5.',
  json: 'Must be valid JSON.',
}

/** What can be told without the server, at the places where the server would tell it. */
export function findFaults(form: FlagForm): Fault[] {
  const keys = form.variations.map(({ key }) => key)
  const empty = form.valueType === 'string' ? form.variations.filter(({ text }) => text === '') : []
  return [
    ...(form.name.trim() === '' ? [{ pointer: '/name', message: 'Enter a name.' }] : []),
    ...form.variations.flatMap(({ key, text }, index) => [
      ...(isKey(key) ? [] : [{ pointer: `/variations/${index}/key`, message: keyAdvice }]),
      ...(keys.indexOf(key) < index && key !== ''
        ? [{ pointer: `/variations/${index}/key`, message: 'Another variation already has this key.' }]
        : []),
      ...(readValue(form.valueType, text)
        ? []
        : [{ pointer: `/variations/${index}/value`, message: valueFaults[form.valueType] }]),
    ]),
    ...form.variations.flatMap((variation, index) =>
      empty.length > 1 && empty.includes(variation) && !variation.isSaved
        ? [
            {
              pointer: `/variations/${index}/value`,
              message: 'Enter a value. Only one variation can be empty.',
            },
          ]
        : [],
    ),
    ...(schemaOf(form) === undefined
      ? [{ pointer: '/valueSchema', message: 'A JSON Schema must be a JSON object.' }]
      : []),
  ]
}

/** The fault at a place or below it. */
export function faultAt(faults: readonly Fault[], pointer: string): string | undefined {
  const fault = faults.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))
  if (!fault || fault.pointer === pointer) return fault?.message
  // A sentence of the server about a place inside of what is typed here.
  return `${fault.pointer.slice(pointer.length)} ${fault.message}`
}

/** Everything that can be sent; only for forms without faults. */
export function sentOf(
  form: FlagForm,
): Required<Omit<FlagChange, 'valueSchema' | 'endsEvidenceOf'>> & FlagChange {
  return {
    name: form.name.trim(),
    description: form.description.trim(),
    variations: form.variations.map(({ key, name, text }) => ({
      key,
      name: name.trim() || key,
      value: readValue(form.valueType, text)?.value,
    })),
    valueSchema: schemaOf(form) ?? null,
    tags: [...form.tags],
    owner: form.owner,
    permanent: form.permanent,
    removeBy: form.permanent || form.removeBy === '' ? null : form.removeBy,
    clientVisible: form.clientVisible,
  }
}

/** Only what differs: what somebody else changed elsewhere stays. */
export function changeOf(before: FlagForm, after: FlagForm): FlagChange {
  const old = sentOf(before)
  const next = sentOf(after)
  return {
    ...(old.name === next.name ? {} : { name: next.name }),
    ...(old.description === next.description ? {} : { description: next.description }),
    ...(isSame(old.variations, next.variations) ? {} : { variations: next.variations }),
    ...(isSame(old.valueSchema, next.valueSchema) ? {} : { valueSchema: next.valueSchema ?? null }),
    ...(isSame(old.tags, next.tags) ? {} : { tags: next.tags }),
    ...(old.owner === next.owner ? {} : { owner: next.owner }),
    ...(old.permanent === next.permanent ? {} : { permanent: next.permanent }),
    ...(old.removeBy === next.removeBy ? {} : { removeBy: next.removeBy }),
    ...(old.clientVisible === next.clientVisible ? {} : { clientVisible: next.clientVisible }),
  }
}

/** Whether anything was typed, also what cannot be sent yet. */
export function isEdited(before: FlagForm, after: FlagForm): boolean {
  const typed = ({ variations, ...rest }: FlagForm) => ({
    ...rest,
    variations: variations.map(({ key, name, text }) => ({ key, name, text })),
  })
  return !isSame(typed(before), typed(after))
}

/** My edits on top of what somebody else saved, part by part. */
export function rebased(before: FlagForm, mine: FlagForm, theirs: FlagForm): FlagForm {
  const pick = <Part extends keyof FlagForm>(part: Part): FlagForm[Part] =>
    isEdited(before, { ...before, [part]: mine[part] }) ? mine[part] : theirs[part]
  return {
    name: pick('name'),
    description: pick('description'),
    valueType: theirs.valueType,
    variations: pick('variations'),
    schema: pick('schema'),
    tags: pick('tags'),
    owner: pick('owner'),
    permanent: pick('permanent'),
    removeBy: pick('removeBy'),
    clientVisible: pick('clientVisible'),
  }
}

/** Null for none, undefined for what is no schema. */
function schemaOf({ schema }: FlagForm): Record<string, unknown> | null | undefined {
  if (schema.trim() === '') return null
  const read = readValue('json', schema)?.value
  return isRecord(read) ? read : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
