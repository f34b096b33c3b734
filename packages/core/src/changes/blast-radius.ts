// The blast radius of a targeting change: every subject is evaluated before and after it by the same evaluator that
// serves flags, limited to the flags that the change can affect. Parts of a large population are counted separately
// and added up.

import type { FlagChanges } from '../contract/blast-radius.ts'
import type { Evaluation } from '../contract/trace.ts'
import { evaluate } from '../evaluation/evaluate.ts'
import type { RuleSet } from '../evaluation/rule-set.ts'
import { limits } from '../limits.ts'

export interface Subject {
  targetingKey: string
  /** The evaluation context of the subject. */
  context: Readonly<Record<string, unknown>>
  sessions: number
  sessionsWithErrors: number
  /** Device of its sessions; empty if it has none. */
  device: string
  /** Flags that its sessions evaluated. */
  read: readonly string[]
}

export interface Compared {
  before: RuleSet
  after: RuleSet
  flags: readonly string[]
  /** What was changed. A changed flag is the first of `flags`. */
  changed: { flag: string } | { segment: string }
  /** The flag whose rule matches are counted, and its rule ids in order. */
  rules?: { flag: string; ids: readonly string[] } | undefined
}

/** Counts subjects one at a time; `changes` can be read at any time. */
export function createBlastRadius(compared: Compared) {
  const { before, after, flags, rules } = compared
  const counted = flags.map((flag): FlagChanges => {
    const isDrafted = rules?.flag === flag
    return {
      ...nothing,
      flag,
      moves: [],
      devices: [],
      rules: isDrafted ? rules.ids.map(() => 0) : [],
      examples: [],
    }
  })
  const ruleAt = new Map(rules?.ids.map((id, index) => [id, index]))
  const hasTurned = findTurned(compared)
  // Prerequisite chains beyond the depth limit can affect flags even if the changed one serves the same variation.
  const areChainsSame = isSameSet(before.unfollowed, after.unfollowed)

  const look = (one: FlagChanges, subject: Subject): boolean => {
    const was = evaluate(before, one.flag, subject.context)
    const is = evaluate(after, one.flag, subject.context)
    const index = is.ruleId === undefined ? undefined : ruleAt.get(is.ruleId)
    if (index !== undefined && index < one.rules.length) one.rules[index] = (one.rules[index] ?? 0) + 1
    if (was.variation !== is.variation) {
      count(one, subject, { from: was.variation ?? null, to: is.variation ?? null })
    }
    return isSameFromAbove(was, is)
  }

  return {
    add(subject: Subject): void {
      if (areChainsSame && hasTurned !== undefined && !hasTurned(subject)) return
      for (const [index, one] of counted.entries()) {
        const isSame = look(one, subject)
        if (index === 0 && isSame && areChainsSame && 'flag' in compared.changed) return
      }
    },
    changes: (): FlagChanges[] => counted,
  }
}

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every((key) => other.has(key))

/** The parts of an evaluation that dependent flags see. */
const isSameFromAbove = (was: Evaluation, is: Evaluation) =>
  was.variation === is.variation && (was.reason === 'DISABLED') === (is.reason === 'DISABLED')

/** Whether a subject entered or left the changed segment. Undefined if only the flags can decide that. */
function findTurned({ before, after, changed }: Compared): ((subject: Subject) => boolean) | undefined {
  if (!('segment' in changed)) return undefined
  const [was, is] = [before, after].map((ruleSet) => ruleSet.segments.get(changed.segment))
  if (was === undefined || is === undefined || was.fault !== undefined || is.fault !== undefined)
    return undefined
  return ({ context }) => {
    try {
      return was.matches(context, before, undefined) !== is.matches(context, after, undefined)
    } catch {
      // Evaluate every flag: its evaluation reports the error.
      return true
    }
  }
}

const nothing = { people: 0, sessions: 0, sessionsWithErrors: 0, exposed: 0 }

function count(one: FlagChanges, subject: Subject, { from, to }: Turn): void {
  const { sessions, sessionsWithErrors, device, targetingKey } = subject
  const exposed = subject.read.includes(one.flag) ? 1 : 0
  one.people += 1
  one.sessions += sessions
  one.sessionsWithErrors += sessionsWithErrors
  one.exposed += exposed
  const move = moveOf(one.moves, from, to)
  move.people += 1
  move.sessions += sessions
  move.exposed += exposed
  if (device !== '') deviceOf(one.devices, device).people += 1
  if (isExample(one, sessions)) addExamples(one, [{ targetingKey, from, to, sessions }])
}

/** Adds up the counts of the same flags over two parts of the population. */
export function addParts(some: readonly FlagChanges[], others: readonly FlagChanges[]): FlagChanges[] {
  return some.map((one) => {
    const other = others.find(({ flag }) => flag === one.flag)
    if (other === undefined) return one
    const sum: FlagChanges = {
      flag: one.flag,
      people: one.people + other.people,
      sessions: one.sessions + other.sessions,
      sessionsWithErrors: one.sessionsWithErrors + other.sessionsWithErrors,
      exposed: one.exposed + other.exposed,
      moves: one.moves.map((move) => ({ ...move })),
      devices: one.devices.map((device) => ({ ...device })),
      rules: one.rules.map((people, index) => people + (other.rules[index] ?? 0)),
      examples: [...one.examples],
    }
    for (const { from, to, people, sessions, exposed } of other.moves) {
      const move = moveOf(sum.moves, from, to)
      move.people += people
      move.sessions += sessions
      move.exposed += exposed
    }
    for (const { device, people } of other.devices) deviceOf(sum.devices, device).people += people
    addExamples(sum, other.examples)
    return sum
  })
}

type Move = FlagChanges['moves'][number]
type Turn = Pick<Move, 'from' | 'to'>

/** Adds an empty move where it is missing. */
function moveOf(moves: Move[], from: Move['from'], to: Move['to']): Move {
  for (const move of moves) if (move.from === from && move.to === to) return move
  const move: Move = { from, to, people: 0, sessions: 0, exposed: 0 }
  moves.push(move)
  return move
}

function deviceOf(devices: FlagChanges['devices'], device: string): FlagChanges['devices'][number] {
  for (const one of devices) if (one.device === device) return one
  const one = { device, people: 0 }
  devices.push(one)
  return one
}

const isExample = ({ examples }: FlagChanges, sessions: number) =>
  examples.length < limits.blastRadiusExamples || sessions > (examples.at(-1)?.sessions ?? 0)

/** Keeps the subjects with the most sessions; ties keep their order of arrival. */
function addExamples(one: FlagChanges, examples: FlagChanges['examples']): void {
  for (const example of examples) {
    if (!isExample(one, example.sessions)) continue
    const at = one.examples.findIndex(({ sessions }) => sessions < example.sessions)
    one.examples.splice(at === -1 ? one.examples.length : at, 0, example)
    one.examples.length = Math.min(one.examples.length, limits.blastRadiusExamples)
  }
}
