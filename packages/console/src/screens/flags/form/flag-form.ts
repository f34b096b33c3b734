// The typed fields of a flag as text, and the request built from them. Invalid input stays as typed.

import { isSame } from '@telltale/core/changes/same'
import { isKey } from '@telltale/core/keys'
import type { FlagChange, SavedFlag, ValueType } from '../../../api/flags.ts'
import type { Fault } from '../../../api/problem.ts'
import { keyAdvice } from '../../../ui/form/key-advice.ts'

export interface VariationForm {
  /** Local row id. */
  readonly id: number
  readonly key: string
  readonly name: string
  /** The value as typed. */
  readonly text: string
  /** Existing variations may be used by rules. */
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
  /** Ids of accounts. */
  readonly owners: readonly string[]
  /** Ids of teams. */
  readonly ownerTeams: readonly string[]
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

/** The value of a text flag equals its key until it is edited. */
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
    owners: [owner],
    ownerTeams: [],
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
    owners: flag.owners,
    ownerTeams: flag.ownerTeams,
    permanent: flag.permanent,
    removeBy: flag.removeBy ?? '',
    clientVisible: flag.clientVisible,
  }
}

export function valueText(type: ValueType, value: unknown): string {
  if (type === 'string' && typeof value === 'string') return value
  return JSON.stringify(value, null, type === 'json' ? 2 : 0)
}

/** Undefined if the text is not a value of the type. */
function readValue(type: ValueType, text: string): { readonly value: unknown } | undefined {
  if (type === 'string') return { value: text }
  try {
    const value: unknown = JSON.parse(text)
    return type === 'json' || typeof value === type ? { value } : undefined
  } catch {
    // Not valid JSON yet: the field shows the error.
    return undefined
  }
}

const valueFaults: Record<ValueType, string> = {
  boolean: 'Must be true or false.',
  string: '',
  number: 'Enter a number, such as 12.5.',
  json: 'Must be valid JSON.',
}

/** Validation possible without the server, at the server's pointers. */
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

/** The fault at a pointer or below it. */
export function faultAt(faults: readonly Fault[], pointer: string): string | undefined {
  const fault = faults.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))
  if (!fault || fault.pointer === pointer) return fault?.message
  // The server's message about a part inside a field.
  return `${fault.pointer.slice(pointer.length)} ${fault.message}`
}

/** The complete request; only for forms without faults. */
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
    owners: [...form.owners],
    ownerTeams: [...form.ownerTeams],
    permanent: form.permanent,
    removeBy: form.permanent || form.removeBy === '' ? null : form.removeBy,
    clientVisible: form.clientVisible,
  }
}

/** Only the differences, so that changes of other members are not overwritten. */
export function changeOf(before: FlagForm, after: FlagForm): FlagChange {
  const old = sentOf(before)
  const next = sentOf(after)
  return {
    ...(old.name === next.name ? {} : { name: next.name }),
    ...(old.description === next.description ? {} : { description: next.description }),
    ...(isSame(old.variations, next.variations) ? {} : { variations: next.variations }),
    ...(isSame(old.valueSchema, next.valueSchema) ? {} : { valueSchema: next.valueSchema ?? null }),
    ...(isSame(old.tags, next.tags) ? {} : { tags: next.tags }),
    ...(isSame(old.owners, next.owners) ? {} : { owners: next.owners }),
    ...(isSame(old.ownerTeams, next.ownerTeams) ? {} : { ownerTeams: next.ownerTeams }),
    ...(old.permanent === next.permanent ? {} : { permanent: next.permanent }),
    ...(old.removeBy === next.removeBy ? {} : { removeBy: next.removeBy }),
    ...(old.clientVisible === next.clientVisible ? {} : { clientVisible: next.clientVisible }),
  }
}

/** Whether any field was edited, including invalid input. */
export function isEdited(before: FlagForm, after: FlagForm): boolean {
  const typed = ({ variations, ...rest }: FlagForm) => ({
    ...rest,
    variations: variations.map(({ key, name, text }) => ({ key, name, text })),
  })
  return !isSame(typed(before), typed(after))
}

/** My edits rebased on the version another member saved, part by part. */
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
    owners: pick('owners'),
    ownerTeams: pick('ownerTeams'),
    permanent: pick('permanent'),
    removeBy: pick('removeBy'),
    clientVisible: pick('clientVisible'),
  }
}

/** Null for no schema, undefined for an invalid one. */
function schemaOf({ schema }: FlagForm): Record<string, unknown> | null | undefined {
  if (schema.trim() === '') return null
  const read = readValue('json', schema)?.value
  return isRecord(read) ? read : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
