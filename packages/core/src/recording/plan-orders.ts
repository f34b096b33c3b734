// Plans which sessions are recorded and profiled: those that an open question lacks more often, all others less often,
// so that a day stores as much as without orders. Each order has a quota, and both sides of a question have the same,
// so that a verdict has sessions of both.

import { recordingLimits } from '../recording-limits.ts'
import type { OrderTarget, RecordingOrder, RecordingRates } from './chance.ts'

type RecordingKind = keyof RecordingRates
const kinds = ['replay', 'profile'] as const satisfies readonly RecordingKind[]

/** Sessions that a question needs, as counted so far. */
export interface QuestionPart {
  target: OrderTarget
  /** Expected sessions of a day. */
  sessionsPerDay: number
  /** Recordings of the last day, and how many are wanted. */
  replay: Quota
  profile: Quota
}

export interface Quota {
  recorded: number
  wanted: number
}

export interface OpenQuestion {
  kind: 'rollout' | 'suspect' | 'issue'
  id: string
  /** First those of whole arms. Parts that differ by their variation alone are ordered together. */
  parts: readonly QuestionPart[]
}

/** A kind of recordings of an environment. */
export interface RecordingBudget {
  /** Percent of sessions that the environment permits; with 0 nothing is ordered. */
  rate: number
  /** Stored today, in recordings of the usual size. */
  spent: number
}

export interface RecordedSite {
  sessionsToday: number
  /** Expected until the end of the day. */
  sessionsLeft: number
  replay: RecordingBudget
  profile: RecordingBudget
}

export interface PlannedOrder extends RecordingOrder {
  question: Pick<OpenQuestion, 'kind' | 'id'>
  /** Recordings that it is expected to add until the end of the day. */
  cost: RecordingRates
}

export interface RecordingPlan {
  /** Percent of sessions that match no order. */
  base: RecordingRates
  orders: PlannedOrder[]
}

const { ordersAtMost, orderBaseLeast, orderHorizon } = recordingLimits
const day = 86_400_000
/** A rate that is hardly above the base is not worth an order. */
const worthwhile = 1.2

/** Parts that are ordered together: the same sessions of each arm. */
interface Group {
  question: OpenQuestion
  parts: QuestionPart[]
  /** 0 for whole arms; otherwise the position of its first part. */
  position: number
}

export function planOrders(site: RecordedSite, questions: readonly OpenQuestion[]): RecordingPlan {
  const groups = chooseGroups(site, questions)
  const [replay, profile] = [planKind('replay', site, groups), planKind('profile', site, groups)]
  const base = { replay: replay.base, profile: profile.base }
  const orders = groups.flatMap(({ question, parts }) =>
    parts.flatMap((part): PlannedOrder[] => {
      const [recorded, profiled] = [replay.orders.get(part), profile.orders.get(part)]
      if (recorded === undefined && profiled === undefined) return []
      return [
        {
          ...part.target,
          replay: recorded?.rate ?? base.replay,
          profile: profiled?.rate ?? base.profile,
          question: { kind: question.kind, id: question.id },
          cost: { replay: recorded?.cost ?? 0, profile: profiled?.cost ?? 0 },
        },
      ]
    }),
  )
  return { base, orders }
}

/**
 * Whole groups, so that no side of a question is ordered alone. Arms of all questions come before their pages, and then
 * what costs least, so that most questions are answered.
 */
function chooseGroups(site: RecordedSite, questions: readonly OpenQuestion[]): Group[] {
  const costOf = ({ parts }: Group, kind: RecordingKind) =>
    parts.reduce((sum, part) => sum + needOf(kind, part, site), 0)
  const chosen: Group[] = []
  let count = 0
  for (const group of questions
    .flatMap(groupsOf)
    .filter((each) => kinds.some((kind) => site[kind].rate > 0 && costOf(each, kind) > 0))
    .toSorted(
      (one, other) =>
        Math.sign(one.position) - Math.sign(other.position) ||
        costOf(one, 'replay') - costOf(other, 'replay'),
    )) {
    if (count + group.parts.length > ordersAtMost.value) continue
    count += group.parts.length
    chosen.push(group)
  }
  return chosen
}

/** Of one question. */
function groupsOf(question: OpenQuestion): Group[] {
  const groups = new Map<string, Group>()
  question.parts.forEach((part, position) => {
    const { variation: _, ...sessions } = part.target
    const name = JSON.stringify(sessions)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, { question, parts: [part], position })
    else group.parts.push(part)
  })
  return [...groups.values()]
}

interface KindPlan {
  base: number
  orders: Map<QuestionPart, { rate: number; cost: number }>
}

function planKind(kind: RecordingKind, site: RecordedSite, groups: readonly Group[]): KindPlan {
  const { rate, spent } = site[kind]
  const { sessionsToday, sessionsLeft } = site
  const orders: KindPlan['orders'] = new Map()
  if (rate <= 0 || sessionsLeft <= 0) return { base: rate, orders }
  const left = Math.max(0, (rate / 100) * (sessionsToday + sessionsLeft) - spent)
  const least = rate * orderBaseLeast.value
  let available = Math.max(0, left - (least / 100) * sessionsLeft)
  let total = 0
  /** Of whole arms, which contain their pages. */
  const arms = new Map<string, number>()
  for (const { question, parts, position } of groups) {
    const lacking = parts.flatMap((part) => {
      const [lack, need] = [lackOf(kind, part), needOf(kind, part, site)]
      const arm = `${question.id} ${part.target.variation}`
      const already = position === 0 ? rate : (arms.get(arm) ?? rate)
      const wanted = rateFor(lack, part)
      // What is recorded anyway costs nothing.
      return wanted < worthwhile * already ? [] : [{ part, arm, cost: need * (1 - already / wanted), lack }]
    })
    const cost = lacking.reduce((sum, each) => sum + each.cost, 0)
    if (cost === 0) continue
    // The same share for each side.
    const share = Math.min(1, available / cost)
    for (const each of lacking) {
      const wanted = rateFor(share * each.lack, each.part)
      if (wanted < worthwhile * rate) continue
      orders.set(each.part, { rate: wanted, cost: share * each.cost })
      total += share * each.cost
      available -= share * each.cost
      if (position === 0) arms.set(each.arm, wanted)
    }
  }
  const base = Math.min(rate, Math.max(least, (100 * (left - total)) / sessionsLeft))
  return { base: rounded(base), orders }
}

/** Recordings that a part lacks. */
function lackOf(kind: RecordingKind, part: QuestionPart): number {
  const { recorded, wanted } = part[kind]
  return Math.max(0, wanted - recorded)
}

/** How many of them can still come today. */
function needOf(
  kind: RecordingKind,
  part: QuestionPart,
  { sessionsToday, sessionsLeft }: RecordedSite,
): number {
  const toCome = (part.sessionsPerDay * sessionsLeft) / (sessionsToday + sessionsLeft)
  return Math.min(lackOf(kind, part), toCome)
}

/** The percentage that fills a need within the horizon. */
function rateFor(need: number, { sessionsPerDay }: QuestionPart): number {
  const soon = (sessionsPerDay * orderHorizon.value) / day
  return need <= 0 ? 0 : rounded(Math.min(100, (100 * need) / Math.max(soon, 1e-6)))
}

/** Two digits after the point: short in the answer to browsers, and the probabilities are these exact numbers. */
const rounded = (percent: number) => Math.round(percent * 100) / 100
