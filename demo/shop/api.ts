// The shop's own API.

import { useEffect, useState } from 'react'
import type { Product } from '../api/catalogue.ts'
import { telltale } from './telltale.ts'

const base = '/demo/api/'

export interface Found {
  products: Product[]
  ranks: { id: number; rank: number }[]
}

export const pictureOf = ({ id }: Product, side = 'side') => `${base}pictures/${id}.svg?side=${side}`
export const pictureAt = (path: string) => base + path

/** The response is not validated, as in many real shops. */
export async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(base + path, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  if (!response.ok) throw new Error(`The shop does not answer (${response.status}).`)
  return response.json()
}

/** Undefined until it has loaded. */
export function useAnswer<Answer>(path: string): Answer | undefined {
  const [answer, setAnswer] = useState<{ path: string; value: Answer }>()
  useEffect(() => {
    let isWanted = true
    ask<Answer>(path).then(
      (value) => isWanted && setAnswer({ path, value }),
      (error: unknown) => telltale.reportError(error),
    )
    return () => {
      isWanted = false
    }
  }, [path])
  return answer?.path === path ? answer.value : undefined
}
