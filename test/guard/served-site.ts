// A site with a guarded rollout and nothing invented between it and the guard: users get their variation from the rule set that
// the server serves, and what they do arrives through the intake. The guard looks when a test says so.
import { type Random, seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import { v7 as newId } from 'uuid'
import { expect } from 'vitest'
import { toAnswer } from '../../packages/node/src/answer.ts'
import { fetchRuleSet } from '../../packages/node/src/fetch-rule-set.ts'
import { type HeldRuleSet, nothingHeld, takeWhole } from '../../packages/node/src/held-rule-set.ts'
import { getRollout } from '../../packages/server/src/guard/rollouts/queries.ts'
import { untilWritten } from '../intake/stage.ts'
import { context, event, type Line, send, toLines } from '../intake/visitor.ts'
import type { SomePerson, Telltale } from '../start.ts'
import { type Ask, askAsOwner, decisionsOf, minute, startRollout } from './guarded-site.ts'

export interface SiteUser {
  arm: 'treatment' | 'control'
  browser: keyof typeof browsers
  /** Counted from 0 in each arm. */
  index: number
  random: Random
}

/** What a user does after the first read of the flag, by view; nothing where nothing else arrives. */
export type Behaviour = (user: SiteUser) => Line[][]

export const browsers = {
  Chrome:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  Safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
}
const linesInBatch = 3_000
const viewsInBatch = 900
const patience = { timeout: 60_000, interval: 100 }
let sites = 0

export class ServedSite {
  readonly flag: string
  readonly path: string
  readonly at: string
  /** Of each user, counted from 1. */
  browserOf: (user: number) => SiteUser['browser'] = () => 'Chrome'
  readonly keys: { client: string; server: string }
  readonly #split: string
  readonly #telltale: Telltale
  readonly #ask: Ask
  readonly #random: Random
  readonly #inArm = { treatment: 0, control: 0 }
  #users = 0
  #events = 0

  private constructor(
    telltale: Telltale,
    ask: Ask,
    made: { flag: string; path: string; at: string; split: string; keys: { client: string; server: string } },
  ) {
    this.#telltale = telltale
    this.#ask = ask
    this.flag = made.flag
    this.path = made.path
    this.at = made.at
    this.#split = made.split
    this.keys = made.keys
    sites += 1
    this.#random = seededRandom(sites)
  }

  /** `more` is of the rollout. */
  static async open(
    { telltale, owner }: { telltale: Telltale; owner: SomePerson },
    flag: string,
    more: object,
  ): Promise<ServedSite> {
    const ask = askAsOwner(telltale, owner)
    const started = await startRollout(ask, flag, more)
    const keyOf = async (kind: string): Promise<string> =>
      (await ask('POST', '/environments/staging/keys', { kind })).value
    const keys = { client: await keyOf('client'), server: await keyOf('server') }
    return new ServedSite(telltale, ask, { flag, ...started, keys })
  }

  /** Users of each arm, so far. */
  get exposed() {
    return { ...this.#inArm }
  }

  ask(method: string, rest = '', body?: unknown) {
    return this.#ask(method, this.path + rest, body)
  }

  log(): Promise<string[]> {
    return decisionsOf(this.#ask, this.path)
  }

  /** Users come, a minute passes, and the guard looks. */
  async pass(users: number, behaviour: Behaviour): Promise<void> {
    this.#telltale.passTime(minute)
    await this.visit(users, behaviour)
    await this.#telltale.running.services.guard.look()
  }

  async visit(users: number, behaviour: Behaviour): Promise<void> {
    const held = await this.#ruleSet()
    if (held === undefined) return
    const now = this.#now()
    const open = { Chrome: { lines: [] as Line[], index: 0 }, Safari: { lines: [] as Line[], index: 0 } }
    const batches: { browser: SiteUser['browser']; lines: Line[] }[] = []
    for (let user = 0; user < users; user += 1) {
      const browser = this.browserOf(this.#users + 1)
      for (const view of this.#visitOf(held, browser, behaviour)) {
        if (open[browser].index === viewsInBatch || open[browser].lines.length + view.length > linesInBatch) {
          batches.push({ browser, lines: open[browser].lines })
          open[browser] = { lines: [], index: 0 }
        }
        const { lines, index } = open[browser]
        lines.push(
          ...view.map((line) =>
            line.kind === 'context' ? { ...line, index } : { ...line, at: now, context: index },
          ),
        )
        open[browser].index += 1
        this.#events += view.length - 1
      }
    }
    for (const browser of ['Chrome', 'Safari'] as const)
      if (open[browser].index > 0) batches.push({ browser, lines: open[browser].lines })
    for (const batch of batches) await this.#post(batch, now)
    await this.#untilStored()
  }

  /** A context and its events, for each view; nothing of users who are not in the split. */
  #visitOf(held: HeldRuleSet, browser: SiteUser['browser'], behaviour: Behaviour): Line[][] {
    this.#users += 1
    const targetingKey = `${this.flag}-${this.#users}`
    const { variant, metadata = {} } = toAnswer(held, this.flag, {
      targetingKey,
      'request.browser': browser,
    })
    const arm = variant === 'on' ? 'treatment' : 'control'
    const { split, epoch, unit } = metadata
    if (split === undefined) return []
    const reads = [
      {
        flag: this.flag,
        variation: variant,
        ...{ split, epoch, by: unit, unit: targetingKey },
      },
    ]
    const visited = behaviour({ arm, browser, index: this.#inArm[arm], random: this.#random })
    this.#inArm[arm] += 1
    const session = newId()
    const exposure = event('exposure', { flag: this.flag })
    return [[exposure, ...(visited[0] ?? [])], ...visited.slice(1)].map((events) => [
      context({ session, anonymousId: targetingKey, url: 'https://shop.example/', reads }),
      ...events,
    ])
  }

  /** As it is served now, which follows a decision of the guard a moment later; nothing once the rollout has ended. */
  async #ruleSet(): Promise<HeldRuleSet | undefined> {
    const { services } = this.#telltale.running
    const { id: project } = await this.#ask('GET', '')
    const { row } = await getRollout(services.db, project, this.path.slice('/rollouts/'.length))
    const { overlay } = row
    if (overlay === null) return undefined
    let held = nothingHeld
    const epoch = async () => {
      const server = { url: this.#telltale.url, key: this.keys.server }
      const fetched = await fetchRuleSet(server, undefined, new AbortController().signal)
      if (fetched.kind === 'whole') held = takeWhole(nothingHeld, fetched.file).next
      return toAnswer(held, this.flag, { targetingKey: 'anyone' }).metadata?.epoch
    }
    await expect.poll(epoch, patience).toBe(overlay.epoch)
    return held
  }

  async #post(
    { browser, lines }: { browser: SiteUser['browser']; lines: readonly Line[] },
    sent: number,
  ): Promise<void> {
    const { url } = this.#telltale
    const headers = { 'user-agent': browsers[browser] }
    const receipt = await send(url, toLines(lines), { key: this.keys.client, sent, headers })
    const accepted = lines.filter(({ kind }) => kind !== 'context').length
    expect(receipt).toMatchObject({ status: 202, body: { accepted, dropped: [] } })
  }

  async #untilStored(): Promise<void> {
    const { telemetry } = this.#telltale.running.services
    const values = { split: this.#split }
    const stored = async () => {
      const [row] = await telemetry.read<{ n: string }>(
        'SELECT count() AS n FROM events WHERE has(arms.split, {split:UInt64})',
        { values },
      )
      return Number(row?.n)
    }
    await expect.poll(stored, patience).toBe(this.#events)
    // Also: what is stored and still on the spool would be a minute old after the next jump of the clock.
    await untilWritten(this.#telltale)
  }

  /** Of the server, whose clock tests move. */
  #now(): number {
    return this.#telltale.running.services.clock().getTime()
  }
}
