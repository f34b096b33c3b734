// What an import could not carry over, by kind. The report lists every note with its flag or segment.

import type { ImportNote, importOutcomes } from '../contract/flag-imports.ts'

type Outcome = (typeof importOutcomes)[number]

export const noteKinds = {
  percentage: ['reassigned', 'Shares are kept. The hash differs, so users are assigned again.'],
  renamed: [
    'approximated',
    'Keys have only lower case letters, digits, dot, hyphen and underscore. Change the key in your code.',
  ],
  'numbers-as-text': ['approximated', 'Text such as "5" also counts as a number here.'],
  'numbers-in-text': ['approximated', 'Text operators match no numbers here.'],
  'odd-numbers': ['approximated', 'Only plain numbers are read from text here, not "", " 5 " or "5px".'],
  'odd-dates': [
    'approximated',
    'Only dates with time and time zone, such as 2026-01-31T12:00:00Z, are compared here.',
  ],
  'partial-versions': ['approximated', 'Only full versions such as 1.2.0 match here, not "1.2" or "v1.2.0".'],
  lists: ['approximated', 'Attributes that are lists are compared in another way here.'],
  'letter-case': ['approximated', 'Upper and lower case are distinguished here.'],
  types: ['approximated', 'Values of other types are not converted here.'],
  'current-time': [
    'approximated',
    'Dates are compared with the attribute currentTime: send it in the context.',
  ],
  'blocked-value': [
    'approximated',
    'Without its prerequisite, the flag serves its off variation here, not null.',
  ],
  'no-off-value': [
    'approximated',
    'The flag had no off variation, so the default in code was used. The first or false one is served.',
  ],
  'random-share': [
    'approximated',
    'Users were drawn at random for each evaluation. Here they keep their variation.',
  ],
  'missing-id': ['approximated', 'Users without the attribute of the percentage are not included here.'],
  expression: ['left-out', 'The regular expression is not supported here: RE2 syntax, of limited size.'],
  operator: ['left-out', 'The operator or its value is not supported.'],
  strategy: ['left-out', 'The strategy is not supported.'],
  segment: ['left-out', 'The segment is not in the document, or its members are not.'],
  dependency: [
    'left-out',
    'The dependency cannot be a prerequisite. The flag is off where it would be wider without it.',
  ],
  payload: ['left-out', 'Payloads are not imported: create a JSON flag for them.'],
  holdout: ['left-out', 'Holdouts are not imported: create one for the environment.'],
  'early-access': ['left-out', 'Enrollment in early access is not imported.'],
  'relative-date': ['left-out', 'Dates relative to the time of evaluation are not supported.'],
  archived: ['left-out', 'The flag is archived.'],
  limits: ['left-out', 'It exceeds a limit of flags or segments.'],
  malformed: ['left-out', 'It is incomplete or refers to something that is missing.'],
} as const satisfies Record<string, readonly [Outcome, string]>

export type NoteCode = keyof typeof noteKinds

/** Thrown for a part that cannot be imported; the rule around it is left out. */
export class NotCarried extends Error {
  readonly code: NoteCode
  constructor(code: NoteCode, what: string) {
    super(what)
    this.code = code
  }
}

export interface Notes {
  add(code: NoteCode, what: string): void
}

export interface Report {
  readonly notes: ImportNote[]
  of(subject: { flag: string } | { segment: string }): Notes
}

/** Collects notes; the same one about a flag or segment is kept once. */
export function createReport(): Report {
  const notes = new Map<string, ImportNote>()
  return {
    get notes() {
      return [...notes.values()]
    },
    of(subject) {
      const [flag, segment] = 'flag' in subject ? [subject.flag, null] : [null, subject.segment]
      return {
        add(code, given) {
          const [outcome, why] = noteKinds[code]
          const what = given.length > 200 ? `${given.slice(0, 199)}…` : given
          const id = JSON.stringify([flag, segment, code, what])
          if (!notes.has(id)) notes.set(id, { flag, segment, outcome, code, what, why })
        },
      }
    },
  }
}

/** The result of `build`; undefined, with a note, for what cannot be carried. */
export function tryCarry<Value>(notes: Notes, what: string, build: () => Value): Value | undefined {
  try {
    return build()
  } catch (error) {
    if (!(error instanceof NotCarried)) throw error
    notes.add(error.code, `${what}: ${error.message}`)
    return undefined
  }
}
