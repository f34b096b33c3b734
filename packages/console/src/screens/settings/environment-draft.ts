import type { Environment, EnvironmentChange } from '../../api/environments.ts'
import type { Fault } from '../../api/problem.ts'
import {
  isSameRules,
  type RuleFaults,
  type RuleRow,
  rowsOf,
  ruleFaults,
  ruleFaultsOf,
  rulesOf,
} from './privacy-rule-draft.ts'
import {
  isSameRequests,
  type RequestFaults,
  type RequestRow,
  requestFaults,
  requestFaultsOf,
  requestRowsOf,
  requestRulesOf,
} from './request-rule-draft.ts'

/** The settings of an environment as the form edits them: numbers as text, lists as lines. */
export type EnvironmentValues = Pick<
  Environment,
  | 'name'
  | 'colour'
  | 'timeZone'
  | 'protected'
  | 'approvalRequired'
  | 'approvals'
  | 'ownerApproval'
  | 'privacyLevel'
  | 'unmaskAllowed'
  | 'consoleRecorded'
  | 'aaTest'
  | 'recordingOrders'
> &
  Record<NumberField | ListField, string> & {
    privacyRules: readonly RuleRow[]
    requestRules: readonly RequestRow[]
  }

export type NumberField = (typeof numberFields)[number]['field']
export type ListField = (typeof listFields)[number]
export type FieldFaults = {
  readonly [Field in keyof Omit<EnvironmentValues, 'privacyRules' | 'requestRules'>]?: string
} & {
  readonly privacyRules?: RuleFaults
  readonly requestRules?: RequestFaults
}
type MutableFaults = { -readonly [Field in keyof FieldFaults]: FieldFaults[Field] }

const percent = { least: 0, most: 100 }

/** Each number with its path in the entity. */
const numberFields = [
  { field: 'sessionShare', of: 'sampling', member: 'session', ...percent },
  { field: 'replayShare', of: 'sampling', member: 'replay', ...percent },
  { field: 'profileShare', of: 'sampling', member: 'profile', ...percent },
] as const

const listFields = ['allowedOrigins', 'privateTraits', 'sensitiveTraits'] as const

export function valuesOf(environment: Environment): EnvironmentValues {
  const { sampling } = environment
  return {
    name: environment.name,
    colour: environment.colour,
    timeZone: environment.timeZone,
    protected: environment.protected,
    approvalRequired: environment.approvalRequired,
    approvals: environment.approvals,
    ownerApproval: environment.ownerApproval,
    privacyLevel: environment.privacyLevel,
    unmaskAllowed: environment.unmaskAllowed,
    privacyRules: rowsOf(environment.privacyRules),
    consoleRecorded: environment.consoleRecorded,
    requestRules: requestRowsOf(environment.requestRules),
    aaTest: environment.aaTest,
    recordingOrders: environment.recordingOrders,
    allowedOrigins: environment.allowedOrigins.join('\n'),
    privateTraits: environment.privateTraits.join('\n'),
    sensitiveTraits: environment.sensitiveTraits.join('\n'),
    sessionShare: String(sampling.session),
    replayShare: String(sampling.replay),
    profileShare: String(sampling.profile),
  }
}

/** The request contains only the differences, so that concurrent edits of different fields are both kept. */
export function changeOf(values: EnvironmentValues, base: Environment): EnvironmentChange {
  const before = valuesOf(base)
  const rules = rulesOf(values.privacyRules)
  const requestRules = requestRulesOf(values.requestRules)
  const sampling: Record<string, number> = {}
  for (const { field, member } of numberFields) {
    if (values[field].trim() === before[field]) continue
    sampling[member] = Number(values[field])
  }
  return {
    ...(values.name.trim() === before.name ? {} : { name: values.name.trim() }),
    ...(values.colour === before.colour ? {} : { colour: values.colour }),
    ...(values.timeZone.trim() === before.timeZone ? {} : { timeZone: values.timeZone.trim() }),
    ...(values.protected === before.protected ? {} : { protected: values.protected }),
    ...(values.approvalRequired === before.approvalRequired
      ? {}
      : { approvalRequired: values.approvalRequired }),
    ...(values.approvals === before.approvals ? {} : { approvals: values.approvals }),
    ...(values.ownerApproval === before.ownerApproval ? {} : { ownerApproval: values.ownerApproval }),
    ...(values.aaTest === before.aaTest ? {} : { aaTest: values.aaTest }),
    ...(values.recordingOrders === before.recordingOrders ? {} : { recordingOrders: values.recordingOrders }),
    ...(values.privacyLevel === before.privacyLevel ? {} : { privacyLevel: values.privacyLevel }),
    ...(values.unmaskAllowed === before.unmaskAllowed ? {} : { unmaskAllowed: values.unmaskAllowed }),
    ...(isSameRules(rules, base.privacyRules) ? {} : { privacyRules: rules }),
    ...(values.consoleRecorded === before.consoleRecorded ? {} : { consoleRecorded: values.consoleRecorded }),
    ...(isSameRequests(requestRules, base.requestRules) ? {} : { requestRules }),
    ...listChanges(values, before),
    ...(Object.keys(sampling).length > 0 ? { sampling } : {}),
  }
}

function listChanges(values: EnvironmentValues, before: EnvironmentValues): EnvironmentChange {
  const changed = listFields.filter((field) => linesOf(values[field]).join('\n') !== before[field])
  return Object.fromEntries(changed.map((field) => [field, linesOf(values[field])]))
}

/** One entry per line; empty lines and duplicates are dropped. */
export function linesOf(text: string): string[] {
  const lines = text.split(/[\n,]/).map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

export function findFaults(values: EnvironmentValues): FieldFaults {
  const faults: MutableFaults = {}
  if (values.name.trim() === '') faults.name = 'Enter a name.'
  if (values.timeZone.trim() === '') faults.timeZone = 'Choose a time zone.'
  for (const { field, least, most } of numberFields) {
    const number = Number(values[field])
    const isGood = values[field].trim() !== '' && number >= least && number <= most
    if (!isGood) faults[field] = `Enter a number from ${least} to ${most}.`
  }
  const wrong = linesOf(values.allowedOrigins).find((line) => !/^https?:\/\/[^/?#@\s]+\/?$/.test(line))
  if (wrong !== undefined) {
    faults.allowedOrigins = `${wrong} is not an origin. Enter for example https://shop.example, without a path.`
  }
  const wrongRules = ruleFaults(values.privacyRules)
  if (Object.keys(wrongRules).length > 0) faults.privacyRules = wrongRules
  const wrongRequests = requestFaults(values.requestRules)
  if (Object.keys(wrongRequests).length > 0) faults.requestRules = wrongRequests
  return faults
}

/** The server's faults by field; for a list, with the line. */
export function faultsOf(errors: readonly Fault[], change: EnvironmentChange): FieldFaults {
  const faults: MutableFaults = {
    privacyRules: ruleFaultsOf(errors),
    requestRules: requestFaultsOf(errors, change.requestRules),
  }
  for (const { pointer, message } of errors) {
    const [first = '', second = ''] = pointer.split('/').slice(1)
    const number = numberFields.find(({ of, member }) => of === first && member === second)
    const list = listFields.find((field) => field === first)
    if (number) faults[number.field] = message
    else if (list) faults[list] = `${change[list]?.[Number(second)] ?? ''} ${message}`.trim()
    else if (first === 'name' || first === 'timeZone') faults[first] = message
  }
  return faults
}
