// A site whose flag only its server evaluates: a Fastify application with the client for servers, whose requests, errors and
// exposures arrive through the intake. The guard looks when a test says so.

import { type Random, seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import type { Flags } from '../../packages/node/src/client.ts'
import { telltaleFastify } from '../../packages/node/src/fastify.ts'
import { usualTiming } from '../../packages/node/src/follow.ts'
import { startClient } from '../../packages/node/src/start-client.ts'
import { getRollout } from '../../packages/server/src/guard/rollouts/queries.ts'
import { untilWritten } from '../intake/stage.ts'
import type { SomePerson, Telltale } from '../start.ts'
import { type Ask, askAsOwner, decisionsOf, minute, startRollout } from './guarded-site.ts'

const traceOf = (user: number) => user.toString(16).padStart(32, 'a')

const patience = { timeout: 60_000, interval: 20 }
const delivery = { collect: 50, attempts: 5, longestBackoff: 200 }

interface ServerSiteOptions {
  flag: string
  /** The shares of requests that fail, in both arms. */
  failing: { treatment: number; control: number }
  /** Of the rollout. */
  more: object
}

export class ServerSite {
  readonly path: string
  readonly #options: ServerSiteOptions
  readonly #telltale: Telltale
  readonly #ask: Ask
  readonly #flags: Flags
  readonly #silent: Flags
  readonly #random: Random
  #users = 0
  /** The traces of the requests that failed. */
  readonly thrown: Record<'treatment' | 'control', string[]> = { treatment: [], control: [] }

  private constructor(
    parts: { telltale: Telltale; ask: Ask; path: string; key: string },
    options: ServerSiteOptions,
  ) {
    const { telltale, ask, path, key } = parts
    this.#telltale = telltale
    this.#ask = ask
    this.path = path
    this.#options = options
    this.#random = seededRandom(17)
    const timing = { ...usualTiming, reaction: 10 }
    const client = { url: telltale.url, key }
    this.#flags = startClient({ ...client, telemetry: { service: 'orders' } }, timing, delivery)
    this.#silent = startClient({ ...client, telemetry: { exposures: false } }, timing, delivery)
  }

  static async open(
    { telltale, owner }: { telltale: Telltale; owner: SomePerson },
    options: ServerSiteOptions,
  ): Promise<ServerSite> {
    const ask = askAsOwner(telltale, owner)
    const { path } = await startRollout(ask, options.flag, options.more)
    const { value: key } = await ask('POST', '/environments/staging/keys', { kind: 'server' })
    return new ServerSite({ telltale, ask, path, key }, options)
  }

  ask(method: string, rest = '') {
    return this.#ask(method, this.path + rest)
  }

  impact(rest = '') {
    return this.#ask('GET', `/environments/staging/flags/${this.#options.flag}/impact${rest}`)
  }

  log(): Promise<string[]> {
    return decisionsOf(this.#ask, this.path)
  }

  /** Users come, a minute passes, and the guard looks. `isCut`: flags are served, and nothing is heard of users. */
  async pass(users: number, { isCut = false } = {}): Promise<void> {
    const { services } = this.#telltale.running
    this.#telltale.passTime(minute)
    const flags = isCut ? this.#silent : this.#flags
    if (await this.#isServed(flags)) {
      if (isCut) this.#serve(flags, users)
      else await this.#visit(flags, users)
      await flags.flush(60_000)
      await untilWritten(this.#telltale)
    }
    await services.evaluationCounts.flush()
    await services.guard.look()
  }

  async end(): Promise<void> {
    const { endedAt } = await this.ask('GET')
    if (endedAt === null) await this.#ask('POST', `${this.path}/roll-back`, {})
    await Promise.all([this.#flags.close(), this.#silent.close()])
  }

  #serve(flags: Flags, users: number): void {
    for (let user = 0; user < users; user += 1) {
      this.#users += 1
      flags.getBoolean(this.#options.flag, false, { targetingKey: `u-${this.#users}` })
    }
  }

  async #visit(flags: Flags, users: number): Promise<void> {
    const app = await this.#application(flags)
    // A request without a user, such as a health check.
    await app.inject('/health')
    for (let user = 0; user < users; user += 1) {
      this.#users += 1
      const traceparent = `00-${traceOf(this.#users)}-00f067aa0ba902b7-01`
      const headers = { 'x-user': `u-${this.#users}`, traceparent }
      await app.inject({ url: `/checkout/${this.#users}`, headers })
    }
    await app.close()
    await flags.flush(60_000)
    expect(flags.telemetryStatus().dropped).toEqual({ full: 0, unavailable: 0, refused: 0, invalid: 0 })
    await untilWritten(this.#telltale)
  }

  async #application(flags: Flags): Promise<FastifyInstance> {
    const { flag, failing } = this.#options
    const app = Fastify()
    await app.register(
      telltaleFastify(flags, {
        context: ({ headers }: { headers: Record<string, unknown> }) => ({
          targetingKey: headers['x-user'] === undefined ? undefined : String(headers['x-user']),
        }),
      }),
    )
    app.get('/health', () => {
      throw new Error('not healthy')
    })
    app.get<{ Params: { id: string } }>('/checkout/:id', ({ params }) => {
      const arm = flags.getBoolean(flag, false) ? 'treatment' : 'control'
      if (this.#random.uniform() >= failing[arm]) return arm
      this.thrown[arm].push(traceOf(Number(params.id)))
      throw new TypeError(`the checkout of the ${arm} failed`)
    })
    return app
  }

  /** The client follows a decision of the guard a moment later. Whether the rollout has not ended. */
  async #isServed(flags: Flags): Promise<boolean> {
    const { services } = this.#telltale.running
    const { id: project } = await this.#ask('GET', '')
    const { row } = await getRollout(services.db, project, this.path.slice('/rollouts/'.length))
    const { overlay } = row
    if (overlay === null) return false
    const epoch = () =>
      flags.allFlags({ targetingKey: 'anyone' }).find(({ key }) => key === this.#options.flag)
    await expect.poll(() => epoch()?.metadata?.epoch, patience).toBe(overlay.epoch)
    return true
  }
}
