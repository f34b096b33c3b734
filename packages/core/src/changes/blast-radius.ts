// Whom a change of targeting would reach: every subject is evaluated before and after it, by the evaluator that serves
// them, with no more flags than the change can have turned. Parts of a large crowd are counted apart and added up.

import type { FlagChanges } from '../contract/blast-radius.ts'
import type { Evaluation } from '../contract/trace.ts'
import { evaluate } from '../evaluation/evaluate.ts'
import type { RuleSet } from '../evaluation/rule-set.ts'
import { limits } from '../limits.ts'

export interface Subject {
  targetingKey: string
  /** What is known of it to evaluate by. */
  context: Readonly<Record<string, unknown>>
  sessions: number
  sessionsWithErrors: number
  /** Of its sessions; empty without any. */
  device: string
  /** The flags that its sessions read. */
  read: readonly string[]
}

export interface Compared {
  before: RuleSet
  after: RuleSet
  flags: readonly string[]
  /** What was changed; a flag is the first of the flags. */
  changed: { flag: string } | { segment: string }
  /** The flag whose rules are counted, and their ids in order. */
  rules?: { flag: string; ids: readonly string[] } | undefined
}

/** Counts one subject after the other; `changes` can be read at any time. */
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
  // What makes chains of prerequisites too long to follow reaches flags without any turn of the changed one.
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

/** The parts of an evaluation that a prerequisite depends on. */
const isSameFromAbove = (was: Evaluation, is: Evaluation) =>
  was.variation === is.variation && (was.reason === 'DISABLED') === (is.reason === 'DISABLED')

/** Whether somebody came into the changed segment or went out of it; nothing where only the flags can tell. */
function findTurned({ before, after, changed }: Compared): ((subject: Subject) => boolean) | undefined {
  if (!('segment' in changed)) return undefined
  const [was, is] = [before, after].map((ruleSet) => ruleSet.segments.get(changed.segment))
  if (was === undefined || is === undefined || was.fault !== undefined || is.fault !== undefined)
    return undefined
  return ({ context }) => {
    try {
      return was.matches(context, before, undefined) !== is.matches(context, after, undefined)
    } catch {
      // The evaluation of each flag says what comes of it.
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

/** The same flags of two parts of the crowd. */
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

/** A new one has nobody yet. */
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

/** Those with the most sessions; ties in order of arrival. */
function addExamples(one: FlagChanges, examples: FlagChanges['examples']): void {
  for (const example of examples) {
    if (!isExample(one, example.sessions)) continue
    const at = one.examples.findIndex(({ sessions }) => sessions < example.sessions)
    one.examples.splice(at === -1 ? one.examples.length : at, 0, example)
    one.examples.length = Math.min(one.examples.length, limits.blastRadiusExamples)
  }
}
