'use client'

import { useEffect } from 'react'
import { useApp } from './providers.jsx'

export default function Failed({ error }) {
  const app = useApp()
  useEffect(() => {
    record('error', { message: error.message, handled: true })
    app.reportError(error)
  }, [app, error])
  return <h1>failed</h1>
}
