// A site with a rollout under a guard that looks when a test says so: people come through the telemetry store and are counted by
// delivery, as far as nothing was cut.
import type { Evaluation } from '@telltale/core/contract/trace'
import { inviteVisitors, type Visitors } from '../../packages/server/src/guard/evidence/testing/visitors.ts'
import type { Guard } from '../../packages/server/src/guard/looks/guard.ts'
import { getRollout } from '../../packages/server/src/guard/rollouts/queries.ts'
import { sendEvents } from '../../packages/server/src/platform/engines/clickhouse/schema/testing/guard-events.ts'
import { type SomePerson, startTelltale, type Telltale } from '../start.ts'

export const minute = 60_000

export interface SiteDraft {
  flag: string
  errors?: { treatment: number; control: number }
  lcp?: { treatment: number; control: number }
  silent?: 'treatment' | 'control'
  /** Of the rollout. */
  more?: object
}

export const stage = (weight: number, more: object = {}) => ({
  weight,
  minDuration: 3 * minute,
  minUnits: 100,
  needsApproval: false,
  ...more,
})

const usualMetrics = ['users-with-an-error', 'lcp'].map((metric) => ({
  metric,
  limit: 0.3,
  role: 'required',
  onRegression: 'roll-back',
}))

let sites = 0

export class GuardedSite {
  readonly flag: string
  readonly path: string
  visitors: Visitors
  #batches = 0
  readonly #telltale: Telltale
  readonly #owner: SomePerson
  readonly #project: { key: string; id: string }

  private constructor(
    telltale: Telltale,
    owner: SomePerson,
    made: { flag: string; path: string; visitors: Visitors; project: { key: string; id: string } },
  ) {
    this.#telltale = telltale
    this.#owner = owner
    this.#project = made.project
    this.flag = made.flag
    this.path = made.path
    this.visitors = made.visitors
  }

  static async open(
    telltale: Telltale,
    owner: SomePerson,
    { flag, errors, lcp, silent, more = {} }: SiteDraft,
  ): Promise<GuardedSite> {
    const ask = askAsOwner(telltale, owner)
    const { path, split } = await startRollout(ask, flag, more)
    const { id: environment } = await ask('GET', '/environments/staging')
    const project = { key: 'shop', id: (await ask('GET', '')).id }
    sites += 1
    const harmless = { treatment: 0.05, control: 0.05 }
    const same = { treatment: 1_500, control: 1_500 }
    const site = {
      environment,
      split,
      errors: errors ?? harmless,
      lcp: lcp ?? same,
      silent,
    }
    return new GuardedSite(telltale, owner, { flag, path, project, visitors: inviteVisitors(site, sites) })
  }

  /** Another rollout of the same flag, after this one has ended. */
  async another({ errors, more = {} }: Pick<SiteDraft, 'errors' | 'more'>): Promise<GuardedSite> {
    const ask = askAsOwner(this.#telltale, this.#owner)
    const { path, split } = await startDraft(ask, `/environments/staging/flags/${this.flag}`, more)
    const { id: environment } = await ask('GET', '/environments/staging')
    sites += 1
    const same = { treatment: 1_500, control: 1_500 }
    const site = { environment, split, errors: errors ?? { treatment: 0.05, control: 0.05 }, lcp: same }
    const visitors = inviteVisitors(site, sites)
    return new GuardedSite(this.#telltale, this.#owner, {
      flag: this.flag,
      path,
      project: this.#project,
      visitors,
    })
  }

  ask(method: string, rest = '', body?: unknown) {
    return askAsOwner(this.#telltale, this.#owner)(method, this.path + rest, body)
  }

  get services() {
    return this.#telltale.running.services
  }

  /** People come, a minute passes, and the guard looks. */
  async pass(
    people: number,
    {
      guard = this.services.guard,
      isCut = false,
      later = minute,
    }: { guard?: Guard; isCut?: boolean; later?: number } = {},
  ): Promise<void> {
    this.#telltale.passTime(later)
    await this.visit(people, { isCut })
    await guard.look()
  }

  /** What delivery serves is counted even where telemetry is cut. */
  async visit(people: number, { isCut = false }: { isCut?: boolean } = {}): Promise<void> {
    const { row } = await getRollout(this.services.db, this.#project.id, this.path.slice('/rollouts/'.length))
    const { overlay } = row
    if (overlay === null) return
    const weight = (variation: string) => overlay.arms.find((arm) => arm.variation === variation)?.weight ?? 0
    const share = weight('on') / (weight('on') + weight('off'))
    const at = new Date(this.services.clock().getTime() - 1_000)
    const came = this.visitors.arrive(people, at, { epoch: overlay.epoch, share })
    await this.#count(row.environmentId, overlay, people)
    if (isCut || came.length === 0) return
    const events = came.map((event) => ({
      ...event,
      arms: event.arms.map((arm) => ({ ...arm, arm: arm.arm === 'treatment' ? 'on' : 'off' })),
    }))
    this.#batches += 1
    await sendEvents(this.services.telemetry, events, `${this.flag}-${this.path.slice(-12)}-${this.#batches}`)
  }

  async #count(environmentId: string, split: { id: string; epoch: number; by: string }, people: number) {
    const evaluation: Evaluation = {
      value: false,
      variation: 'off',
      reason: 'SPLIT',
      ruleId: undefined,
      split,
      prerequisite: undefined,
      overridden: false,
      errorCode: undefined,
    }
    const { evaluationCounts } = this.services
    evaluationCounts.counterOf(environmentId, this.flag, evaluation).count += people
    await evaluationCounts.flush()
  }

  /** Nobody looks after it any more. */
  async end(): Promise<void> {
    const { endedAt } = await this.ask('GET')
    if (endedAt === null) await this.ask('POST', '/roll-back', {})
  }

  log(): Promise<string[]> {
    return decisionsOf(askAsOwner(this.#telltale, this.#owner), this.path)
  }
}

export type Ask = ReturnType<typeof askAsOwner>

/** Calls of the project, which have to succeed. */
export function askAsOwner(telltale: Telltale, owner: SomePerson) {
  return async (method: string, rest: string, body?: unknown) => {
    const path = `/api/v1/projects/shop${rest}`
    const answer = await telltale.request(method, path, { as: owner, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}

/** Of a new flag, from `off` to `on`. */
export async function startRollout(ask: Ask, flag: string, more: object) {
  const at = `/environments/staging/flags/${flag}`
  await ask('POST', '/flags', { key: flag, name: flag, valueType: 'boolean', clientVisible: true })
  const { version, salt: _salt, savedAt: _savedAt, ...config } = await ask('GET', `${at}/config`)
  await ask('PUT', `${at}/config`, { ...config, enabled: true, fallthrough: { variation: 'off' }, version })
  return startDraft(ask, at, more)
}

async function startDraft(ask: Ask, at: string, more: object) {
  const drafted = await ask('POST', `${at}/rollouts`, {
    treatment: 'on',
    stages: [stage(10_000), stage(50_000), stage(100_000)],
    metrics: usualMetrics,
    ...more,
  })
  const path = `/rollouts/${drafted.id}`
  const { split } = await ask('POST', `${path}/start`, { turn: drafted.turn })
  return { path, split: String(split), at }
}

/** Action, reason and metric of everything that was decided, the oldest first. */
export async function decisionsOf(ask: Ask, rollout: string): Promise<string[]> {
  const { items } = await ask('GET', `${rollout}/decisions`)
  return items
    .map(({ action, reason, metric }: Record<string, string | null>) =>
      [action, reason, metric].filter(Boolean).join(' '),
    )
    .reverse()
}

/** A server with a project whose guard looks when a test says so, and its owner. */
export async function startGuardedShop() {
  const telltale = await startTelltale({ telemetry: true, settings: guardWaits })
  const owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  return { telltale, owner }
}

export const guardWaits = { TELLTALE_GUARD_INTERVAL: '3600000', TELLTALE_MANAGEMENT_RATE: '100000' }
