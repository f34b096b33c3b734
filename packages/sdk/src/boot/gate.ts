// Whether anything may leave the page: the person must not have refused, and it should be known what the environment wants.
// While consent is pending nothing is stored and nobody is asked.

import type { Consent, MonitoringOptions } from '../monitoring.ts'
import { loadSettings, type Settings, stricter } from '../settings.ts'
import type { Server } from '../transport/send.ts'

export interface Gate {
  settings(): Settings
  isOpen(): boolean
  setConsent(consent: Consent): void
  /** The page is being left: what the application says itself has to do. */
  hurry(): void
}

export interface GateOptions {
  server: Server
  own: MonitoringOptions
  /** Again, when the environment answers later. */
  onOpen(settings: Settings): void
  /** Nothing may leave. After a refusal, the person is not to be known again. */
  onShut(isRefused: boolean): void
}

/** So long an answer of the environment is waited for, milliseconds. */
const patience = 2_000

export function createGate({ server, own, onOpen, onShut }: GateOptions): Gate {
  // The strictest, until it is known what may be seen.
  let settings: Settings = { ...stricter(own), privacyLevel: 'mask-all' }
  let consent: Consent = 'pending'
  let isOpen = false
  let timer: ReturnType<typeof setTimeout>

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
  return {
    settings: () => settings,
    isOpen: () => isOpen,
    hurry,
    setConsent(next) {
      if (next === consent) return
      if (next !== 'granted') return shut(next)
      consent = next
      timer = setTimeout(hurry, patience)
      // It throws nothing.
      void loadSettings({ ...server, own }).then((found) => {
        if (found) open(found)
        else shut('refused')
      })
    },
  }
}
