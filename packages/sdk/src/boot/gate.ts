// Decides whether data may leave the page: the user must not have refused, and the environment's settings should be
// known. While consent is pending, nothing is stored and no request is sent.

import type { Consent, MonitoringOptions } from '../monitoring.ts'
import { loadSettings, type Settings, stricter } from '../settings.ts'
import type { Server } from '../transport/send.ts'

export interface Gate {
  settings(): Settings
  isOpen(): boolean
  setConsent(consent: Consent): void
  /** The page is being left: the application's own settings must suffice. */
  hurry(): void
}

export interface GateOptions {
  server: Server
  own: MonitoringOptions
  /** Called again when the environment's settings arrive later. */
  onOpen(settings: Settings): void
  /** Nothing may leave. After a refusal, the user must not be recognisable again. */
  onShut(isRefused: boolean): void
}

/** How long to wait for the environment's settings, milliseconds. */
const patience = 2_000
/** An open page looks whether they are stale at most this often, milliseconds. */
const pause = 20_000

export function createGate({ server, own, onOpen, onShut }: GateOptions): Gate {
  // The strictest level, until the allowed one is known.
  let settings: Settings = { ...stricter(own), privacyLevel: 'mask-all' }
  let consent: Consent = 'pending'
  let isOpen = false
  let timer: ReturnType<typeof setTimeout>
  let lookedAt = 0

  const open = (next: Settings) => {
    clearTimeout(timer)
    if (consent !== 'granted') return
    settings = next
    isOpen = true
    onOpen(next)
  }
  const hurry = () => {
    if (!isOpen) open(settings)
  }
  const shut = (next: Consent) => {
    clearTimeout(timer)
    isOpen = false
    consent = next
    onShut(next === 'refused')
  }
  const load = () => {
    lookedAt = Date.now()
    // Never throws.
    void loadSettings({ ...server, own }).then((found) => (found ? open(found) : shut('refused')))
  }
  return {
    settings() {
      if (isOpen && Date.now() - lookedAt > pause) load()
      return settings
    },
    isOpen: () => isOpen,
    hurry,
    setConsent(next) {
      if (next === consent) return
      if (next !== 'granted') return shut(next)
      consent = next
      timer = setTimeout(hurry, patience)
      load()
    },
  }
}
