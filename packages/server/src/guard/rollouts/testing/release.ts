// A project for tests of rollouts: members act through the API, and the guard looks at injected observations.

import type { Finding } from '@telltale/core/guard/judge-metric'
import { lookAt } from '@telltale/core/guard/look'
import type { Look } from '@telltale/core/guard/rollout'
import { type Answer, type SomePerson, startTelltale, type Telltale } from '../../../../../../test/start.ts'
import { applyTurn } from '../apply-turn.ts'
import { findRunning, planOf, standingOf } from '../queries.ts'

export interface Release extends AsyncDisposable {
  telltale: Telltale
  owner: SomePerson
  ask(method: string, path: string, body?: unknown, as?: SomePerson): Promise<Answer>
  /** An enabled flag with `on` and `off` that serves `off`; returns its path. */
  flag(key: string, config?: object, env?: string): Promise<string>
  save(at: string, changes: object, more?: object): Promise<Answer>
  /** A draft rollout of `on`; returns its path. */
  draft(at: string, plan?: object): Promise<string>
  /** The same, started. */
  start(at: string, plan?: object): Promise<string>
  /** A member's action on the rollout in its current state. */
  act(rollout: string, action: string, as?: SomePerson): Promise<Answer>
  read(rollout: string): Promise<Answer['body']>
  log(rollout: string): Promise<string[]>
  /** One look, some time later; false if there was another decision in between. */
  look(rollout: string, seen?: Seen): Promise<boolean>
}

export interface Seen {
  states?: Record<string, Finding['state']>
  later?: number
  more?: Partial<Look>
}

export const minute = 60_000

export const stage = (weight: number, more: object = {}) => ({
  weight,
  minDuration: minute,
  minUnits: 100,
  needsApproval: false,
  ...more,
})

export const threeStages = [stage(10_000), stage(50_000), stage(100_000)]

export const guarded = [
  { metric: 'users-with-an-error', limit: 0.25, role: 'required', onRegression: 'roll-back' },
  { metric: 'lcp', limit: 0.05, role: 'watched', onRegression: 'hold' },
]

/** Disables the guard's own looks, so that tests inject its observations. */
export const noGuard = { TELLTALE_GUARD_INTERVAL: '3600000' }

const project = '/api/v1/projects/shop'

export async function startRelease(options: { telemetry?: boolean } = {}): Promise<Release> {
  const telltale = await startTelltale({ ...options, settings: noGuard })
  const owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  const { db, clock } = telltale.running.services

  const ask: Release['ask'] = async (method, path, ...[body, as = owner]) =>
    telltale.request(method, project + path, { as, ...(body === undefined ? {} : { body }) })
  const must = async (...requested: Parameters<Release['ask']>) => {
    const answer = await ask(...requested)
    if (answer.status < 300) return answer
    throw new Error(`${requested[0]} ${requested[1]} ${JSON.stringify(answer.body)}`)
  }
  const save: Release['save'] = async (at, changes, more = {}) => {
    const { body } = await must('GET', `${at}/config`)
    const { version, salt: _salt, savedAt: _savedAt, ...config } = body
    return ask('PUT', `${at}/config`, { ...config, ...changes, ...more, version })
  }
  const draft: Release['draft'] = async (at, plan = {}) => {
    const body = { treatment: 'on', stages: threeStages, metrics: guarded, ...plan }
    const made = await must('POST', `${at}/rollouts`, body)
    return `/rollouts/${made.body.id}`
  }
  const read: Release['read'] = async (rollout) => (await must('GET', rollout)).body

  const act: Release['act'] = async (rollout, action, as = owner) => {
    const { turn } = await read(rollout)
    return ask('POST', `${rollout}/${action}`, { turn }, as)
  }

  return {
    telltale,
    owner,
    ask,
    save,
    draft,
    read,
    act,
    flag: async (key, config = {}, env = 'development') => {
      await must('POST', '/flags', { key, name: key, valueType: 'boolean', clientVisible: true })
      const at = `/environments/${env}/flags/${key}`
      const saved = await save(at, { enabled: true, fallthrough: { variation: 'off' }, ...config })
      if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
      return at
    },
    start: async (at, plan) => {
      const rollout = await draft(at, plan)
      const started = await act(rollout, 'start')
      if (started.status !== 200) throw new Error(JSON.stringify(started.body))
      return rollout
    },
    log: async (rollout) => {
      const { body } = await must('GET', `${rollout}/decisions`)
      const said = ({ action, reason, refused }: Record<string, string | null>) =>
        [action, reason, refused].filter(Boolean).join(' ')
      return body.items.map(said).reverse()
    },
    look: async (rollout, { states = {}, later = minute, more = {} } = {}) => {
      telltale.passTime(later)
      const id = rollout.split('/').at(-1)
      const before = (await findRunning(db)).find(({ row }) => row.id === id)
      if (before === undefined) throw new Error(`${rollout} is not running`)
      const look: Look = {
        now: clock().getTime(),
        flag: 'on',
        signal: {
          spoolLag: 0,
          evaluations: 500,
          heard: { treatment: 500, control: 500 },
          expected: { treatment: 500, control: 500 },
          isFresh: true,
        },
        evidence: {
          units: { treatment: 500, control: 500 },
          split: { exposures: [], heard: [] },
          findings: before.row.draft.metrics.map(({ metric, limit }) => ({
            metric,
            state: states[metric] ?? 'watching',
            units: { treatment: 500, control: 500 },
            harm: { lower: -0.1, estimate: 0, upper: Number.POSITIVE_INFINITY },
            limit,
            margin: limit,
          })),
        },
        ...more,
      }
      const turn = lookAt(planOf(before.row), standingOf(before.row), look)
      return applyTurn(db, { before, turn, evidence: look.evidence, now: new Date(look.now) })
    },
    [Symbol.asyncDispose]: () => telltale[Symbol.asyncDispose](),
  }
}
