'use client'
import { useFlag } from '@telltale/browser/react'
import { useEffect } from 'react'

export function Values() {
  useEffect(() => {
    document.documentElement.dataset.ready = 'yes'
  }, [])
  return <p id="values">{`${useFlag('checkout', false)} ${useFlag('banner', 'none')}`}</p>
}
