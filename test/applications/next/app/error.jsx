'use client'

import { useReportError } from '@telltale/browser/react'
import { useEffect } from 'react'
import { useApp } from './providers.jsx'

export default function Failed({ error }) {
  useEffect(() => {
    record('error', { message: error.message, handled: true })
  }, [error])
  useReportError(useApp(), error)
  return <h1>failed</h1>
}
