// Monitoring of one page: starts the collectors, decides when data may be sent, and passes it to the transport. Never
// throws into the page; a collector whose browser API is missing is skipped, the rest works.

import type { FlagRead } from '@telltale/core/contract/events'
import { type Assembler, createAssembler, type State, type User } from '../assemble.ts'
import { guarded, onFault, type ReportFault } from '../browser/guard.ts'
import { listen } from '../browser/listen.ts'
import { takeTab } from '../browser/tab.ts'
import { type Attributes, cleanAttributes, cleanText, cleanUrl } from '../clean.ts'
import type { Emit } from '../event.ts'
import type { Consent, Monitoring, MonitoringOptions, ReportOptions } from '../monitoring.ts'
import { createSessions } from '../session.ts'
import { createOutbox } from '../transport/outbox.ts'
import { createQueue } from '../transport/queue.ts'
import { createSend, type Server } from '../transport/send.ts'
import { createGate, type Gate } from './gate.ts'
import { createSampled, type LoadSampled } from './sampled.ts'
import { createExposer, type Exposer } from './send-exposures.ts'
import { type Collectors, startCollectors } from './start-collectors.ts'
import type { ToolbarGate } from './toolbar.ts'

export interface MonitoringPlace {
  server: Server
  options: MonitoringOptions
  anonymousId: string
  user: User
  /** Errors from before the library was loaded. */
  early: readonly Event[]
  /** In a new session, all flags count as unread. */
  onSession(): void
  loadSampled: LoadSampled
  /** Called for each sent event; may mark it. */
  note: ToolbarGate['note']
}

export interface RunningMonitoring extends Monitoring {
  addRead(read: FlagRead): void
  setUser(user: User): void
  stop(): void
}

/** Internal errors of the library, reported per page. */
const faultsReported = 5

export function startMonitoring(place: MonitoringPlace): RunningMonitoring {
  let faults = 0
  // Disabled on a server, and where not even a view can be reported.
  let parts: Parts | undefined
  const calls = describeCalls(() => parts)
  const report = (fault: unknown): undefined => {
    if (faults++ < faultsReported)
      calls.track('telltale.fault', { attributes: { message: `${fault}`, stack: Object(fault).stack } })
  }
  onFault(report)
  if (typeof document === 'object') parts = guarded(run)(place, report)
  return calls
}

interface Parts {
  collectors: Collectors
  assembler: Assembler
  exposer: Exposer
  gate: Gate
  leave(how: 'unload'): void
}

function run({ server, options, anonymousId, early, ...place }: MonitoringPlace, report: ReportFault): Parts {
  const tab = takeTab(`telltale:${server.key}:tab`)
  const sessions = createSessions(server.key, () => ({ anonymousId, ...assembler.state().user }))
  const queue = createQueue(createSend(server), () => gate.setConsent('refused'))
  const outbox = createOutbox(queue, () => collectors.catchUp())
  const gate = createGate({
    server,
    own: options,
    onOpen({ sampling }) {
      assembler.open(sampling)
      exposer.flush()
    },
    onShut(isRefused) {
      for (const part of [sampled, assembler, exposer, outbox, queue]) part.clear()
      if (isRefused) sessions.end()
    },
  })
  const sampled = createSampled(place.loadSampled, { server, own: options, settings: gate.settings, report })
  const keepsQuery = () => gate.settings().privacyLevel === 'allow'
  const assembler = createAssembler({
    sessions,
    send: outbox.add,
    beforeSend: options.beforeSend,
    note(...sent) {
      place.note(...sent)
      return sampled.note(...sent)
    },
    cleanText: (text) => cleanText(text, keepsQuery()),
    page: describePage(options, tab.id),
    currentView: () => collectors.views.current(),
    onSession() {
      place.onSession()
      collectors.views.begin()
    },
  })
  assembler.change({ user: place.user, attributes: cleanAttributes(options.attributes) })
  const exposer = createExposer({
    sessions,
    emit: (...event) => collectors.emit(...event),
    hasSession: assembler.touch,
  })
  const collectors = startCollectors({
    emit(...event) {
      // An error at the moment of a flag read belongs to its variation.
      exposer.flush()
      assembler.emit(...event)
    },
    collect: options.collect,
    early,
    urlOf: (address) => cleanUrl(address, keepsQuery()),
    pageOf: guarded(() => options.page?.(new URL(location.href))),
    isOurs: (address, initiator) =>
      (initiator === 'fetch' && server.fetched.delete(address)) ||
      /^\/(intake|sdk|ofrep)\/v1\//.test(address.replace(server.url, '')),
    mayRead: () => gate.settings().privacyLevel !== 'mask-all',
  })

  const leave = (how: 'hidden' | 'unload') => {
    gate.hurry()
    collectors.catchUp(how)
    outbox.flush()
    queue.exit()
    if (gate.isOpen()) tab.keep()
  }
  let isLeft = false
  // On the document: runs after all window listeners, which measure until the page is hidden.
  listen(document, 'visibilitychange', () => {
    if (document.hidden) leave(isLeft ? 'unload' : 'hidden')
    else assembler.touch()
  })
  // A visible page fires pagehide before it is hidden: measurements that end with it are not complete yet.
  listen(globalThis, 'pagehide', () => {
    isLeft = true
    if (document.hidden) leave('unload')
  })
  listen<PageTransitionEvent>(globalThis, 'pageshow', ({ persisted }) => {
    isLeft = false
    if (persisted) collectors.views.begin('bfcache')
  })
  // User activity that only indicates presence.
  listen(globalThis, 'pointerdown keydown scroll', assembler.touch)
  gate.setConsent(options.consent ?? 'granted')

  return { collectors, assembler, exposer, gate, leave }
}

function describePage({ service, version }: MonitoringOptions, tab: string) {
  const { effectiveType: connection } = Object(Reflect.get(navigator, 'connection'))
  return { tab, service, version, connection }
}

function describeCalls(find: () => Parts | undefined): RunningMonitoring {
  const emit: Emit = (...event) => find()?.collectors.emit(...event)
  const finite = (value: unknown) => (Number.isFinite(value) ? Number(value) : undefined)
  const track: Monitoring['track'] = (name, { value, duration, attributes } = {}) => {
    emit('custom', {
      name: `${name}`,
      value: finite(value),
      duration: finite(duration),
      attributes: cleanAttributes(attributes),
    })
  }
  const set = (change: Partial<State>) => find()?.assembler.change(change)
  return {
    track: guarded(track),
    addAction: guarded((name: string, attributes?: Attributes) => {
      emit('action', { name: `${name}`, attributes: { ...cleanAttributes(attributes), type: 'custom' } })
    }),
    addTiming: guarded((name: string, duration?: number) => {
      const { startedAt = 0 } = find()?.collectors.views.current() ?? {}
      track(name, { duration: duration ?? Date.now() - startedAt })
    }),
    reportError: guarded((error: unknown, options?: ReportOptions) => {
      const source = options?.componentStack === undefined ? 'reported' : 'react'
      find()?.collectors.reportError(source, error, options)
    }),
    startView: guarded((page: string) => {
      find()?.collectors.views.begin('route', page)
    }),
    setAttributes: guarded((attributes: Attributes) => set({ attributes: cleanAttributes(attributes) })),
    setUser: guarded((user: User) => set({ user })),
    setConsent: guarded((consent: Consent) => find()?.gate.setConsent(consent)),
    sessionId: () => find()?.assembler.session()?.id,
    addRead: guarded((read: FlagRead) => find()?.exposer.add(read)),
    stop: guarded(() => {
      find()?.leave('unload')
      find()?.gate.setConsent('pending')
    }),
  }
}
