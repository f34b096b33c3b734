// One environment of an edge: its rule set, settings and keys, in memory and as a snapshot on disk, and when the server
// was last reached.

import { edgeLimits } from '@telltale/core/edge-limits'
import { Refused } from '@telltale/node/fetch-rule-set'
import type { Timing } from '@telltale/node/follow'
import { type EdgeDocument, isEdgeDocument } from '../../organisation/keys/edge-document.ts'
import type { StoredFiles } from '../../platform/data-folder/stored-file.ts'
import { hashSecret } from '../../platform/http/secret.ts'
import type { Log } from '../../platform/process/log.ts'
import { startRepeating } from '../../platform/process/repeat.ts'
import type { RuleSetChange, ServedRuleSet } from '../../release/delivery/build-rule-set.ts'
import { createKeeper } from '../../release/delivery/keeper.ts'
import { readRuleSetFile } from '../../release/delivery/rule-set-file.ts'
import { wholeText } from '../../release/delivery/rule-set-text.ts'
import { createFollowedRules } from './follow-rules.ts'
import { createFollowedSettings } from './follow-settings.ts'

export interface EdgeEnvironment {
  /** The server key of the environment. */
  readonly key: string
  document(): EdgeDocument | undefined
  served(): ServedRuleSet | undefined
  contact(): Contact
  /** Asks for settings and keys now. Resolves to whether the server answered. */
  askAgain(): Promise<boolean>
  /** Resolves when the first answers have arrived or failed. */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface Contact {
  /** When the server last answered, in milliseconds since 1970; undefined if that is not known. */
  at: number | undefined
  /** Why it does not answer now. */
  fault: string | undefined
  isRefused: boolean
}

export interface EnvironmentOptions {
  server: string
  key: string
  files: StoredFiles
  log: Log
  now(): number
  background(work: Promise<unknown>, what: string): void
  onRules(environmentId: string, change: RuleSetChange): void
  onDocument(environmentId: string): void
  /** The server was reached, or could not be. */
  onContact(): void
  timing?: Timing | undefined
  /** Milliseconds between two requests for settings and keys. */
  settingsEvery?: number | undefined
}

type Part = 'rules' | 'settings'

export function createEdgeEnvironment(options: EnvironmentOptions): EdgeEnvironment {
  const { key, files, log, now } = options
  const server = { url: options.server, key }
  const names = fileNames(key)
  const contact = createContact(log, now)
  let document: EdgeDocument | undefined
  let settle: () => void = () => undefined
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })

  const rulesKeeper = createKeeper(options, async () => {
    const served = rules.served()
    if (served !== undefined) await files.write(names.rules, await wholeText(served))
  })
  const settingsKeeper = createKeeper(options, async () => {
    if (document !== undefined) await files.write(names.settings, JSON.stringify(document))
  })
  const rules = createFollowedRules({
    server,
    log,
    now,
    onChange(_served, change) {
      rulesKeeper.request()
      if (document !== undefined && change !== undefined) options.onRules(document.environment.id, change)
    },
    onContact(fault) {
      contact.note('rules', fault)
      options.onContact()
      settle()
    },
  })
  const settings = createFollowedSettings({
    server,
    ...(options.settingsEvery === undefined ? {} : { every: options.settingsEvery }),
    onChange(given) {
      document = given
      settingsKeeper.request()
      options.onDocument(given.environment.id)
    },
    onContact(fault) {
      contact.note('settings', fault)
      options.onContact()
    },
  })
  const keepContact = async () => {
    const { at } = contact.state()
    if (at !== undefined) await files.write(names.contact, JSON.stringify({ at }))
  }
  const stopKeeping = startRepeating(
    log,
    { what: 'writing the time of the last contact', every: edgeLimits.edgeContactInterval.value },
    keepContact,
  )
  const readSnapshot = async () => {
    const [kept, ruleSet, at] = await Promise.all([
      files.read(names.settings),
      files.read(names.rules).then(readRuleSetFile),
      files.read(names.contact).then(timeIn),
    ])
    contact.restore(at)
    if (isEdgeDocument(kept)) document = kept
    if (ruleSet !== undefined) await rules.start(ruleSet)
    if (document !== undefined) options.onDocument(document.environment.id)
  }

  return {
    key,
    document: () => document,
    served: rules.served,
    contact: contact.state,
    askAgain: settings.ask,
    async start() {
      await readSnapshot()
      rules.follow(options.timing)
      const asked = settings.ask()
      settings.follow()
      await Promise.all([asked, settled])
    },
    async stop() {
      rules.stop()
      settings.stop()
      await stopKeeping()
      await Promise.all([rulesKeeper.finish(), settingsKeeper.finish(), keepContact()])
      rulesKeeper.stop()
      settingsKeeper.stop()
    },
  }
}

/** Named by a hash of the key: another key is another environment. */
function fileNames(key: string): Record<Part | 'contact', string> {
  const name = hashSecret(`edge ${key}`)
  return { rules: `${name}.rules.json`, settings: `${name}.settings.json`, contact: `${name}.contact.json` }
}

function timeIn(stored: unknown): number | undefined {
  const at = typeof stored === 'object' && stored !== null ? Reflect.get(stored, 'at') : undefined
  return typeof at === 'number' ? at : undefined
}

/** The environment is current while both parts are. */
function createContact(log: Log, now: () => number) {
  const faults = new Map<Part, Error>()
  let at: number | undefined

  return {
    restore(time: number | undefined) {
      at ??= time
    },
    note(part: Part, fault: Error | undefined) {
      const wasAway = faults.size > 0
      if (fault === undefined) {
        faults.delete(part)
        if (faults.size === 0) at = now()
        if (wasAway && faults.size === 0) log.info({}, 'the server answers again')
        return
      }
      faults.set(part, fault)
      if (!wasAway)
        log.warn({ reason: fault.message }, 'the server does not answer: serving the last known flags')
    },
    state(): Contact {
      const [fault] = faults.values()
      return { at, fault: fault?.message, isRefused: fault instanceof Refused }
    },
  }
}
