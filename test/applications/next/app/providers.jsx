'use client'

import { init } from '@telltale/browser'
import { FlagsProvider, useFlagDetails } from '@telltale/browser/react'
import { createContext, useContext, useEffect, useState } from 'react'
import * as webVitals from 'web-vitals'
import { recordRead, startActions, startVitals, visit } from '../../shared/actions.js'

const App = createContext(undefined)
let started

/** One client for the page; on the server one for each request. */
function start(options) {
  if (typeof window === 'undefined') return init(options)
  if (started) return started
  started = init({ ...options, attributes: { visit } })
  record('load')
  startVitals(webVitals)
  startActions(started)
  return started
}

export function Providers({ url, flagsKey, context, bootstrap, children }) {
  const [app] = useState(() => start({ url, key: flagsKey, version: '1.0.0', context, bootstrap }))
  useEffect(() => {
    document.documentElement.dataset.ready = 'yes'
  }, [])
  return (
    <App.Provider value={app}>
      <FlagsProvider flags={app} bootstrap={bootstrap}>
        {children}
      </FlagsProvider>
    </App.Provider>
  )
}

export const useApp = () => useContext(App)

export function Flag({ name, fallback }) {
  const details = useFlagDetails(name, fallback)
  useEffect(() => {
    recordRead(name, details)
  }, [name, details])
  return <span data-flag={name}>{`${name}=${details.variant} `}</span>
}
