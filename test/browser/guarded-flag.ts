// A flag of the demo's shop under a guard, and simulated people: they ask delivery what they get, and tell the real intake what
// they lived through, as far as nobody keeps that from arriving.

import { expect } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { context, event, send } from '../intake/visitor.ts'
import type { DemoServer } from './demo-server.ts'
import { chrome } from './seed-events.ts'

const project = '/api/v1/projects/storefront'
const weightTotal = 100_000

export interface ShopFlag {
  key: string
  control: string
  treatment: string
}

export interface Served {
  variant: string
  metadata: { split?: string; epoch?: number; unit?: string }
}

export interface Visits {
  people: number
  meetsError?: (variant: string, person: number) => boolean
  /** Whose telemetry arrives; delivery counts everybody. */
  isHeard?: (variant: string) => boolean
  /** How long ago they came, in milliseconds. */
  ago?: (person: number) => number
}

export interface GuardedFlag {
  ask(method: string, path: string, body?: object): ReturnType<typeof JSON.parse>
  /** Instead of what everybody has, for a part of them, and then for more. Gives the path of the rollout. */
  start(limit: number, weights?: readonly number[]): Promise<string>
  serve(person: string): Promise<Served>
  visit(visits: Visits): Promise<void>
  /** The decision log, the oldest first, without looks that a busy engine did not answer in time. */
  decisions(path: string): Promise<LoggedDecision[]>
  /** Their actions. */
  actions(path: string): Promise<string[]>
}

type LoggedDecision = ReturnType<typeof JSON.parse>

const isUnanswered = (one: LoggedDecision) => one?.reason === 'engine-down'

export function guardFlag(demo: DemoServer, key: string, flag: ShopFlag): GuardedFlag {
  const ask: GuardedFlag['ask'] = async (method, path, body) => {
    const answer = await demo.ask(method, project + path, body)
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.json()
  }
  const serve = async (person: string): Promise<Served> => {
    const answer = await fetch(`${demo.url}/ofrep/v1/evaluate/flags/${flag.key}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ context: { targetingKey: person } }),
    })
    return answer.json()
  }
  const come = async (visits: Visits, number: number) => {
    const { meetsError = () => false, isHeard = () => true, ago = () => 0 } = visits
    const person = newId()
    const { variant, metadata } = await serve(person)
    if (!isHeard(variant)) return
    const { split, epoch, unit } = metadata
    const reads = [
      { flag: flag.key, variation: variant, ...(split && { split, epoch, by: unit, unit: person }) },
    ]
    const at = Date.now() - ago(number)
    const error = { at, message: 'banner is undefined', source: 'uncaught', handled: false }
    const lines = [
      context({ anonymousId: person, reads, url: `${demo.url}/demo` }),
      event('exposure', { flag: flag.key, at }),
      event('view', { at }),
      ...(meetsError(variant, number) ? [event('error', error)] : []),
    ]
    const receipt = await send(demo.url, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
      key,
      headers: { origin: demo.url, 'user-agent': chrome },
    })
    expect(receipt.body).toMatchObject({ accepted: lines.length - 1, dropped: [] })
  }
  const decisions: GuardedFlag['decisions'] = async (path) => {
    const { items }: { items: LoggedDecision[] } = await ask('GET', `${path}/decisions`)
    return items
      .reverse()
      .filter(
        (one, index, all) =>
          !isUnanswered(one) && !(one.reason === 'recovered' && isUnanswered(all[index - 1])),
      )
  }
  return {
    ask,
    serve,
    async start(limit, weights = [10_000, 50_000, weightTotal]) {
      await demo.serve(flag.key, flag.control)
      const drafted = await ask('POST', `/environments/production/flags/${flag.key}/rollouts`, {
        treatment: flag.treatment,
        control: flag.control,
        stages: weights.map((weight) => ({ weight, minDuration: 1_000, minUnits: 5, needsApproval: false })),
        metrics: [{ metric: 'users-with-an-error', limit, role: 'required', onRegression: 'roll-back' }],
      })
      const path = `/rollouts/${drafted.id}`
      expect(await ask('POST', `${path}/start`, { turn: drafted.turn })).toMatchObject({ weight: weights[0] })
      return path
    },
    async visit(visits) {
      const atOnce = 20
      for (let from = 0; from < visits.people; from += atOnce) {
        const count = Math.min(atOnce, visits.people - from)
        await Promise.all(Array.from({ length: count }, (_, index) => come(visits, from + index)))
      }
    },
    decisions,
    actions: async (path) => (await decisions(path)).map(({ action }) => action),
  }
}
