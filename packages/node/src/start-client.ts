// Assembles the client: the rule set, its listeners, and the connection that updates it.

import { toAnswer } from './answer.ts'
import type { Bootstrap, FlagAnswer, FlagContext, Flags, FlagsOptions } from './client.ts'
import { openCopy } from './copy-on-disk.ts'
import { readFlag } from './details.ts'
import { createExposures } from './exposures.ts'
import { type Fetched, isRuleSetFile, Refused } from './fetch-rule-set.ts'
import { follow, type Timing } from './follow.ts'
import { nothingHeld, type Taken, takeDelta, takeWhole, toFile } from './held-rule-set.ts'
import { createListeners } from './listeners.ts'
import { createStatus } from './status.ts'
import { usualDelivery } from './telemetry/deliver.ts'
import { openReporting } from './telemetry/open-reporting.ts'
import type { Widened } from './typed-reads.ts'

const noContext: FlagContext = {}
const usualTimeLimit = 5_000

export function startClient(options: FlagsOptions, timing: Timing, delivery = usualDelivery): Flags {
  const server = { url: addressOf(options.url), key: options.key }
  const report = createReport(options.onFault)
  const changes = createListeners<readonly string[]>(report)
  const exposures = createExposures({ now: Date.now, onFault: report })
  const status = createStatus(report)
  // Its own report: that the rules are current says nothing about telemetry.
  const reporting = openReporting(options, { server, delivery, onFault: createReport(options.onFault) })
  const { scopes } = reporting
  if (reporting.expose) exposures.listen(reporting.expose)
  let held = nothingHeld
  const { copy: path } = options
  const copy =
    path === undefined ? undefined : openCopy({ path, content: () => toFile(held), onFault: report })

  const hold = (taken: Taken) => {
    held = taken.next
    if (taken.changed.length > 0) changes.notify(taken.changed)
  }
  const start = (given: unknown) => {
    if (held !== nothingHeld || !isRuleSetFile(given)) return
    hold(takeWhole(held, given))
    if (status.get() === 'starting') status.set('stale')
  }
  const take = (fetched: Fetched) => {
    if (fetched.kind === 'unchanged') return true
    const taken = fetched.kind === 'delta' ? takeDelta(held, fetched.delta) : takeWhole(held, fetched.file)
    if (taken === undefined) return false
    const isNews = taken.next.version !== held.version
    hold(taken)
    if (isNews) copy?.request()
    return true
  }
  const fail = (fault: Error) => {
    report(fault)
    if (fault instanceof Refused) status.set('refused')
    else if (held !== nothingHeld) status.set('stale')
  }

  start(options.bootstrap)
  const reading = copy?.read().then(start)
  const stop = follow(
    server,
    {
      version: () => (held === nothingHeld ? undefined : held.version),
      take,
      settle() {
        report(undefined)
        status.set('ready')
      },
      fail,
    },
    timing,
  )

  const contextOf = (given?: FlagContext) => given ?? scopes.current()?.context() ?? noContext
  const details = <Value>(key: string, fallback: Value, given?: FlagContext) => {
    const context = contextOf(given)
    const { details: read, evaluation } = readFlag(held, key, { fallback, context })
    if (evaluation) {
      exposures.record({ flag: key, evaluation, context, environment: held.environment })
      reporting.note({ flag: key, evaluation, context })
    }
    return read
  }
  const get = readerOf(details)
  const answers = (context: FlagContext, keys: Iterable<string>): FlagAnswer[] =>
    Array.from(keys, (key) => toAnswer(held, key, context))
  const bootstrapValuesFor = (given?: FlagContext): Bootstrap => {
    const context = contextOf(given)
    const visible = [...held.flags].filter(([, { text }]) => text.clientVisible).map(([key]) => key)
    const metadata = { flagSetId: held.environment, version: held.version }
    return { flags: answers(context, visible), metadata }
  }

  return {
    getBoolean: get,
    getString: get,
    getNumber: get,
    getJson: get,
    getDetails: details,
    allFlags: (context) => answers(contextOf(context), held.flags.keys()),
    bootstrapFor: (context) => toScriptJson(bootstrapValuesFor(context)),
    bootstrapValuesFor,
    status: status.get,
    whenReady: (limit = usualTimeLimit) => status.settled(limit),
    onChange: changes.add,
    onStatus: status.listen,
    onExposure: exposures.listen,
    ...reporting.calls,
    async close() {
      stop()
      status.close()
      await reporting.close()
      await reading
      await copy?.close()
    },
  }
}

type Details = <Value>(key: string, fallback: Value, context?: FlagContext) => { value: Value }

/** One function for flags of every type: the overloads give each its own. */
function readerOf(details: Details) {
  function get(key: string, fallback: boolean, context?: FlagContext): boolean
  function get<Value extends string>(
    key: string,
    fallback: Value,
    context?: FlagContext,
  ): Widened<Value, string>
  function get<Value extends number>(
    key: string,
    fallback: Value,
    context?: FlagContext,
  ): Widened<Value, number>
  function get<Value>(key: string, fallback: Value, context?: FlagContext): Value
  function get(key: string, fallback: unknown, context?: FlagContext): unknown {
    return details(key, fallback, context).value
  }
  return get
}

function addressOf(url: string): string {
  const address = url.replace(/\/+$/, '')
  if (!/^https?:\/\//.test(address))
    throw new TypeError(`The Telltale URL must be an http or https URL: ${url}`)
  return address
}

/** Tells of a fault, unless it is the one that was told last. Nothing: all is well again. */
function createReport(onFault: FlagsOptions['onFault']): (fault: unknown) => void {
  let last: string | undefined
  return (fault) => {
    const error = fault === undefined || fault instanceof Error ? fault : new Error(String(fault))
    const isRepeated = error?.message === last
    last = error?.message
    if (error !== undefined && !isRepeated) onFault?.(error)
  }
}

/** JSON that may stand inside of a script element: nothing in it can end the element or open a comment. */
function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
